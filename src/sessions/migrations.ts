import type { Migration } from '../store/migrations.ts';

/** Tables of the session log for SQLite. */
export const SESSION_MIGRATIONS: readonly Migration[] = [
  { version: 1, name: 'sessions, events and permission rules', sql: `
   CREATE TABLE sessions (
     session_id TEXT PRIMARY KEY,
     title TEXT NOT NULL DEFAULT '',
     cwd TEXT NOT NULL,
     model TEXT NOT NULL,
     status TEXT NOT NULL DEFAULT 'idle',
     parent_id TEXT,
     created_at TEXT NOT NULL,
     updated_at TEXT NOT NULL,
     last_seq INTEGER NOT NULL DEFAULT 0,
     epoch INTEGER NOT NULL DEFAULT 0,
     owner_instance TEXT,
     owner_machine TEXT,
     owner_pid INTEGER,
     owner_started TEXT,
     lease_until INTEGER
   ) WITHOUT ROWID;
   CREATE INDEX sessions_by_time ON sessions (updated_at DESC);
   CREATE INDEX sessions_by_folder ON sessions (cwd, updated_at DESC);
   CREATE TABLE events (
     session_id TEXT NOT NULL REFERENCES sessions ON DELETE CASCADE,
     seq INTEGER NOT NULL,
     event TEXT NOT NULL,
     PRIMARY KEY (session_id, seq)
   ) WITHOUT ROWID;
   CREATE TABLE permission_rules (
     cwd TEXT NOT NULL,
     rule TEXT NOT NULL,
     PRIMARY KEY (cwd, rule)
   ) WITHOUT ROWID;` },
  { version: 2, name: 'turns that go on by themselves', sql: `
   ALTER TABLE sessions ADD COLUMN service INTEGER NOT NULL DEFAULT 0;
   CREATE INDEX sessions_by_status ON sessions (status);
   CREATE TABLE turn_queue (
     session_id TEXT PRIMARY KEY REFERENCES sessions ON DELETE CASCADE,
     wakes INTEGER NOT NULL,
     due_at INTEGER NOT NULL
   ) WITHOUT ROWID;
   CREATE TABLE queue_worker (
     id INTEGER PRIMARY KEY CHECK (id = 1),
     epoch INTEGER NOT NULL,
     owner_instance TEXT,
     owner_machine TEXT,
     owner_pid INTEGER,
     owner_started TEXT,
     lease_until INTEGER
   );` },
  { version: 3, name: 'sessions of sub-agents', sql: `
   ALTER TABLE sessions ADD COLUMN task_id TEXT;
   UPDATE sessions SET task_id = (
     SELECT CASE WHEN json_valid(event) AND json_extract(event, '$.parent.session_id') = sessions.parent_id THEN json_extract(event, '$.parent.task_id') END
     FROM events WHERE events.session_id = sessions.session_id AND seq = 1
   ) WHERE parent_id IS NOT NULL;` },
  { version: 4, name: 'what turns took', sql: `
   ALTER TABLE sessions ADD COLUMN turn_seq INTEGER NOT NULL DEFAULT 0;
   CREATE TABLE turn_usage (
     session_id TEXT NOT NULL,
     turn_id TEXT NOT NULL,
     model TEXT NOT NULL,
     day TEXT NOT NULL,
     skills TEXT NOT NULL,
     steps INTEGER NOT NULL,
     input INTEGER NOT NULL,
     output INTEGER NOT NULL,
     cache_read INTEGER NOT NULL,
     cache_write INTEGER NOT NULL,
     cost_usd REAL NOT NULL,
     model_ms INTEGER NOT NULL,
     tool_ms INTEGER NOT NULL,
     PRIMARY KEY (session_id, turn_id, model)
   ) WITHOUT ROWID;
   CREATE INDEX turn_usage_by_day ON turn_usage (day);` },
];
