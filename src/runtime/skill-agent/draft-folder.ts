import fs from 'node:fs/promises';
import path from 'node:path';
import { textHash } from '../../util/text-hash.ts';

/** The folder in which the agent of a folder writes drafts; made if need be. Resolves to its real path. */
export async function draftsOf(workFolder: string, cwd: string): Promise<string> {
  const folder = path.join(workFolder, 'drafts', textHash(cwd).toString(36));
  await fs.mkdir(folder, { recursive: true, mode: 0o700 });
  return fs.realpath(folder);
}

/** A folder for one draft. */
export async function makeDraft(drafts: string, name: string): Promise<string> {
  const folder = path.join(drafts, name);
  await fs.mkdir(folder, { mode: 0o700 });
  return folder;
}

/** Removes a draft; with `unlessFiles` one with something in it stays, and the result says where. */
export async function dropDraft(folder: string, { unlessFiles }: { readonly unlessFiles: boolean }): Promise<string> {
  const entries = unlessFiles ? await fs.readdir(folder) : [];
  if (entries.length > 0) return `What was written so far is in ${folder}.`;
  await fs.rm(folder, { recursive: true, force: true });
  return '';
}
