import { randomBytes } from 'node:crypto';
import fs from 'node:fs/promises';
import path from 'node:path';
import type { Arm, Suites } from '../../evaluate/runs/plan.ts';
import { withFolderLock } from '../../host/folder-lock.ts';
import { namesIn, textIfThere } from '../../host/read-if-there.ts';
import { SkillmintError } from '../../protocol/errors.ts';
import { isJsonObject, parseJson } from '../../protocol/json.ts';

/** How long somebody waits for an evaluation that another process works on, ms. */
const PATIENCE_MS = 500;

/** A skill as it was copied for an evaluation. */
export interface SkillCopy {
  readonly name: string;
  /** Where it was taken from, for people. */
  readonly what: string;
  /** Absolute folder of the copy. */
  readonly folder: string;
  /** Of the original. */
  readonly digest: string;
  readonly trusted: boolean;
}

/** What an evaluation was begun with; written once, so that going on means the same. */
export interface Manifest {
  readonly version: 1;
  readonly id: string;
  readonly time: string;
  readonly cwd: string;
  readonly skill: SkillCopy;
  /** Absolute folder of the original. */
  readonly path: string;
  readonly against?: SkillCopy;
  readonly crowd: readonly string[];
  readonly model: string;
  readonly judge: string;
  readonly seed: number;
  readonly runs: number;
  readonly margin: number;
  readonly suites: Suites;
  readonly arms: { readonly output: readonly Arm[]; readonly triggers: readonly Arm[] };
  readonly sandbox?: 'required' | 'off';
  readonly allow: readonly string[];
  readonly deny: readonly string[];
  readonly notes: readonly string[];
  /** Sentences on expected answers that stand in the skill. */
  readonly leaks?: readonly string[];
}

/** Folder of all evaluations. */
function evaluationsFolder(dataFolder: string): string {
  return path.join(dataFolder, 'evaluations');
}

/** Folder of an evaluation. */
export function evaluationFolder(dataFolder: string, id: string): string {
  return path.join(evaluationsFolder(dataFolder), id);
}

/** A new id, which sorts by time. */
export function newEvaluationId(nowMs: number): string {
  return `eval_${nowMs.toString(36)}${randomBytes(3).toString('hex')}`;
}

/** Writes the manifest whole or not at all. */
export async function writeManifest(folder: string, manifest: Manifest): Promise<void> {
  const file = path.join(folder, 'evaluation.json');
  await fs.writeFile(`${file}.half`, JSON.stringify(manifest, null, 2), { mode: 0o600, flush: true });
  await fs.rename(`${file}.half`, file);
}

/** Reads the manifest of an evaluation that is to go on. Throws `not_found` and `io`. */
export async function readManifest(dataFolder: string, id: string): Promise<Manifest> {
  const file = path.join(evaluationFolder(dataFolder, id), 'evaluation.json');
  const known = /^eval_[0-9a-z]+$/.test(id) ? parseJson(await textIfThere(file)) : undefined;
  if (known === undefined) throw new SkillmintError('not_found', `There is no evaluation ${id}. See the folder ${evaluationsFolder(dataFolder)}.`);
  if (!isManifest(known)) throw new SkillmintError('io', `${file} was not written by this version: begin a new evaluation.`);
  return known;
}

/** An evaluation of the same skill that was cut off. */
export interface UnfinishedEvaluation {
  readonly id: string;
  readonly time: string;
  readonly done: number;
}

/** Evaluations of a skill folder that did not come to their end, the newest first. */
export async function unfinishedEvaluations(dataFolder: string, skillPath: string): Promise<readonly UnfinishedEvaluation[]> {
  const found: UnfinishedEvaluation[] = [];
  for (const id of (await namesIn(evaluationsFolder(dataFolder))).toSorted().toReversed()) {
    const folder = evaluationFolder(dataFolder, id);
    const manifest = parseJson(await textIfThere(path.join(folder, 'evaluation.json')));
    if (!isManifest(manifest) || manifest.path !== skillPath || (await namesIn(folder)).includes('finished')) continue;
    found.push({ id, time: manifest.time, done: (await textIfThere(path.join(folder, 'runs.jsonl'))).split('\n').filter((line) => line.includes('"outcome":"measured"')).length });
  }
  return found;
}

/** Says that nothing is left to be done, or that there is again. */
export async function markFinished(folder: string, isFinished: boolean): Promise<void> {
  const file = path.join(folder, 'finished');
  if (isFinished) await fs.writeFile(file, '');
  else await fs.rm(file, { force: true });
}

/** Works on an evaluation while no other process does. Rejects with `session_busy` at once otherwise. */
export function withEvaluation<T>(folder: string, id: string, work: () => Promise<T>): Promise<T> {
  const busy = (pid: string): SkillmintError => new SkillmintError('session_busy', `Another process (${pid}) works on the evaluation ${id}: wait for it, or end it.`);
  return withFolderLock(path.join(folder, 'lock'), { busy, patience: PATIENCE_MS }, work);
}

function isManifest(value: unknown): value is Manifest {
  return isJsonObject(value) && value['version'] === 1 && typeof value['id'] === 'string' && typeof value['path'] === 'string' && isJsonObject(value['suites']) && isJsonObject(value['skill']);
}
