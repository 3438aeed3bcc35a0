import fs from 'node:fs/promises';
import path from 'node:path';
import type { ReadTree } from '../../host/host.ts';
import { localTree } from '../../host/local-tree.ts';
import { isObject } from '../../protocol/json.ts';
import { digestSkill } from '../digest.ts';
import { listSkillFiles } from '../files.ts';
import { ownFileFault, readOwnFile, type OwnFile } from '../own-file.ts';
import { sha256 } from '../sha256.ts';
import { refusal } from './refusal.ts';
import { isFolderName } from './skill-name.ts';
import type { Provenance } from './skill-source.ts';

/** Name of the file that says where the skills beside it come from. */
const LOCK_FILE = 'skills.lock.json';
const VERSION = 1;

/** What is known of one installed skill. */
export interface LockEntry extends Omit<Provenance, 'kind'> {
  /** Kind of the source; a word of a later version is kept as it is. */
  readonly kind: string;
  /** Folder of the skill inside of the source, as `SourceSkill` has it. */
  readonly path: string;
  /** As `digestSkill` makes it, over the files as they were installed, or as the person left them on an edit. */
  readonly digest: string;
  /** SHA-256 in hex by path. */
  readonly files: Readonly<Record<string, string>>;
  /** ISO 8601. */
  readonly installed_at: string;
  /** The description that the person gave it with `skills edit`, instead of the source's. */
  readonly description?: string;
}

/** Entries by the name of the skill's folder. */
export type LockedSkills = Readonly<Record<string, LockEntry>>;

/** The lock file of a folder of skills; without one there are no entries. Throws `library_invalid` for one that cannot be understood, `io` for one that cannot be read. */
export function readLockFile(skills: string): LockedSkills {
  const file = path.join(skills, LOCK_FILE);
  const own: OwnFile = { file, what: 'The lock file', version: VERSION, codes: { unreadable: 'io', invalid: 'library_invalid' }, mend: 'Nothing was changed: mend it, restore it, or move it away to start a new one.' };
  const value = readOwnFile(localTree(), own) ?? { skills: {} };
  if (!isObject(value['skills'])) throw ownFileFault(own, 'has no "skills"');
  return Object.fromEntries(Object.entries(value['skills']).map(([name, entry]) => {
    if (!isFolderName(name)) throw ownFileFault(own, `names a skill ${JSON.stringify(name)}, which is no name of a folder`);
    if (!isEntry(entry)) throw ownFileFault(own, `has an entry ${JSON.stringify(name)} that is incomplete`);
    return [name, entry];
  }));
}

/** Replaces the lock file in one step. `workspace` is a folder on the same file system. */
export async function writeLockFile(skills: string, locked: LockedSkills, workspace: string): Promise<void> {
  const names = Object.keys(locked).sort();
  const ordered = names.map((name) => [name, inOrder(locked[name])]);
  const temporary = path.join(workspace, LOCK_FILE);
  // One that is left of an interrupted change may have been made a link since.
  await fs.rm(temporary, { force: true });
  await fs.writeFile(temporary, `${JSON.stringify({ version: VERSION, skills: Object.fromEntries(ordered) }, null, 2)}\n`, { mode: 0o644, flag: 'wx' });
  await fs.rename(temporary, path.join(skills, LOCK_FILE));
}

/** What the lock file says of the files of a skill. Throws `install_refused` for a folder that cannot be read as a whole. */
export function lockFiles(tree: ReadTree, folder: string): Pick<LockEntry, 'digest' | 'files'> {
  const { files, problems, truncated } = listSkillFiles(tree, folder);
  const [problem] = problems;
  if (problem !== undefined || truncated) throw refusal(`the files of ${folder} cannot all be read: ${problem ?? 'there are too many'}`);
  const sums = files.map((file) => [file.path, sha256(tree.read(file.realPath))] as const);
  return { digest: digestSkill(tree, folder).digest, files: Object.fromEntries(sums) };
}

function inOrder(entry: LockEntry | undefined): object {
  if (entry === undefined) return {};
  const { source, kind, path: inside, commit, version, integrity, resolved, signer, plugin, digest, files, installed_at, description } = entry;
  const sorted = Object.fromEntries(Object.entries(files).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  return { source, kind, path: inside, commit, version, integrity, resolved, signer, plugin, digest, files: sorted, installed_at, description };
}

function isEntry(value: unknown): value is LockEntry {
  if (!isObject(value)) return false;
  const texts = ['source', 'kind', 'path', 'digest', 'installed_at'].every((key) => typeof value[key] === 'string');
  const optional = ['commit', 'version', 'integrity', 'resolved', 'signer', 'plugin', 'description'].every((key) => value[key] === undefined || typeof value[key] === 'string');
  return texts && optional && isTextMap(value['files']);
}

function isTextMap(value: unknown): boolean {
  return isObject(value) && Object.values(value).every((each) => typeof each === 'string');
}
