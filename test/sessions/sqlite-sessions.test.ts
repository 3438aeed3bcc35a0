import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { SESSION_MIGRATIONS } from '../../src/sessions/migrations.ts';
import { sqliteSessions } from '../../src/sessions/sqlite-sessions.ts';
import { openSqlite } from '../../src/store/sqlite.ts';
import { describeSessionStore } from './session-store-contract.ts';

describeSessionStore('SQLite', async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'skillmint-sessions-'));
  return {
    open: async (options) => sqliteSessions(openSqlite(path.join(folder, 'data', 'skillmint.db'), SESSION_MIGRATIONS), options),
    dispose: async () => fs.rmSync(folder, { recursive: true, force: true }),
  };
});
