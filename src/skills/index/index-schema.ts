import type { Migration } from '../../store/migrations.ts';

/** Tables of the skill index. What is in them can be made anew from the files, but for `tags` and `vectors`, which cost money. */
export const INDEX_MIGRATIONS: readonly Migration[] = [
  { version: 1, name: 'skills, their words, tags and vectors', sql: `
   CREATE TABLE counters (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
   INSERT INTO counters (name, value) VALUES ('skill', 0), ('segment', 0), ('root', 0);
   CREATE TABLE roots (
     root_id INTEGER PRIMARY KEY,
     root TEXT NOT NULL UNIQUE,
     program TEXT NOT NULL,
     generation INTEGER NOT NULL DEFAULT 0,
     complete INTEGER NOT NULL DEFAULT 0,
     listed_ms REAL,
     problems TEXT NOT NULL DEFAULT '[]',
     checked_to TEXT,
     checked_at INTEGER NOT NULL DEFAULT 0,
     seen_at INTEGER NOT NULL,
     worker TEXT,
     worker_until INTEGER NOT NULL DEFAULT 0
   );
   CREATE TABLE skills (
     skill_id INTEGER PRIMARY KEY,
     root_id INTEGER NOT NULL,
     place TEXT NOT NULL,
     sort_key TEXT NOT NULL,
     name TEXT NOT NULL,
     name_key TEXT NOT NULL,
     linked_to TEXT,
     claims INTEGER NOT NULL,
     has_paths INTEGER NOT NULL,
     signature INTEGER,
     digest TEXT,
     notes TEXT,
     facts TEXT
   );
   CREATE UNIQUE INDEX skills_by_place ON skills (root_id, place);
   CREATE INDEX skills_by_name ON skills (name_key, root_id);
   CREATE INDEX skills_by_link ON skills (linked_to) WHERE linked_to IS NOT NULL;
   CREATE INDEX skills_with_paths ON skills (root_id) WHERE has_paths = 1;
   CREATE TABLE segments (
     segment_id INTEGER PRIMARY KEY,
     root_id INTEGER NOT NULL,
     docs INTEGER NOT NULL,
     skill_ids BLOB NOT NULL,
     gone BLOB NOT NULL,
     hidden BLOB NOT NULL,
     names TEXT NOT NULL
   );
   CREATE INDEX segments_by_root ON segments (root_id);
   CREATE TABLE blocks (
     segment_id INTEGER NOT NULL,
     first_key INTEGER NOT NULL,
     data BLOB NOT NULL
   );
   CREATE UNIQUE INDEX blocks_by_key ON blocks (segment_id, first_key);
   CREATE TABLE views (
     view TEXT PRIMARY KEY,
     total INTEGER NOT NULL,
     counted_at INTEGER NOT NULL
   ) WITHOUT ROWID;
   CREATE TABLE tags (
     digest TEXT PRIMARY KEY,
     tags TEXT NOT NULL
   ) WITHOUT ROWID;
   CREATE TABLE vectors (
     digest TEXT NOT NULL,
     model TEXT NOT NULL,
     vector BLOB NOT NULL,
     PRIMARY KEY (digest, model)
   );` },
  { version: 2, name: 'skills that want tags', sql: `
   ALTER TABLE skills ADD COLUMN wants_tags INTEGER NOT NULL DEFAULT 1;
   CREATE INDEX skills_that_want_tags ON skills (root_id) WHERE wants_tags = 1;
   INSERT INTO counters (name, value) VALUES ('tagging_from', 0);` },
];
