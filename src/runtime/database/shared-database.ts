import { openDeltaHub } from '../../sessions/delta-hub.ts';
import { leftSessions, type LeftSession } from '../../sessions/left-sessions.ts';
import { postgresBus } from '../../sessions/postgres-bus.ts';
import { jobQueue } from '../../sessions/job-queue.ts';
import { postgresSessions } from '../../sessions/postgres-sessions.ts';
import { openJobs, type TurnJobs } from '../../sessions/turn-jobs.ts';
import { openPostgres, type PostgresOptions } from '../../store/postgres/postgres.ts';
import { sweepNowAndThen } from '../replica/sweep-contents.ts';
import { leftToDo } from '../turn/left-to-do.ts';
import type { SharedDatabase } from './backend.ts';
import { requirePostgresSchema } from './postgres-schema.ts';
import { watchSchema } from './watch-schema.ts';

/** How long a turn waits with what it has to store for a database that is down, ms. Then it is left, and goes on when the database is back. */
const PATIENCE_MS = 60_000;
/** The queue of servers that work for all users. */
const EVERYBODY = 'everybody';

/** Opens it, and makes its tables when it is empty. @throws SkillmintError usage, store_unavailable */
export async function openSharedDatabase(url: string, options: PostgresOptions = {}): Promise<SharedDatabase> {
  const db = await openPostgres(url, options);
  try {
    await requirePostgresSchema(db);
    const hub = await openDeltaHub(db);
    const endings = [sweepNowAndThen(db), watchSchema(db, hub)];
    let opened: Promise<TurnJobs> | undefined;
    // A failure of its background work shows in the next use.
    const jobs = (): Promise<TurnJobs> => {
      const opening = opened ?? openJobs(db, { supervise: true, onFault: () => undefined });
      opened = opening;
      // It can be opened later.
      opening.catch(() => { if (opened === opening) opened = undefined; });
      return opening;
    };
    return {
      db,
      async reachable() {
        await db.query('SELECT 1');
      },
      backend(tenant, parts) {
        const store = postgresSessions({ db, tenant, isAlive: parts.isAlive, sleep: parts.sleep, patienceMs: PATIENCE_MS });
        return {
          store,
          queue: jobQueue({ jobs, name: `of-${tenant}`, exists: async (id) => (await store.get(id)) !== undefined, sleep: parts.sleep, now: parts.now }),
          bus: postgresBus({ db, hub, tenant, instance: parts.instance }),
          files: { db, tenant },
          close: async () => undefined,
        };
      },
      async workForAll({ turn, isAlive, now, sleep, ...work }) {
        const queue = jobQueue({ jobs, name: EVERYBODY, exists: async () => true, sleep, now });
        const left = leftToDo(async () => (await leftSessions(db, isAlive)).map(({ tenant, sessionId }) => `${tenant}/${sessionId}`), (key) => key);
        await queue.work({ ...work, turn: (key) => turn(parted(key), () => left.giveUp(key)), left: left.find });
      },
      async close() {
        for (const end of endings) end();
        await hub.close();
        try {
          await (await opened)?.close();
        } finally {
          await db.close();
        }
      },
    };
  } catch (error) {
    await db.close();
    throw error;
  }
}

/** Tenants are names of users, which have no slash. */
function parted(key: string): LeftSession {
  const end = key.indexOf('/');
  return { tenant: key.slice(0, end), sessionId: key.slice(end + 1) };
}
