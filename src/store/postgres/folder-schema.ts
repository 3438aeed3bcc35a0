import type { Migration } from '../migrations.ts';

/**
 * The files of data folders, for workers that share them. A content is kept once, whoever has it; whose it is stands in
 * `folder_files` alone, and no statement reads a content but through a row of its tenant there. A file that is gone keeps its row
 * without a digest, so that a worker that was away learns of it.
 */
export const FOLDER_MIGRATION: Migration = { version: 2, name: 'files of data folders, tags and vectors', sql: `
  CREATE TABLE skillmint.folders (
    tenant text COLLATE "C" NOT NULL,
    scope text COLLATE "C" NOT NULL,
    folder_id uuid NOT NULL DEFAULT gen_random_uuid(),
    revision bigint NOT NULL DEFAULT 0,
    PRIMARY KEY (tenant, scope)
  );
  CREATE TABLE skillmint.blobs (
    digest text COLLATE "C" PRIMARY KEY,
    content bytea NOT NULL
  );
  CREATE TABLE skillmint.folder_files (
    tenant text COLLATE "C" NOT NULL,
    scope text COLLATE "C" NOT NULL,
    path text COLLATE "C" NOT NULL,
    digest text COLLATE "C" REFERENCES skillmint.blobs,
    mode integer NOT NULL,
    size bigint NOT NULL,
    revision bigint NOT NULL,
    PRIMARY KEY (tenant, scope, path),
    FOREIGN KEY (tenant, scope) REFERENCES skillmint.folders ON DELETE CASCADE
  );
  CREATE INDEX folder_files_by_revision ON skillmint.folder_files (tenant, scope, revision);
  CREATE INDEX folder_files_by_digest ON skillmint.folder_files (digest);
  CREATE TABLE skillmint.skill_words (
    tenant text COLLATE "C" NOT NULL,
    kind text COLLATE "C" NOT NULL,
    digest text COLLATE "C" NOT NULL,
    text text,
    vector bytea,
    PRIMARY KEY (tenant, kind, digest)
  );` };
