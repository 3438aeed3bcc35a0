import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { sleep } from '../../src/host/local-clock.ts';
import { SESSION_MIGRATIONS } from '../../src/sessions/migrations.ts';
import { sqliteQueue } from '../../src/sessions/sqlite-queue.ts';
import { sqliteSessions } from '../../src/sessions/sqlite-sessions.ts';
import { openSqlite } from '../../src/store/sqlite.ts';
import { describeTurnQueue } from './turn-queue-contract.ts';

describeTurnQueue('SQLite', 'one', async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'skillmint-queue-'));
  return {
    async open(checks) {
      const db = openSqlite(path.join(folder, 'data', 'skillmint.db'), SESSION_MIGRATIONS);
      return { queue: sqliteQueue(db, { ...checks, sleep }), store: sqliteSessions(db, checks) };
    },
    dispose: async () => fs.rmSync(folder, { recursive: true, force: true }),
  };
});
