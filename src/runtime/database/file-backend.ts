import { localBus } from '../../sessions/local-bus.ts';
import { SESSION_MIGRATIONS } from '../../sessions/migrations.ts';
import { sqliteQueue } from '../../sessions/sqlite-queue.ts';
import { sqliteSessions } from '../../sessions/sqlite-sessions.ts';
import { openSqlite } from '../../store/sqlite.ts';
import type { Backend, BackendParts } from './backend.ts';

/** Keeps everything in a file of SQLite. @throws SkillmintError store_unavailable, store_corrupt, store_full */
export function openFileBackend(file: string, parts: BackendParts): Backend {
  const db = openSqlite(file, SESSION_MIGRATIONS);
  return {
    store: sqliteSessions(db, parts),
    queue: sqliteQueue(db, parts),
    bus: localBus({ version: () => Number(db.get('PRAGMA data_version')?.['data_version']) }),
    close: async () => undefined,
  };
}
