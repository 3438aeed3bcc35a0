import path from 'node:path';
import type { FolderEntry, HostFiles, ReadTree } from '../../host/host.ts';
import { messageOf } from '../../protocol/errors.ts';
import { isObject } from '../../protocol/json.ts';
import type { ReadSkill } from './catalogue.ts';
import { isKeptSkill, type KeptSkill } from './kept-skill.ts';
import { skillSignature } from './signature.ts';
import type { SkillProblem } from './skill-root.ts';
import type { FoundSkill } from './walk-root.ts';

/** What earlier searches have read. It is a help and no truth: without it, all is read again. */
export interface SkillCache {
  /** The signature of a skill's files as they are now, if there is one, and what is known of the skill when they have not changed since. `entries` are those of its folder, where the caller has listed them. */
  look(found: FoundSkill, entries?: readonly FolderEntry[]): { readonly signature: string | undefined; readonly kept: KeptSkill | undefined };
  /** Keeps what a complete search has found, where that is new. Resolves to the reason when it cannot be written. */
  save(skills: readonly ReadSkill[]): Promise<SkillProblem | undefined>;
}

/** What a cache works with. */
export interface SkillCacheOptions {
  readonly tree: ReadTree;
  readonly files: Pick<HostFiles, 'write' | 'remove'>;
  /** Holds one file for each root of skills; made when needed, readable for its owner only. */
  readonly folder: string;
  /** Version of the program: what another one has read is not used. */
  readonly program: string;
  /** ms since 1970. */
  readonly now: () => number;
}

/** Most files that stay; beyond it those that were written first go, down to the half. */
const MOST_FILES = 200;

/** Opens the cache; a file is read when the first skill of its root is looked up. */
export function openSkillCache(options: SkillCacheOptions): SkillCache {
  const roots = new Map<string, ReadonlyMap<string, unknown>>();
  const knownOf = (root: string): ReadonlyMap<string, unknown> => {
    const known = roots.get(root) ?? readRoot(options, root);
    roots.set(root, known);
    return known;
  };
  return {
    look: (found, entries) => {
      const signature = skillSignature(options.tree, { folder: found.realFolder, entries }, options.now);
      const known = signature === undefined ? undefined : knownOf(found.root.folder).get(placeInRoot(found));
      return { signature, kept: isKeptSkill(known) && known.signature === signature ? known : undefined };
    },
    save: async (skills) => {
      const changed = [...byRoot(skills)].filter(([root, own]) => !isSame(own, knownOf(root)));
      try {
        for (const [root, own] of changed) await options.files.write(fileOf(options.folder, root), textOf(options.program, root, own), { mode: 0o600, folderMode: 0o700 });
        if (changed.length > 0) await removeOldest(options);
        return undefined;
      } catch (error) {
        return { path: options.folder, message: `what was found could not be kept for the next search: ${messageOf(error)}` };
      }
    },
  };
}

/** Path of the SKILL.md from its root. */
function placeInRoot({ root, file }: FoundSkill): string {
  return file.slice(root.folder.length);
}

/** The file of a root. Its name need not be unique: the root stands inside. */
function fileOf(folder: string, root: string): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < root.length; i += 1) hash = Math.imul(hash ^ root.charCodeAt(i), 0x01000193);
  const name = path.basename(root).replace(/[^\w.-]+/g, '-').slice(0, 40);
  return path.join(folder, `${name}-${(hash >>> 0).toString(16)}.json`);
}

/** What stands in the file of a root. None, one that cannot be read and one of another version are the same: nothing is known. */
function readRoot({ tree, folder, program }: SkillCacheOptions, root: string): ReadonlyMap<string, unknown> {
  const known = new Map<string, unknown>();
  const value = parsed(tree, fileOf(folder, root));
  if (!isObject(value) || value['program'] !== program || value['root'] !== root || !Array.isArray(value['skills'])) return known;
  for (const skill of value['skills']) if (isObject(skill) && typeof skill['place'] === 'string') known.set(skill['place'], skill);
  return known;
}

function parsed(tree: ReadTree, file: string): unknown {
  try {
    const value: unknown = JSON.parse(Buffer.from(tree.read(file)).toString());
    return value;
  } catch {
    // Missing, without rights or broken: it is written anew, and if that fails the search says so.
    return undefined;
  }
}

function byRoot(skills: readonly ReadSkill[]): ReadonlyMap<string, readonly ReadSkill[]> {
  const roots = new Map<string, ReadSkill[]>();
  for (const skill of skills) {
    const own = roots.get(skill.found.root.folder) ?? [];
    if (own.length === 0) roots.set(skill.found.root.folder, own);
    own.push(skill);
  }
  return new Map([...roots].map(([root, own]) => [root, own.filter(({ signature }) => signature !== undefined)]));
}

function isSame(skills: readonly ReadSkill[], known: ReadonlyMap<string, unknown>): boolean {
  return skills.length === known.size && skills.every(({ kept, digest }) => kept !== undefined && kept.digest === digest);
}

function textOf(program: string, root: string, skills: readonly ReadSkill[]): string {
  const lines = skills.map(({ found, signature, facts, digest }) => JSON.stringify({ place: placeInRoot(found), signature, digest, facts }));
  return `{"program":${JSON.stringify(program)},"root":${JSON.stringify(root)},"skills":[\n${lines.join(',\n')}\n]}\n`;
}

/** Roots come and go with projects; their files must not pile up. */
async function removeOldest({ tree, files, folder }: SkillCacheOptions): Promise<void> {
  const names = tree.list(folder).map(({ name }) => name);
  if (names.length <= MOST_FILES) return;
  const timed = names.map((name) => path.join(folder, name)).map((file) => ({ file, time: tree.stat(file).mtimeMs }));
  timed.sort((a, b) => a.time - b.time);
  for (const { file } of timed.slice(0, names.length - MOST_FILES / 2)) await files.remove(file);
}
