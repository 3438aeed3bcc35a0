import { SkillmintError } from '../../../protocol/errors.ts';
import type { Postgres } from '../../../store/postgres/postgres.ts';
import { DATA_FILES } from '../../replica/counted-files.ts';
import { changesOf } from '../../replica/reconcile.ts';
import { scanFiles } from '../../replica/scan-files.ts';
import { sharedFiles, type FileChange } from '../../replica/shared-files.ts';

/** Each server makes its own, and it is no data of anybody. */
const MADE_BY_SERVERS = 'serve-token';

/** How the files of a home stand to those of a tenant. */
export interface ComparedFiles {
  /** What the home has and the database has not, or has otherwise. */
  readonly changes: readonly FileChange[];
  /** Paths of files that both have, with other contents. */
  readonly different: readonly string[];
  readonly same: number;
  /** In the database alone. */
  readonly others: number;
}

/** Compares them by their digests. @throws SkillmintError install_refused for what cannot be shared, with what to do */
export async function compareFiles(db: Postgres, { tenant, folder }: { readonly tenant: string; readonly folder: string }): Promise<ComparedFiles> {
  const there = new Map((await sharedFiles(db, { tenant, scope: 'data' }).since(0)).flatMap(({ path: at, digest, mode }) => (digest === undefined ? [] : [[at, { digest, mode }]])));
  const { files, refused: [refused] } = await scanFiles(folder, DATA_FILES, new Map());
  if (refused) throw new SkillmintError('install_refused', `${refused.path} in ${folder} cannot be shared by workers: ${refused.why}. Nothing was imported: move it elsewhere and import again.`);
  const changes = changesOf(folder, there, files).filter(({ digest }) => digest !== undefined);
  const different = changes.filter(({ before, path: at }) => before !== undefined && at !== MADE_BY_SERVERS).map(({ path: at }) => at);
  return { changes, different, same: files.size - changes.length, others: [...there.keys()].filter((at) => !files.has(at) && at !== MADE_BY_SERVERS).length };
}

/** Sends them in one transaction; resolves to how many. @throws SkillmintError library_busy where a worker changes the same files meanwhile */
export async function sendFiles(db: Postgres, { tenant, folder }: { readonly tenant: string; readonly folder: string }, { changes }: ComparedFiles): Promise<number> {
  if (changes.length === 0) return 0;
  const pushed = await sharedFiles(db, { tenant, scope: 'data' }).push(changes);
  if (pushed.kind === 'others') throw new SkillmintError('library_busy', `Files of ${folder} or of the database were changed while they were imported. Stop the workers and import again: what is done stays.`);
  return changes.length;
}
