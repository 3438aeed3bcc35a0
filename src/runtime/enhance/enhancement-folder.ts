import { randomBytes } from 'node:crypto';
import fs from 'node:fs/promises';
import path from 'node:path';
import { withFolderLock } from '../../host/folder-lock.ts';
import { namesIn, textIfThere } from '../../host/read-if-there.ts';
import { SkillmintError } from '../../protocol/errors.ts';
import { isJsonObject, parseJson } from '../../protocol/json.ts';
import type { Enhancement } from './enhancement.ts';

/** How long somebody waits for an enhancement that another process works on, ms. */
const PATIENCE_MS = 500;

/** Folder of an enhancement. */
export function enhancementFolder(dataFolder: string, id: string): string {
  return path.join(dataFolder, 'enhancements', id);
}

/** A new id, which sorts by time. */
export function newEnhancementId(nowMs: number): string {
  return `enh_${nowMs.toString(36)}${randomBytes(3).toString('hex')}`;
}

/** Keeps what is known so far, whole or not at all. */
export async function keepEnhancement(enhancement: Enhancement): Promise<void> {
  const file = path.join(enhancement.folder, 'enhancement.json');
  await fs.mkdir(enhancement.folder, { recursive: true, mode: 0o700 });
  await fs.writeFile(`${file}.half`, `${JSON.stringify(enhancement, null, 2)}\n`, { mode: 0o600, flush: true });
  await fs.rename(`${file}.half`, file);
}

/** Reads what was kept. Rejects with `not_found` and `io`. */
export async function readEnhancement(dataFolder: string, id: string): Promise<Enhancement> {
  const folder = enhancementFolder(dataFolder, id);
  const file = path.join(folder, 'enhancement.json');
  const known: unknown = /^enh_[0-9a-z]+$/.test(id) ? parseJson(await textIfThere(file)) : undefined;
  if (known === undefined) throw new SkillmintError('not_found', `There is no enhancement ${JSON.stringify(id)}. See the folder ${path.dirname(folder)}.`);
  if (!isEnhancement(known)) throw new SkillmintError('io', `${file} was not written by this version: enhance the skill again.`);
  return known;
}

/** Folder of the old version, or of an edit. The skill's folder lies in it. */
export function versionFolder({ folder }: Pick<Enhancement, 'folder'>, version: 'old' | number, name: string): string {
  return path.join(folder, version === 'old' ? 'old' : `round-${version}`, name);
}

/** All enhancements of a data folder, the newest first. Folders of other versions are left out. */
export async function knownEnhancements(dataFolder: string): Promise<readonly Enhancement[]> {
  const known: Enhancement[] = [];
  for (const id of (await namesIn(path.dirname(enhancementFolder(dataFolder, 'any')))).toSorted().toReversed()) {
    const enhancement: unknown = parseJson(await textIfThere(path.join(enhancementFolder(dataFolder, id), 'enhancement.json')));
    if (isEnhancement(enhancement)) known.push(enhancement);
  }
  return known;
}

/** Works on an enhancement while no other process does. Rejects with `session_busy` otherwise. */
export function withEnhancement<T>(folder: string, id: string, work: () => Promise<T>): Promise<T> {
  const busy = (pid: string): SkillmintError => new SkillmintError('session_busy', `Another process (${pid}) works on the enhancement ${id}: wait for it, or end it.`);
  return withFolderLock(path.join(folder, 'lock'), { busy, patience: PATIENCE_MS }, work);
}

function isEnhancement(value: unknown): value is Enhancement {
  return isJsonObject(value) && value['version'] === 2 && typeof value['id'] === 'string' && typeof value['folder'] === 'string' && Array.isArray(value['tried']);
}
