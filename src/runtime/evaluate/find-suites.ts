import path from 'node:path';
import type { Suites } from '../../evaluate/runs/plan.ts';
import { readOutputSuite } from '../../evaluate/suites/read-output-suite.ts';
import { readTriggerSuite } from '../../evaluate/suites/read-trigger-suite.ts';
import type { SuiteProblem } from '../../evaluate/suites/suite.ts';
import { TRIGGER_FILES } from '../../evaluate/suites/suite-files.ts';
import type { ReadTree } from '../../host/host.ts';
import { isInside } from '../../host/paths.ts';
import { NO_SUITES, suitesBeside } from './suites-beside.ts';
import { messageOf, SkillmintError, systemCode } from '../../protocol/errors.ts';

/** A skill has none of the suites that are wanted. */
export class NoSuiteError extends SkillmintError {
  override readonly name = 'NoSuiteError';

  constructor(message: string) {
    super('not_found', message);
  }
}

/** Where suites are looked for. */
export interface SuitePlaces {
  readonly tree: ReadTree;
  /** Of the skill. */
  readonly folder: string;
  readonly name: string;
  /** Folder that holds them instead of `evals` of the skill. */
  readonly evals: string | undefined;
  readonly suite: 'triggers' | 'output' | 'all';
  readonly only: readonly string[] | undefined;
}

/** The suites of a skill, and what a person should know about them. */
export interface FoundSuites {
  readonly suites: Suites;
  readonly warnings: readonly string[];
  /** Absolute folder of the suites. */
  readonly evals: string;
}

/** Reads the suites that are wanted. Throws `not_found` where there are none, `path_refused` for one outside of them and `invalid_argument` with all that is wrong in them. */
export function findSuites({ tree, folder, name, evals, suite, only }: SuitePlaces): FoundSuites {
  const own = evals ?? path.join(folder, 'evals');
  const within = evals ?? folder;
  const beside = evals === undefined ? suitesBeside(tree, folder) : NO_SUITES;
  const outputs = suite === 'triggers' ? undefined : firstFile(tree, within, [path.join(own, 'evals.json'), ...beside.output]);
  const queries = suite === 'output' ? undefined : firstFile(tree, within, [...TRIGGER_FILES.map((file) => path.join(own, file)), ...beside.triggers]);
  const left = [...(suite === 'output' || queries ? [] : beside.ownTriggers), ...(suite === 'triggers' || outputs ? [] : beside.ownOutput)].map((file) => `${file} does not have the form of a suite, so it is left alone as data of the skill.`);
  if (!outputs && !queries) throw new NoSuiteError(`${left.map((sentence) => `${sentence} `).join('')}The skill ${name} has no ${suite === 'all' ? 'evals' : suite === 'output' ? 'output suite' : 'trigger suite'}: write ${suite === 'triggers' ? '' : path.join(own, 'evals.json')}${suite === 'all' ? ' or ' : ''}${suite === 'output' ? '' : path.join(own, 'triggers.json')}, or have a draft written: skillmint skills evaluate ${name} --draft`);
  const output = outputs && readOutputSuite({ ...outputs, skill: name });
  const triggers = queries && readTriggerSuite(queries);
  const problems: readonly SuiteProblem[] = [...(output?.problems ?? []), ...(triggers?.problems ?? []), ...(output?.entries ?? []).flatMap((entry) => entry.files.flatMap((file) => (evalFile({ tree, folder, evals: own }, file) === undefined ? [{ severity: 'error' as const, message: `${outputs?.file ?? ''}: eval ${entry.id} names the file ${file}, which is neither in ${folder} nor in ${own}: put it there.` }] : [])))];
  const errors = problems.filter(({ severity }) => severity === 'error');
  if (errors.length > 0) throw new SkillmintError('invalid_argument', errors.map(({ message }) => message).join(' '));
  return { suites: chosen({ output: output?.entries ?? [], triggers: triggers?.entries ?? [] }, only), warnings: [...problems.map(({ message }) => message), ...left, ...[outputs, queries].flatMap((read) => (read && path.dirname(read.file) === folder ? [`${read.file} is taken for a suite, since it has the form of one; evaluations keep it from the runs. Suites are safer in ${own}.`] : []))], evals: own };
}

function chosen(suites: Suites, only: readonly string[] | undefined): Suites {
  if (!only) return suites;
  const known = new Set([...suites.output, ...suites.triggers].map(({ id }) => id));
  const missing = only.filter((id) => !known.has(id));
  if (missing.length > 0) throw new SkillmintError('invalid_argument', `There is no eval ${missing.join(' or ')}. There are ${[...known].join(', ')}.`);
  return { output: suites.output.filter(({ id }) => only.includes(id)), triggers: suites.triggers.filter(({ id }) => only.includes(id)) };
}

/** Where a file of a case lies, and where it goes in the workspace. Undefined where it is missing. */
export function evalFile({ tree, folder, evals }: Pick<SuitePlaces, 'tree' | 'folder'> & { readonly evals: string }, file: string): { readonly from: string; readonly to: string } | undefined {
  const from = [folder, evals].map((root) => path.join(root, file)).find((place) => exists(tree, place));
  return from === undefined ? undefined : { from, to: file.replace(/^(?:\.\/)?(?:evals\/)?(?:files\/)?/, '') || path.basename(file) };
}

/** The first file that is there; one that a link leads out of `within` is none of the skill. */
function firstFile(tree: ReadTree, within: string, files: readonly string[]): { readonly file: string; readonly text: string } | undefined {
  const file = files.find((one) => exists(tree, one));
  if (file === undefined) return undefined;
  if (!isInside(tree.realPath(within), tree.realPath(file))) throw new SkillmintError('path_refused', `${file} leads to ${tree.realPath(file)}, outside ${within}: put the file itself there.`);
  try {
    return { file, text: new TextDecoder().decode(tree.read(file)) };
  } catch (error) {
    throw new SkillmintError('io', `${file} cannot be read: ${messageOf(error)}`, { cause: error });
  }
}

function exists(tree: ReadTree, at: string): boolean {
  try {
    tree.stat(at);
    return true;
  } catch (error) {
    if (systemCode(error) === '') throw error;
    return false;
  }
}
