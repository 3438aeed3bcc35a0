import fs from 'node:fs/promises';
import path from 'node:path';
import { writeWhole } from '../../host/local-write.ts';
import { SkillmintError, systemCode } from '../../protocol/errors.ts';
import { isJsonObject, parseJson, type Json } from '../../protocol/json.ts';
import { commitChange, finishAbandoned } from '../../skills/library/commit-change.ts';
import { exists } from '../../skills/library/exists.ts';
import { inLibrary } from '../../skills/library/library-folder.ts';
import { withLibraryLock } from '../../skills/library/library-lock.ts';
import { stagedFolder } from '../../skills/library/work-folder.ts';
import { sha256 } from '../../skills/sha256.ts';
import { groupBy } from '../../util/group-by.ts';
import { isCounted, isInnerLink, unitOf, type Counted } from './counted-files.ts';
import type { KnownFile } from './replica-state.ts';
import { contentOf, LINK, scanFiles, type LocalFile } from './scan-files.ts';
import type { SharedFile, SharedFiles } from './shared-files.ts';

const LOCK = 'skills/skills.lock.json';

/** What is to be as it is in the database. */
export interface ApplyParts {
  readonly root: string;
  readonly counted: Counted;
  readonly shared: Pick<SharedFiles, 'contents'>;
  /** What lies here, and is as it was in the database before. */
  readonly known: ReadonlyMap<string, Pick<KnownFile, 'digest' | 'mode'>>;
  /** As the files here were when it was decided what becomes of them. */
  readonly seen: ReadonlyMap<string, LocalFile>;
}

type Files = ReadonlyMap<string, { readonly digest: string; readonly mode: number }>;

/**
 * Makes files here as the database has them. A skill changes as one folder: whoever reads it sees the old one or the new one, also
 * after a crash. Every content is compared with its digest before anything is moved. False where a content or a file here was
 * replaced meanwhile: what has changed stays as it is, and both sides have to be looked at again. @throws SkillmintError store_corrupt, path_refused, io
 */
export async function applyFiles(parts: ApplyParts, changed: readonly SharedFile[]): Promise<boolean> {
  const strange = changed.find(({ path: at }) => !isCounted(parts.counted, at));
  if (strange) throw new SkillmintError('path_refused', `The database has a file ${JSON.stringify(strange.path)}, which is none that workers share. Nothing of the change was unpacked.`);
  const units = groupBy(changed, ({ path: at }) => unitOf(at));
  const skills = [...units].filter(([unit, files]) => files.some(({ path: at }) => at !== unit));
  const plain = changed.filter(({ path: at }) => unitOf(at) === at);
  if (skills.length > 0) {
    await joinLocks(parts, plain);
    if (!(await applySkills(parts, skills))) return false;
  }
  return applyPlain(parts, plain);
}

/**
 * What the lock file says that a skill was installed keeps it from counting as the person's own: so the file names what comes before
 * it comes, and what goes until it has gone.
 */
async function joinLocks({ root, shared, seen }: ApplyParts, files: readonly SharedFile[]): Promise<void> {
  const coming = files.find(({ path: at }) => at === LOCK);
  if (coming?.digest === undefined) return;
  const file = path.join(root, LOCK);
  const here = seen.has(LOCK) ? entriesOf(Buffer.from((await contentHere(file, 0)) ?? '').toString()) : {};
  await shared.contents([coming.digest], async (_digest, content) => {
    const text = Buffer.from(content).toString();
    const joined = { ...here, ...entriesOf(text) };
    const value = parseJson(text);
    await writeWhole(file, isJsonObject(value) ? `${JSON.stringify({ ...value, skills: joined }, null, 2)}\n` : text, { mode: coming.mode & 0o777, folderMode: 0o700, shown: LOCK, follow: false });
  });
}

function entriesOf(text: string): Readonly<Record<string, Json>> {
  const value = parseJson(text);
  const skills = isJsonObject(value) ? value['skills'] : undefined;
  return isJsonObject(skills) ? skills : {};
}

/** True while files are as they were seen. */
async function areAsSeen({ root, seen }: ApplyParts, units: readonly string[]): Promise<boolean> {
  const { files } = await scanFiles(root, { tops: units }, new Map(seen));
  const before = [...seen.keys()].filter((at) => units.includes(unitOf(at)));
  return files.size === before.length && before.every((at) => files.get(at)?.mark === seen.get(at)?.mark);
}

/** All folders of skills, in one change of the library. */
async function applySkills(parts: ApplyParts, units: readonly (readonly [string, readonly SharedFile[]])[]): Promise<boolean> {
  const library = { scope: 'user', folder: path.join(parts.root, 'skills'), data: parts.root, folderMode: 0o700 };
  return inLibrary(library, (open, workspace) => withLibraryLock(open.folder, async () => {
    await finishAbandoned(open);
    if (!(await areAsSeen(parts, units.map(([unit]) => unit)))) return false;
    const wanted = units.map(([unit, files]) => ({ name: unit.slice('skills/'.length), files: after(parts.known, unit, files) }));
    const staged = stagedFolder(workspace.folder);
    await fs.mkdir(staged, { recursive: true });
    if (!(await stage(parts, staged, new Map(wanted.flatMap(({ files }) => [...files]))))) return false;
    const [put, drop] = [wanted.filter(({ files }) => files.size > 0), wanted.filter(({ files }) => files.size === 0)];
    for (const { name } of drop) await dropLink(path.join(open.folder, name));
    await commitChange(open, workspace.folder, { put: put.map(({ name }) => ({ name, replaces: true })), drop: drop.map(({ name }) => name), rewrite: [], lock: {} });
    return true;
  }));
}

/** The library moves what goes aside; a skill's folder that a person has made a link is only unlinked. */
async function dropLink(folder: string): Promise<void> {
  if ((await exists(folder)) && (await fs.lstat(folder)).isSymbolicLink()) await fs.unlink(folder);
}

/** The files of a unit once it is changed. */
function after(known: ApplyParts['known'], unit: string, changed: readonly SharedFile[]): Files {
  const files = new Map([...known].filter(([at]) => at.startsWith(`${unit}/`)));
  for (const { path: at, digest, mode } of changed) {
    if (digest === undefined) files.delete(at);
    else files.set(at, { digest, mode });
  }
  return files;
}

/** Writes files below a folder, without their `skills/`; what lies here already is copied. False where one is not to be had. */
async function stage({ root, shared }: ApplyParts, staged: string, files: Files): Promise<boolean> {
  const missing = new Map<string, [string, number][]>();
  for (const [at, { digest, mode }] of files) {
    const target = path.join(staged, ...at.split('/').slice(1));
    const here = await contentHere(path.join(root, at), mode);
    if (here && sha256(here) === digest) await put(at, target, here, mode);
    else missing.set(digest, [...(missing.get(digest) ?? []), [at, mode]]);
  }
  if (missing.size === 0) return true;
  let got = 0;
  await shared.contents([...missing.keys()], async (digest, content) => {
    got += 1;
    for (const [at, mode] of missing.get(digest) ?? []) await put(at, path.join(staged, ...at.split('/').slice(1)), content, mode);
  });
  return got === missing.size;
}

async function put(at: string, target: string, content: Uint8Array, mode: number): Promise<void> {
  await fs.mkdir(path.dirname(target), { recursive: true, mode: 0o755 });
  if ((mode & LINK) !== LINK) {
    await fs.writeFile(target, content, { mode: 0o600, flag: 'wx' });
    return fs.chmod(target, mode & 0o777);
  }
  const leads = Buffer.from(content).toString();
  if (!isInnerLink(at, leads)) throw new SkillmintError('path_refused', `The database has a link ${JSON.stringify(at)} that leads out of its skill. Nothing of the change was unpacked.`);
  await fs.symlink(leads, target);
}

async function contentHere(file: string, mode: number): Promise<Uint8Array | undefined> {
  try {
    return contentOf(file, mode);
  } catch (error) {
    if (systemCode(error) !== '') return undefined;
    throw error;
  }
}

/** Each file by itself. */
async function applyPlain(parts: ApplyParts, files: readonly SharedFile[]): Promise<boolean> {
  const { root, shared } = parts;
  if (!(await areAsSeen(parts, files.map(({ path: at }) => at).filter((at) => at !== LOCK)))) return false;
  for (const { path: at, digest } of files) if (digest === undefined) await removeFile(root, at);
  const wanted = groupBy(files.filter(({ digest }) => digest !== undefined), ({ digest }) => digest ?? '');
  let got = 0;
  await shared.contents([...wanted.keys()], async (digest, content) => {
    got += 1;
    for (const { path: at, mode } of wanted.get(digest) ?? []) await writeWhole(path.join(root, at), content, { mode: mode & 0o777, folderMode: 0o700, shown: at, follow: false });
  });
  return got === wanted.size;
}

/** The file, and folders that nothing is left in. */
async function removeFile(root: string, at: string): Promise<void> {
  await fs.rm(path.join(root, at), { force: true });
  for (let folder = path.posix.dirname(at); folder !== '.'; folder = path.posix.dirname(folder)) {
    try {
      await fs.rmdir(path.join(root, folder));
    } catch (error) {
      if (['ENOTEMPTY', 'EEXIST', 'ENOENT'].includes(systemCode(error))) return;
      throw error;
    }
  }
}
