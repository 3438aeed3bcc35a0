import fs from 'node:fs/promises';
import path from 'node:path';
import type { Suites } from '../../evaluate/runs/plan.ts';
import { seededRandom, shuffled } from '../../evaluate/statistics/random.ts';
import { SUITE_FILES } from '../../evaluate/suites/suite-files.ts';
import type { Expectation } from '../../evaluate/suites/suite.ts';
import { copyFolder } from '../../skills/library/copy-folder.ts';
import type { JsonObject } from '../../protocol/json.ts';

/** Share of each kind of cases that is held out. */
const HELD_OUT = 0.4;

/** Suites in two parts: one to learn from, one to be judged by. */
export interface SplitSuites {
  readonly learn: Suites;
  readonly held_out: Suites;
}

/** Splits suites by a seed: of the tasks, of the messages that should trigger and of those that should not, 40 % each are held out. */
export function splitSuites({ output, triggers }: Suites, seed: number): SplitSuites {
  const random = seededRandom(seed);
  const part = <T>(entries: readonly T[]): { readonly learn: readonly T[]; readonly held: readonly T[] } => {
    const mixed = shuffled(entries, random);
    const held = new Set(mixed.slice(0, entries.length < 2 ? 0 : Math.max(1, Math.round(entries.length * HELD_OUT))));
    return { learn: entries.filter((entry) => !held.has(entry)), held: entries.filter((entry) => held.has(entry)) };
  };
  const tasks = part(output);
  const [should, shouldNot] = [part(triggers.filter(({ should_trigger }) => should_trigger)), part(triggers.filter(({ should_trigger }) => !should_trigger))];
  return {
    learn: { output: tasks.learn, triggers: [...should.learn, ...shouldNot.learn] },
    held_out: { output: tasks.held, triggers: [...should.held, ...shouldNot.held] },
  };
}

/** True where nothing could be run. */
export function isEmpty({ output, triggers }: Suites): boolean {
  return output.length + triggers.length === 0;
}

/** Writes suites as files. Nothing is written for a suite without entries. */
export async function writeSuites(folder: string, skill: string, { output, triggers }: Suites): Promise<void> {
  await fs.mkdir(folder, { recursive: true, mode: 0o700 });
  const evals = output.map(({ id, name, prompt, expected, files, expectations }) => ({ id, name, prompt, ...(expected === undefined ? {} : { expected_output: expected }), files, expectations: expectations.map(written) }));
  const queries = triggers.map(({ query, should_trigger }) => ({ query, should_trigger }));
  if (evals.length > 0) await writeJson(path.join(folder, 'evals.json'), { skill_name: skill, evals });
  if (queries.length > 0) await writeJson(path.join(folder, 'triggers.json'), queries);
}

/** Copies what cases of a skill need beside the suites themselves into a folder, so that their paths lead to it. */
export async function copyCaseFiles(evals: string, folder: string): Promise<void> {
  for (const into of [folder, path.join(folder, 'evals')]) {
    await fs.mkdir(into, { recursive: true, mode: 0o700 });
    await copyFolder({ from: evals, within: evals, into });
    for (const name of SUITE_FILES) await fs.rm(path.join(into, name), { force: true });
  }
}

function written(expectation: Expectation): string | JsonObject {
  if (expectation.kind === 'judged') return expectation.text;
  const { type, ...rest } = expectation.check;
  return { check: type, ...rest, text: expectation.text };
}

async function writeJson(file: string, value: unknown): Promise<void> {
  await fs.writeFile(file, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
}
