import type { PgBoss, Queue } from 'pg-boss';
import { messageOf, SkillmintError } from '../protocol/errors.ts';
import type { Postgres } from '../store/postgres/postgres.ts';

/** The tables of the queue lie in it. */
export const JOBS_SCHEMA = 'skillmint_queue';
const HEARTBEAT_SECONDS = 10;
const SUPERVISE_SECONDS = 2;
const LATER_SECONDS = 1;
/** The most that pg-boss takes; what ends a job is its heartbeat. */
const LONGEST_SECONDS = 23 * 3_600;
/** A job that has failed for good would block its session. */
const ENDLESS = 1_000_000_000;

const OPTIONS: Omit<Queue, 'name'> = { policy: 'key_strict_fifo', heartbeatSeconds: HEARTBEAT_SECONDS, expireInSeconds: LONGEST_SECONDS, retryLimit: ENDLESS, retryDelay: LATER_SECONDS };

/** A session that was taken out of the queue. */
export interface TurnJob {
  readonly id: string;
  readonly sessionId: string;
}

/** The jobs of pg-boss: one name of a queue for each group of workers, one key for each session. */
export interface TurnJobs {
  send(queue: string, sessionIds: readonly string[]): Promise<void>;
  /** Takes up to so many, none of a session that somebody works on. */
  take(queue: string, most: number): Promise<readonly TurnJob[]>;
  /** Says that their worker lives; without it they are given to another one after 10 s. */
  touch(queue: string, ids: readonly string[]): Promise<void>;
  done(queue: string, id: string): Promise<void>;
  /** Keeps it, for a second. */
  later(queue: string, id: string): Promise<void>;
  close(): Promise<void>;
}

/** How the queue is opened. */
export interface OpenJobs {
  /** Looks after jobs of workers that are gone: set for whoever works. */
  readonly supervise: boolean;
  readonly onFault: (error: Error) => void;
}

/** Makes the tables of the queue, or brings them up to date. */
export async function migrateJobs(db: Postgres): Promise<void> {
  const boss = await bossOf(db, { migrate: true, supervise: false });
  boss.on('error', () => undefined);
  await boss.start();
  await boss.stop({ close: false, graceful: false });
}

/** Opens the queue, whose tables have to be there. */
export async function openJobs(db: Postgres, { supervise, onFault }: OpenJobs): Promise<TurnJobs> {
  const boss = await bossOf(db, { migrate: false, supervise });
  boss.on('error', onFault);
  await started(boss, db);
  const known = new Set<string>();
  const ready = async (queue: string): Promise<void> => {
    if (known.has(queue)) return;
    await boss.createQueue(queue, OPTIONS);
    known.add(queue);
  };
  return {
    async send(queue, sessionIds) {
      await ready(queue);
      await boss.insert(queue, sessionIds.map((sessionId) => ({ data: { sessionId }, singletonKey: sessionId })));
    },
    async take(queue, most) {
      await ready(queue);
      const jobs = await boss.fetch<{ readonly sessionId: string }>(queue, { batchSize: most });
      // What was asked for before a session is taken is done by taking it.
      if (jobs.length > 0) await db.query(`DELETE FROM ${JOBS_SCHEMA}.job WHERE name = $1 AND singleton_key = ANY($2) AND state = 'created'`, [queue, jobs.map(({ data }) => data.sessionId)]);
      return jobs.map(({ id, data }) => ({ id, sessionId: data.sessionId }));
    },
    async touch(queue, ids) {
      if (ids.length > 0) await boss.touch(queue, [...ids]);
    },
    async done(queue, id) {
      await boss.deleteJob(queue, id);
    },
    async later(queue, id) {
      await boss.fail(queue, id);
    },
    close: () => boss.stop({ close: false, graceful: false }),
  };
}

/** @throws SkillmintError store_unavailable when its tables are those of another version of pg-boss */
async function started(boss: PgBoss, { place }: Postgres): Promise<void> {
  try {
    await boss.start();
  } catch (error) {
    if (/not installed|requires migrations/.test(messageOf(error))) throw new SkillmintError('store_unavailable', `the tables of the queue in the database ${place} are not those of this skillmint: stop the workers, make a backup, and run: skillmint db migrate`, { cause: error });
    throw error;
  }
}

async function bossOf(db: Postgres, { migrate, supervise }: { readonly migrate: boolean; readonly supervise: boolean }): Promise<PgBoss> {
  const { PgBoss: Boss } = await import('pg-boss');
  return new Boss({ db, schema: JOBS_SCHEMA, migrate, createSchema: migrate, schedule: false, supervise, superviseIntervalSeconds: SUPERVISE_SECONDS, monitorIntervalSeconds: SUPERVISE_SECONDS });
}
