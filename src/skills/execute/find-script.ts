import path from 'node:path';
import type { HostFiles, ReadTree } from '../../host/host.ts';
import { messageOf, PermissionError, SkillmintError, systemCode } from '../../protocol/errors.ts';
import { locateSkillFile } from '../files.ts';
import { looksRunnable, type InterpreterPlaces, type ScriptFile } from './interpreter.ts';

/** Names that are looked for in a skill's folder, the first that is there counts. */
const MAIN = ['index.js', 'index.mjs', 'main.py', 'run.sh'];
/** Where a single script may lie, too. */
const FOLDER = 'scripts';
/** Long enough for any first line that says what runs a script. */
const START_BYTES = 512;
const MOST_NAMED = 8;

/** What scripts are looked for with. */
export interface ScriptPlaces {
  readonly tree: ReadTree;
  readonly files: Pick<HostFiles, 'readRange'>;
  readonly configured: InterpreterPlaces['configured'];
}

/**
 * The script of a skill: the one that is named, relative to the skill's folder, else `index.js`, `index.mjs`, `main.py`,
 * `run.sh`, or the only one in `scripts/`. Rejects with `script_not_found`, with `permission_denied` for a path that leads out
 * of the skill, and with `spawn_failed` for a file that cannot be read.
 */
export async function findScript(folder: string, named: string | undefined, places: ScriptPlaces): Promise<ScriptFile> {
  if (named !== undefined) return readScript(folder, named, places);
  const there = new Set(namesIn(places.tree, folder));
  const main = MAIN.find((name) => there.has(name));
  if (main !== undefined) return readScript(folder, main, places);
  const scripts = there.has(FOLDER) ? await scriptsIn(folder, places) : [];
  const [only] = scripts;
  if (only && scripts.length === 1) return only;
  const looked = `${MAIN.join(', ')}, or exactly one script in ${FOLDER}/`;
  if (!only) throw new SkillmintError('script_not_found', `The skill in ${folder} has no script to run: there is no ${looked}. Name one with --script.`);
  const names = scripts.map(({ name }) => name);
  throw new SkillmintError('script_not_found', `The skill in ${folder} has ${scripts.length} scripts (${names.slice(0, MOST_NAMED).join(', ')}${names.length > MOST_NAMED ? ', …' : ''}). Name one with --script.`);
}

async function scriptsIn(folder: string, places: ScriptPlaces): Promise<readonly ScriptFile[]> {
  const found: ScriptFile[] = [];
  for (const name of namesIn(places.tree, path.join(folder, FOLDER)).toSorted()) {
    const script = name.startsWith('.') ? undefined : await scriptOrNothing(folder, `${FOLDER}/${name}`, places);
    if (script && looksRunnable(script, places.configured)) found.push(script);
  }
  return found;
}

/** Undefined for what is no file of the skill: a folder, a link that leads out or nowhere. */
async function scriptOrNothing(folder: string, name: string, places: ScriptPlaces): Promise<ScriptFile | undefined> {
  try {
    return await readScript(folder, name, places);
  } catch (error) {
    if (error instanceof SkillmintError && ['script_not_found', 'permission_denied'].includes(error.code)) return undefined;
    throw error;
  }
}

async function readScript(folder: string, name: string, { tree, files }: ScriptPlaces): Promise<ScriptFile> {
  try {
    const file = locateSkillFile(tree, folder, name);
    return { name, file, mode: tree.stat(file).mode, start: await files.readRange(file, 0, START_BYTES) };
  } catch (error) {
    const code = error instanceof SkillmintError ? error.code : systemCode(error);
    if (code === 'path_refused') throw new PermissionError(`The script cannot be run: ${messageOf(error)}.`, { cause: error });
    if (code === 'not_found' || code === 'ENOENT') throw new SkillmintError('script_not_found', `${messageOf(error)}.${elsewhere(tree, folder, name)}`, { cause: error });
    throw new SkillmintError('spawn_failed', `${name} of the skill in ${folder} cannot be read: ${messageOf(error)}.${code === 'EACCES' ? ` Give the right to: chmod u+r ${path.join(folder, name)}` : ''}`, { cause: error });
  }
}

/** A script that was named without its folder. */
function elsewhere(tree: ReadTree, folder: string, name: string): string {
  return namesIn(tree, path.join(folder, FOLDER)).includes(name) ? ` Did you mean --script ${FOLDER}/${name}?` : '';
}

/** Nothing for a folder that is not there, and for a skill that is a single file. */
function namesIn(tree: ReadTree, folder: string): readonly string[] {
  try {
    return tree.list(folder).map(({ name }) => name);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(systemCode(error))) return [];
    throw new SkillmintError('spawn_failed', `${folder} cannot be read: ${messageOf(error)}.`, { cause: error });
  }
}
