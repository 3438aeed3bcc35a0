import fs from 'node:fs/promises';
import path from 'node:path';
import { namesIn } from '../../host/read-if-there.ts';
import { systemCode } from '../../protocol/errors.ts';
import { isObject } from '../../protocol/json.ts';
import { WORK_FOLDER } from '../discover/skill-root.ts';
import { sha256 } from '../sha256.ts';
import { exists } from './exists.ts';
import type { LockEntry } from './lock-file.ts';
import { isFolderName } from './skill-name.ts';

/** A change of the skills of one folder, whose new folders lie complete in a workspace. */
export interface Change {
  /** Names of the folders that come into place; `replaces` when one of that name has to go for it. */
  readonly put: readonly { readonly name: string; readonly replaces: boolean }[];
  /** Names of the folders that go. */
  readonly drop: readonly string[];
  /** Files that are replaced in folders which stay; the new ones lie in the workspace as those of `put` do. */
  readonly rewrite: readonly { readonly name: string; readonly file: string }[];
  /** New entries of the lock file; null removes one. */
  readonly lock: Readonly<Record<string, LockEntry | null>>;
}

/** Whose changes are written down, and where. */
export interface JournalPlace {
  /** Real path of the folder of skills. */
  readonly folder: string;
  /** The data folder: a folder of skills may come from a stranger, what is written here does not. */
  readonly data: string;
}

/** Writes down a change that is about to be made in this workspace. What can be read of it is complete. */
export async function writeJournal(place: JournalPlace, workspace: string, change: Change): Promise<void> {
  const file = journalFile(place, path.basename(workspace));
  await fs.mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  await fs.writeFile(`${file}.tmp`, JSON.stringify({ library: place.folder, workspace: path.basename(workspace), change }), { mode: 0o600 });
  await fs.rename(`${file}.tmp`, file);
}

/** The change that was begun in this workspace; undefined when there is none. Throws for a journal that cannot be understood. */
export async function readJournal(place: JournalPlace, workspace: string): Promise<Change | undefined> {
  const file = journalFile(place, path.basename(workspace));
  let text: string;
  try {
    text = await fs.readFile(file, 'utf8');
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  }
  const value: unknown = JSON.parse(text);
  if (isObject(value) && value['library'] === place.folder && value['workspace'] === path.basename(workspace) && isChange(value['change'])) return value['change'];
  throw new Error(`${file} is not what skillmint wrote`);
}

/** The change of this workspace is done, or taken back. */
export async function removeJournal(place: JournalPlace, workspace: string): Promise<void> {
  await fs.rm(journalFile(place, path.basename(workspace)), { force: true });
}

/** Removes journals of workspaces that are gone. Only under the lock of the library: nobody writes one then. */
export async function removeStrayJournals(place: JournalPlace): Promise<void> {
  const prefix = path.basename(journalFile(place, ''), '.json');
  for (const name of await namesIn(journalFolder(place))) {
    const workspace = name.slice(prefix.length).replace(/\.json(?:\.tmp)?$/, '');
    if (name.startsWith(prefix) && !(await exists(path.join(place.folder, WORK_FOLDER, workspace)))) await fs.rm(path.join(journalFolder(place), name), { force: true });
  }
}

/** True when every name in the change is one of a thing that lies directly in its folder. */
export function namesArePlain({ put, drop, rewrite, lock }: Change): boolean {
  return [...put.map(({ name }) => name), ...drop, ...rewrite.flatMap(({ name, file }) => [name, file]), ...Object.keys(lock)].every((name) => isFolderName(name));
}

function journalFolder({ data }: JournalPlace): string {
  return path.join(data, 'library');
}

/** The name of a workspace has a random part, and is never used twice. */
function journalFile(place: JournalPlace, workspace: string): string {
  const library = sha256(place.folder).slice(0, 32);
  return path.join(journalFolder(place), `${library}-${workspace}.json`);
}

function isChange(value: unknown): value is Change {
  if (!isObject(value) || !isObject(value['lock'])) return false;
  const { put, drop, rewrite } = value;
  const isPut = (one: unknown): boolean => isObject(one) && typeof one['name'] === 'string' && typeof one['replaces'] === 'boolean';
  const isRewrite = (one: unknown): boolean => isObject(one) && typeof one['name'] === 'string' && typeof one['file'] === 'string';
  return Array.isArray(put) && put.every(isPut) && Array.isArray(drop) && drop.every((one) => typeof one === 'string') && Array.isArray(rewrite) && rewrite.every(isRewrite);
}
