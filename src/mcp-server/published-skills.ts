import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { SkillCatalog, type SkillFileEntry, type SkillFiles } from '@modelcontextprotocol/server/ext/skills';
import { messageOf, systemCode } from '../protocol/errors.ts';
import type { ReadTree } from '../host/host.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { isOfferable, type SkillEntry } from '../skills/discover/skill-entry.ts';
import { listSkillFiles, readSkillFile } from '../skills/files.ts';

/** How the library calls the whole tree. */
const ROOT = '.';
/** Skills that are looked at in one go. */
const AT_ONCE = 20;

/** What is published. */
export interface PublishedParts {
  readonly runtime: Pick<Runtime, 'skills'>;
  readonly tree: ReadTree;
  readonly cwd: string;
  /** Is told, in a sentence, of skills that cannot be published. */
  readonly log: (line: string) => void;
}

/** Skills as resources. */
export interface PublishedSkills {
  readonly catalog: SkillCatalog;
  /** Looks whether skills have changed, and publishes what is new; clients are told. Resolves to whether the list has changed. */
  readonly refresh: () => Promise<boolean>;
}

/**
 * The skills of a folder that models may be offered, as `skill://SOURCE/NAME/…`: two skills of one name never stand in each other's
 * place. Nothing is published before the first `refresh`.
 */
export async function publishedSkills({ runtime, tree, cwd, log }: PublishedParts): Promise<PublishedSkills> {
  let files: SkillFiles = emptyFiles();
  let published = '';
  const told = new Set<string>();
  const onWarning = ({ path: at, message }: { readonly path: string; readonly message: string }): void => {
    // That there are no skills (yet) is no fault of a folder.
    if (at === ROOT) return;
    const line = `${at} is not published: ${message}`;
    if (!told.has(line)) log(line);
    told.add(line);
  };
  const catalog = await SkillCatalog.load({ list: (folder) => files.list(folder), read: (file) => files.read(file) }, { onWarning });
  const refresh = async (): Promise<boolean> => {
    const entries = (await runtime.skills(cwd)).entries.filter(isOfferable);
    const state = await stateOfAll(tree, entries);
    if (state === published) return false;
    files = filesOf(tree, entries);
    const { listChanged } = await catalog.reload();
    published = state;
    return listChanged;
  };
  return { catalog, refresh };
}

/** What tells whether any of the skills has changed. Calls are answered in between. */
async function stateOfAll(tree: ReadTree, entries: readonly SkillEntry[]): Promise<string> {
  const hash = createHash('sha256');
  for (const [i, { id, folder }] of entries.entries()) {
    if (i % AT_ONCE === 0) await setImmediate();
    hash.update(`${id}\0${folder}\0${stateOf(tree, folder)}\n`);
  }
  return hash.digest('hex');
}

/** Sizes and times of a skill's files. */
function stateOf(tree: ReadTree, folder: string): string {
  try {
    return listSkillFiles(tree, folder).files.map(({ path: at, realPath, size }) => `${at} ${size} ${tree.stat(realPath).mtimeMs}`).join(';');
  } catch (error) {
    return messageOf(error);
  }
}

function emptyFiles(): SkillFiles {
  return { list: async () => [], read: async (file) => { throw new Error(`${file} is not published`); } };
}

interface Published {
  readonly entry: SkillEntry;
  readonly paths: readonly string[];
}

/** The skills as one tree of folders, a folder for each source. */
function filesOf(tree: ReadTree, entries: readonly SkillEntry[]): SkillFiles {
  const skills = new Map<string, Published>();
  for (const entry of entries) {
    const paths = pathsOf(tree, entry);
    if (paths) skills.set(freeKey(skills, `${segment(entry.source)}/`, entry.name), { entry, paths });
  }
  const within = (at: string): { readonly skill: Published; readonly rest: string } | undefined => {
    const [source = '', name = '', ...rest] = at.split('/');
    const skill = skills.get(`${source}/${name}`);
    return skill && { skill, rest: rest.join('/') };
  };
  return {
    async list(at) {
      const found = within(at);
      return found ? childrenOf(found.skill.paths, found.rest, 'file') : childrenOf([...skills.keys()], at, 'directory');
    },
    async read(at) {
      const found = within(at);
      if (!found?.skill.paths.includes(found.rest)) throw new Error(`${at} is no file of a skill`);
      return readSkillFile(tree, found.skill.entry.folder, found.rest);
    },
  };
}

/** Files of a skill, without those that tell how it is tested; undefined for a single file, and for what cannot be listed. */
function pathsOf(tree: ReadTree, { folder, path: file }: SkillEntry): readonly string[] | undefined {
  if (folder === file) return undefined;
  try {
    return listSkillFiles(tree, folder).files.filter(({ kind }) => kind !== 'evaluation').map(({ path: at }) => at);
  } catch (error) {
    if (systemCode(error) === '') throw error;
    // It went away; the next look finds that.
    return undefined;
  }
}

/** Sources whose names differ only in signs may hold skills of one name. */
function freeKey(taken: ReadonlyMap<string, unknown>, source: string, name: string): string {
  let key = `${source}${name}`;
  for (let i = 2; taken.has(key); i++) key = `${source.slice(0, -1)}-${i}/${name}`;
  return key;
}

/** What lies in a folder: folders, and at the end of a path a `leaf`. */
function childrenOf(paths: readonly string[], folder: string, leaf: SkillFileEntry['kind']): SkillFileEntry[] {
  const prefix = folder === '' ? '' : `${folder}/`;
  const children = new Map<string, SkillFileEntry>();
  for (const at of paths) {
    if (!at.startsWith(prefix)) continue;
    const [name = '', ...below] = at.slice(prefix.length).split('/');
    if (!children.has(name)) children.set(name, { name, kind: below.length > 0 ? 'directory' : leaf });
  }
  return [...children.values()];
}

/** `plugin:NAME` and `npm:@scope/name` as one part of an address. */
function segment(source: string): string {
  return source.replaceAll(/[^A-Za-z0-9._-]+/g, '-').replace(/^-+/, '');
}
