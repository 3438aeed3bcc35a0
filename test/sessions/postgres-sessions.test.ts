import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe } from 'vitest';
import { postgresSessions } from '../../src/sessions/postgres-sessions.ts';
import { openPostgres } from '../../src/store/postgres/postgres.ts';
import { requireSchema } from '../../src/store/postgres/migrate.ts';
import { POSTGRES_MIGRATIONS } from '../../src/store/postgres/schema.ts';
import { startCluster, withoutPostgres, type Cluster } from '../helpers/postgres.ts';
import { describeSessionStore } from './session-store-contract.ts';

describe.skipIf(withoutPostgres)('with PostgreSQL', () => {
  let cluster: Cluster;
  beforeAll(async () => { cluster = await startCluster(); });
  afterAll(() => cluster.dispose());

  describeSessionStore('PostgreSQL', async () => {
    const db = await openPostgres(await cluster.database());
    await requireSchema(db, POSTGRES_MIGRATIONS);
    return {
      open: async ({ isAlive }) => postgresSessions({ db, tenant: 'ann', isAlive, sleep }),
      async pass(ms) {
        await db.query('UPDATE skillmint.sessions SET lease_until = lease_until - $1 * interval \'1 ms\'', [ms]);
      },
      dispose: () => db.close(),
    };
  });
});
