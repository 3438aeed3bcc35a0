import { SkillmintError } from '../../protocol/errors.ts';
import { sha256 } from '../../skills/sha256.ts';
import type { PgRow, Postgres, Queries } from '../../store/postgres/postgres.ts';

/** Whoever adds contents holds it with others; whoever removes contents that nobody has any more holds it alone. */
const BLOB_LOCK = 5_742_901_134;
/** Bytes of contents that are sent or fetched at once. */
const BATCH_BYTES = 8 * 1024 * 1024;
/** Bytes of all files of a folder. */
const MOST_BYTES = 2 * 1024 * 1024 * 1024;
const MOST_FILES = 200_000;
const SWEPT_AT_ONCE = 1_000;

/** Which folder is shared: whose, and which of theirs. */
export interface FolderKey {
  readonly tenant: string;
  /** `data` for the data folder. */
  readonly scope: string;
}

/** A file as the database has it. */
export interface SharedFile {
  /** With `/`, below the folder. */
  readonly path: string;
  /** SHA-256 in hex; undefined for one that is gone. */
  readonly digest: string | undefined;
  /** Permission bits; with `LINK` for a link, whose content is where it leads to. */
  readonly mode: number;
  readonly revision: number;
}

/** A change of a file that this worker has made. */
export interface FileChange {
  readonly path: string;
  /** SHA-256 in hex; undefined for one that is gone. */
  readonly digest: string | undefined;
  /** Bytes. */
  readonly size: number;
  /** Read when it is sent; one that is another by now is not sent. */
  readonly read: () => Uint8Array;
  readonly mode: number;
  /** Digest that the file had here when it was last the same as in the database; undefined where there was none. */
  readonly before: string | undefined;
}

/** What became of changes: all are kept, or none is, because others have changed the same files, or a file is another by now. */
export type PushResult = { readonly kind: 'kept'; readonly revision: number } | { readonly kind: 'others' };

/** The files of one folder in the database. */
export interface SharedFiles {
  /** The folder's identity and how often it was changed. */
  head(): Promise<{ readonly id: string; readonly revision: number }>;
  /** Files that were changed after a revision, with the revision that they are of. */
  since(revision: number): Promise<readonly SharedFile[]>;
  /** Contents by digest, of files of this folder alone; one that is not there any more is missing. @throws SkillmintError store_corrupt for a content that does not fit its digest */
  contents(digests: readonly string[], take: (digest: string, content: Uint8Array) => Promise<void>): Promise<void>;
  /** @throws SkillmintError invalid_argument where the folder would hold too much */
  push(changes: readonly FileChange[]): Promise<PushResult>;
  /** Removes the folder with all that is in it. */
  clear(): Promise<void>;
}

/** The folders of a tenant, by their scope. */
export function filesOfScope({ db, tenant }: { readonly db: Postgres; readonly tenant: string }): (scope: string) => SharedFiles {
  return (scope) => sharedFiles(db, { tenant, scope });
}

/** Opens the files of a folder in the database. */
export function sharedFiles(db: Postgres, { tenant, scope }: FolderKey): SharedFiles {
  const own = [tenant, scope] as const;
  return {
    async head() {
      const { rows: [row] } = await db.query('SELECT folder_id, revision FROM skillmint.folders WHERE tenant = $1 AND scope = $2', own);
      return row ? headOf(row) : headOf(await makeFolder(db, { tenant, scope }));
    },
    async since(revision) {
      const { rows } = await db.query('SELECT path, digest, mode, revision FROM skillmint.folder_files WHERE tenant = $1 AND scope = $2 AND revision > $3 ORDER BY path', [...own, revision]);
      return rows.map((row) => ({ path: String(row['path']), digest: row['digest'] === null ? undefined : String(row['digest']), mode: Number(row['mode']), revision: Number(row['revision']) }));
    },
    async contents(digests, take) {
      const { rows } = await db.query('SELECT DISTINCT digest, size FROM skillmint.folder_files WHERE tenant = $1 AND scope = $2 AND digest = ANY($3)', [...own, digests]);
      for (const batch of batches(rows, (row) => Number(row['size']))) {
        const { rows: found } = await db.query(
          `SELECT digest, encode(content, 'base64') AS content FROM skillmint.blobs
           WHERE digest = ANY($3) AND EXISTS (SELECT FROM skillmint.folder_files AS f WHERE f.tenant = $1 AND f.scope = $2 AND f.digest = blobs.digest)`,
          [...own, batch.map((row) => String(row['digest']))]);
        for (const row of found) {
          const [digest, content] = [String(row['digest']), Buffer.from(String(row['content']), 'base64')];
          if (sha256(content) !== digest) throw new SkillmintError('store_corrupt', `A file in the database ${db.place} is not what its digest ${digest} says. Nothing of the change was unpacked: restore a backup of the table skillmint.blobs.`);
          await take(digest, content);
        }
      }
    },
    async push(changes) {
      const pushed = await db.transaction((queries) => pushChanges(queries, { tenant, scope }, changes)).catch((error: unknown): Pushed => {
        if (error instanceof ChangedMeanwhile) return { kind: 'others' };
        throw error;
      });
      if (pushed.kind === 'others') return pushed;
      await forget(db, pushed.replaced);
      return { kind: 'kept', revision: pushed.revision };
    },
    async clear() {
      const { rows } = await db.query('SELECT DISTINCT digest FROM skillmint.folder_files WHERE tenant = $1 AND scope = $2 AND digest IS NOT NULL', own);
      await db.query('DELETE FROM skillmint.folders WHERE tenant = $1 AND scope = $2', own);
      await forget(db, rows.map((row) => String(row['digest'])));
    },
  };
}

/** A file is not what was seen: what was sent is rolled back. */
class ChangedMeanwhile extends Error {}

function headOf(row: PgRow): { readonly id: string; readonly revision: number } {
  return { id: String(row['folder_id']), revision: Number(row['revision']) };
}

/** Two workers may make it at once. */
async function makeFolder(db: Queries, { tenant, scope }: FolderKey): Promise<PgRow> {
  await db.query('INSERT INTO skillmint.folders (tenant, scope) VALUES ($1, $2) ON CONFLICT DO NOTHING', [tenant, scope]);
  const { rows: [row] } = await db.query('SELECT folder_id, revision FROM skillmint.folders WHERE tenant = $1 AND scope = $2', [tenant, scope]);
  if (!row) throw new Error('the folder was made');
  return row;
}

type Pushed = { readonly kind: 'others' } | { readonly kind: 'kept'; readonly revision: number; readonly replaced: readonly string[] };

async function pushChanges(db: Queries, { tenant, scope }: FolderKey, changes: readonly FileChange[]): Promise<Pushed> {
  await db.query('SELECT pg_advisory_xact_lock_shared($1)', [BLOB_LOCK]);
  await makeFolder(db, { tenant, scope });
  const { rows: [folder] } = await db.query('SELECT revision FROM skillmint.folders WHERE tenant = $1 AND scope = $2 FOR UPDATE', [tenant, scope]);
  const { rows } = await db.query('SELECT path, digest FROM skillmint.folder_files WHERE tenant = $1 AND scope = $2 AND path = ANY($3)', [tenant, scope, changes.map(({ path }) => path)]);
  const there = new Map(rows.flatMap((row) => (row['digest'] === null ? [] : [[String(row['path']), String(row['digest'])]])));
  if (changes.some(({ path, before }) => there.get(path) !== before)) return { kind: 'others' };
  const revision = Number(folder?.['revision']) + 1;
  for (const batch of batches(changes, ({ size }) => size)) {
    await keepContents(db, batch);
    await db.query(
      `INSERT INTO skillmint.folder_files (tenant, scope, path, digest, mode, size, revision)
       SELECT $1, $2, path, digest, mode, size, $3 FROM unnest($4::text[], $5::text[], $6::integer[], $7::bigint[]) AS given (path, digest, mode, size)
       ON CONFLICT (tenant, scope, path) DO UPDATE SET digest = excluded.digest, mode = excluded.mode, size = excluded.size, revision = excluded.revision`,
      [tenant, scope, revision, batch.map(({ path }) => path), batch.map(({ digest }) => digest ?? null), batch.map(({ mode }) => mode), batch.map(({ size }) => size)]);
  }
  await db.query('UPDATE skillmint.folders SET revision = $3 WHERE tenant = $1 AND scope = $2', [tenant, scope, revision]);
  await checkRoom(db, { tenant, scope });
  return { kind: 'kept', revision, replaced: changes.flatMap(({ before }) => before ?? []) };
}

/** Only what was hashed here is kept under a digest: nobody gets at a content by naming it. */
async function keepContents(db: Queries, files: readonly FileChange[]): Promise<void> {
  const given = files.flatMap(({ digest, read }) => {
    if (digest === undefined) return [];
    const content = read();
    if (sha256(content) !== digest) throw new ChangedMeanwhile();
    return [[digest, Buffer.from(content).toString('base64')] as const];
  });
  await db.query(`INSERT INTO skillmint.blobs (digest, content) SELECT DISTINCT ON (digest) digest, decode(content, 'base64') FROM unnest($1::text[], $2::text[]) AS given (digest, content) ORDER BY digest ON CONFLICT DO NOTHING`, [given.map(([digest]) => digest), given.map(([, content]) => content)]);
}

async function checkRoom(db: Queries, { tenant, scope }: FolderKey): Promise<void> {
  const { rows: [row] } = await db.query('SELECT count(*) AS files, coalesce(sum(size), 0) AS bytes FROM skillmint.folder_files WHERE tenant = $1 AND scope = $2 AND digest IS NOT NULL', [tenant, scope]);
  const [files, bytes] = [Number(row?.['files']), Number(row?.['bytes'])];
  if (files > MOST_FILES || bytes > MOST_BYTES) throw new SkillmintError('invalid_argument', `The data folder would have ${files} files with ${bytes} bytes in the database, and may have ${MOST_FILES} files with ${MOST_BYTES}. Nothing was changed there: remove skills or memory that nobody needs.`);
}

/** Removes contents that no folder has any more. */
async function forget(db: Postgres, digests: readonly string[]): Promise<void> {
  if (digests.length === 0) return;
  await db.transaction(async (queries) => {
    await queries.query('SELECT pg_advisory_xact_lock($1)', [BLOB_LOCK]);
    await queries.query('DELETE FROM skillmint.blobs WHERE digest = ANY($1) AND NOT EXISTS (SELECT FROM skillmint.folder_files AS f WHERE f.digest = blobs.digest)', [digests]);
  });
}

/** Removes contents that nobody has, of which a process that was killed has left some: those of the next digests after one. Resolves to the last one looked at; undefined at the end. */
export async function sweepContents(db: Postgres, after: string): Promise<string | undefined> {
  const { rows } = await db.query('SELECT digest, EXISTS (SELECT FROM skillmint.folder_files AS f WHERE f.digest = blobs.digest) AS wanted FROM skillmint.blobs WHERE digest > $1 ORDER BY digest LIMIT $2', [after, SWEPT_AT_ONCE]);
  await forget(db, rows.flatMap((row) => (row['wanted'] === true ? [] : [String(row['digest'])])));
  return rows.length < SWEPT_AT_ONCE ? undefined : String(rows.at(-1)?.['digest']);
}

function batches<T>(items: readonly T[], sizeOf: (item: T) => number): readonly (readonly T[])[] {
  const all: T[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const item of items) {
    bytes += sizeOf(item);
    if (bytes > BATCH_BYTES || (all.at(-1)?.length ?? 0) >= 2_000) {
      all.push([]);
      bytes = sizeOf(item);
    }
    all.at(-1)?.push(item);
  }
  return all;
}
