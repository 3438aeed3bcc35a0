import { afterAll, beforeAll, describe } from 'vitest';
import { sleep } from '../../src/host/local-clock.ts';
import { jobQueue } from '../../src/sessions/job-queue.ts';
import { postgresSessions } from '../../src/sessions/postgres-sessions.ts';
import { migrateJobs, openJobs, type TurnJobs } from '../../src/sessions/turn-jobs.ts';
import { migratePostgres } from '../../src/store/postgres/migrate.ts';
import { openPostgres } from '../../src/store/postgres/postgres.ts';
import { POSTGRES_MIGRATIONS } from '../../src/store/postgres/schema.ts';
import { startCluster, withoutPostgres, type Cluster } from '../helpers/postgres.ts';
import { describeTurnQueue } from './turn-queue-contract.ts';

describe.skipIf(withoutPostgres)('with PostgreSQL', () => {
  let cluster: Cluster;
  beforeAll(async () => { cluster = await startCluster(); });
  afterAll(() => cluster.dispose());

  describeTurnQueue('pg-boss', 'many', async () => {
    const db = await openPostgres(await cluster.database());
    await migratePostgres(db, POSTGRES_MIGRATIONS);
    await migrateJobs(db);
    const opened: TurnJobs[] = [];
    return {
      async open({ isAlive }) {
        const store = postgresSessions({ db, tenant: 'ann', isAlive, sleep });
        const jobs = await openJobs(db, { supervise: true, onFault: (error) => { throw error; } });
        opened.push(jobs);
        return { store, queue: jobQueue({ jobs: async () => jobs, name: 'ann', exists: async (id) => (await store.get(id)) !== undefined, sleep, now: Date.now }) };
      },
      async dispose() {
        for (const jobs of opened) await jobs.close();
        await db.close();
      },
    };
  });
});
