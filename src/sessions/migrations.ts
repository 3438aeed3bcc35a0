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
];
