import fs from 'node:fs/promises';
import path from 'node:path';
import { seededRandom, shuffled } from '../../evaluate/statistics/random.ts';
import { USUAL_MARGIN } from '../../evaluate/statistics/verdict.ts';
import type { Arm, Suites } from '../../evaluate/runs/plan.ts';
import { leaksIn, type SkillText } from '../../evaluate/suites/leaks.ts';
import { DEMO_INFO } from '../../model/demo.ts';
import { isInside } from '../../host/paths.ts';
import { SkillmintError, systemCode } from '../../protocol/errors.ts';
import { digestSkill } from '../../skills/digest.ts';
import { readDocument } from '../../skills/discover/read-entry.ts';
import { isOfferable, type SkillEntry } from '../../skills/discover/skill-entry.ts';
import { listSkillFiles } from '../../skills/files.ts';
import { copyFolder } from '../../skills/library/copy-folder.ts';
import { namedSkillOrFolder, type NamedSkill } from '../library/named-skill.ts';
import type { RuntimeParts } from '../parts.ts';
import { findSkills } from '../skills/find-skills.ts';
import { chooseModel } from '../turn/choose-model.ts';
import { copyAgainst, copySkill } from './copy-skill.ts';
import { evaluationFolder, newEvaluationId, writeManifest, type Manifest, type SkillCopy } from './evaluation-folder.ts';
import type { EvaluateOptions } from './evaluate-options.ts';
import { findSuites } from './find-suites.ts';

const USUAL_RUNS = 3;
/** Bytes of a file that is looked through for expected answers. */
const MOST_TEXT = 1024 * 1024;
const USUAL_SEED = 1;

/** What whoever evaluates as a part of something larger has settled. */
export interface FixedEvaluation {
  readonly id: string;
  /** The usual ones when left out. */
  readonly arms?: Manifest['arms'];
  /** Ids of the skills that crowd it. */
  readonly crowd?: readonly string[];
}

/**
 * Settles what an evaluation is about and copies all that it depends on. Throws skill_not_found, not_found, invalid_argument,
 * key_missing and chooseModel's errors; nothing is left behind then.
 */
export async function beginEvaluation(parts: RuntimeParts, options: EvaluateOptions, fixed?: FixedEvaluation): Promise<Manifest> {
  checkNumbers(options);
  const cwd = path.resolve(options.cwd ?? '.');
  if (options.skill === undefined) throw new SkillmintError('usage', 'Name the skill that is to be evaluated.');
  const { skill, crowd } = await skillsFor(parts, cwd, { ...options, skill: options.skill }, fixed?.crowd);
  const { model, judge } = await modelsFor(parts, cwd, options);
  const suite = options.suite ?? 'all';
  const found = findSuites({ tree: parts.host.tree, folder: skill.folder, name: skill.name, evals: options.evals === undefined ? undefined : path.resolve(cwd, options.evals), suite, only: options.only });
  const id = fixed?.id ?? newEvaluationId(parts.now());
  const folder = evaluationFolder(parts.dataFolder, id);
  // What a crash has left of a beginning.
  await fs.rm(folder, { recursive: true, force: true });
  await fs.mkdir(path.join(folder, 'skills'), { recursive: true, mode: 0o700 });
  try {
    const copy = await copySkill({ parts, skill, into: path.join(folder, 'skills', 'new'), cwd });
    const against = options.against === undefined ? undefined : await copyAgainst({ parts, skill, into: path.join(folder, 'skills', 'old'), cwd, against: options.against });
    await copyEvals({ evals: found.evals, within: options.evals === undefined ? skill.folder : found.evals, skillFolder: skill.folder, files: found.suites.output.flatMap(({ files }) => files), into: path.join(folder, 'evals') });
    // Two versions differ in their content alone: where one is not trusted, neither is.
    const trusted = copy.trusted && against?.trusted !== false;
    const judges = found.suites.output.some(({ expectations }) => expectations.some(({ kind }) => kind === 'judged'));
    const partial = judges && judge === model ? [`${judge} judges its own work; another judge (--judge, or the setting evaluate.judge) is less partial.`] : [];
    const manifest: Manifest = {
      version: 1, id, cwd, path: skill.folder, skill: { ...copy, trusted }, model, judge,
      time: new Date(parts.now()).toISOString(),
      ...(against ? { against: { ...against, trusted } } : {}),
      crowd: crowd.map(({ id: crowdId }) => crowdId),
      seed: options.seed ?? USUAL_SEED, runs: options.runs ?? USUAL_RUNS, margin: options.margin ?? USUAL_MARGIN,
      suites: found.suites,
      arms: fixed?.arms ?? armsFor({ against: against !== undefined, crowd: crowd.length > 0 }),
      ...(options.sandbox === undefined ? {} : { sandbox: options.sandbox }),
      allow: options.allow ?? [], deny: options.deny ?? [],
      notes: [...found.warnings, ...partial, ...trustNotes(copy, against), ...(await personNotes(parts, skill, found.suites))],
      leaks: leaksIn(found.suites.output, textsOf(parts, copy)),
    };
    await writeManifest(folder, manifest);
    return manifest;
  } catch (error) {
    await fs.rm(folder, { recursive: true, force: true });
    throw error;
  }
}

function checkNumbers({ runs = 1, seed = 0, margin = 0, crowd = 1 }: EvaluateOptions): void {
  const isWhole = (value: number, least: number): boolean => Number.isSafeInteger(value) && value >= least;
  if (!isWhole(runs, 1) || !isWhole(seed, 0) || (crowd !== 'all' && !isWhole(crowd, 1)) || !(margin >= 0 && margin <= 1)) throw new SkillmintError('invalid_argument', 'Runs and crowd have to be whole numbers of at least 1, the seed one of at least 0, and the margin a share from 0 to 1.');
}

/** The skill, and those that crowd it. */
async function skillsFor(parts: RuntimeParts, cwd: string, options: EvaluateOptions & { readonly skill: string }, others: readonly string[] | undefined): Promise<{ readonly skill: NamedSkill; readonly crowd: readonly SkillEntry[] }> {
  const { tree } = parts.host;
  const catalogue = await findSkills(cwd, { ...parts, tree, settings: await parts.settings(cwd) }, parts.skillViews.listing);
  const skill = await namedSkillOrFolder({ catalogue, tree, cwd }, options.skill);
  if (tree.stat(skill.folder).kind !== 'directory') throw new SkillmintError('invalid_argument', `${skill.name} is a command in a single file; only skills with a folder of their own can be evaluated.`);
  if (others) return { skill, crowd: catalogue.entries.filter((entry) => others.includes(entry.id)) };
  return { skill, crowd: options.crowd === undefined ? [] : crowdAround(parts, skill, catalogue.entries, { ...options, crowd: options.crowd }) };
}

/** Other skills that the model could be offered, without copies of the skill itself. */
function crowdAround({ host: { tree } }: RuntimeParts, skill: NamedSkill, entries: readonly SkillEntry[], { crowd, seed = USUAL_SEED }: { readonly crowd: number | 'all'; readonly seed?: number }): readonly SkillEntry[] {
  const { digest } = digestSkill(tree, skill.folder);
  const others = entries.filter((entry) => isOfferable(entry) && entry.name !== skill.name && entry.folder !== skill.folder && tree.stat(entry.folder).kind === 'directory' && digestSkill(tree, entry.folder).digest !== digest);
  if (others.length === 0) throw new SkillmintError('invalid_argument', 'There are no other skills here that could crowd this one: install some, or leave out --crowd.');
  const sorted = [...others].sort((a, b) => (a.id < b.id ? -1 : 1));
  return crowd === 'all' ? sorted : shuffled(sorted, seededRandom(seed)).slice(0, crowd);
}

async function modelsFor(parts: RuntimeParts, cwd: string, options: EvaluateOptions): Promise<Pick<Manifest, 'model' | 'judge'>> {
  const chosen = await chooseModel(parts, cwd, options.model);
  if (chosen.model.info.provider === DEMO_INFO.provider) throw new SkillmintError('key_missing', 'No model is set up that could be evaluated with. Set model (skillmint config set model PROVIDER/MODEL), or a key such as ANTHROPIC_API_KEY. See: skillmint models list');
  const judge = await chooseModel(parts, cwd, options.judge ?? (await parts.settings(cwd)).values.evaluate?.judge ?? chosen.name);
  return { model: chosen.name, judge: judge.name };
}

function armsFor({ against, crowd }: { readonly against: boolean; readonly crowd: boolean }): Manifest['arms'] {
  const old: readonly Arm[] = against ? ['old'] : [];
  return { output: ['without', ...old, 'new', ...(crowd ? ['crowded' as const] : [])], triggers: [...old, 'new', ...(crowd ? ['crowded' as const] : [])] };
}

function trustNotes(skill: SkillCopy, against: SkillCopy | undefined): readonly string[] {
  const without = 'without grants, hooks and commands, as it would in a session';
  if (skill.trusted && against?.trusted === false) return [`The old version is not trusted, so both run ${without}.`];
  if (skill.trusted) return [];
  return [`${skill.name} is not trusted, so ${against?.trusted ? 'both versions run' : 'it runs'} ${without}.`];
}

/** What only a person can call is never loaded by a model, whatever it is asked. */
async function personNotes({ host: { tree } }: RuntimeParts, skill: NamedSkill, { triggers, output }: Suites): Promise<readonly string[]> {
  const { frontmatter } = await readDocument(tree, { folder: skill.folder, file: skill.path });
  if (frontmatter.disableModelInvocation !== true) return [];
  return [
    ...(triggers.some(({ should_trigger }) => should_trigger) ? [`${skill.name} says disable-model-invocation, so only a person can call it: the model is never offered it, and messages that should trigger cannot. Take that out, or leave out the trigger suite.`] : []),
    ...(output.some(({ prompt }) => !prompt.includes(`/${skill.name}`)) ? [`${skill.name} says disable-model-invocation: runs load it only where the prompt of the case calls it, as /${skill.name}.`] : []),
  ];
}

/** Of the copy, which has no evals. */
function textsOf({ host: { tree } }: RuntimeParts, { folder }: SkillCopy): readonly SkillText[] {
  const files = listSkillFiles(tree, folder).files.filter(({ kind, size }) => (kind === 'instruction' || kind === 'reference') && size <= MOST_TEXT);
  return files.map(({ path: file, realPath }) => ({ path: file, text: new TextDecoder().decode(tree.read(realPath)) }));
}

/** Files of cases, and what check commands may read. Links that lead out of the skill are refused: whatever they lead to would reach a model. */
async function copyEvals({ evals, within, skillFolder, files, into }: { readonly evals: string; readonly within: string; readonly skillFolder: string; readonly files: readonly string[]; readonly into: string }): Promise<void> {
  await fs.mkdir(into, { recursive: true, mode: 0o700 });
  if (await isThere(evals)) await copyFolder({ from: evals, within, into });
  const root = await fs.realpath(skillFolder);
  for (const file of files) {
    const [from, to] = [path.join(skillFolder, file), path.join(into, file)];
    if (!(await isThere(from))) continue;
    const real = await fs.realpath(from);
    if (!isInside(root, real)) throw new SkillmintError('path_refused', `The file ${file} of the suite leads out of ${skillFolder}: put the file itself there.`);
    await fs.mkdir(path.dirname(to), { recursive: true, mode: 0o700 });
    if (!(await fs.stat(real)).isDirectory()) await fs.copyFile(real, to);
    else {
      await fs.mkdir(to);
      await copyFolder({ from: real, within: root, into: to });
    }
  }
}

async function isThere(file: string): Promise<boolean> {
  try {
    await fs.stat(file);
    return true;
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(systemCode(error))) return false;
    throw error;
  }
}
