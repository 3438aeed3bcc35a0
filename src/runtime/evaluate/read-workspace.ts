import fs from 'node:fs/promises';
import path from 'node:path';
import { rateOf } from '../../evaluate/report/arm-report.ts';
import { CONFIGURATIONS } from '../../evaluate/report/anthropic-files.ts';
import { readGrading } from '../../evaluate/report/read-grading.ts';
import type { Rate } from '../../evaluate/report/report.ts';
import type { Arm } from '../../evaluate/runs/plan.ts';
import { differenceOf, type Difference, type TaskScores } from '../../evaluate/statistics/difference.ts';
import { USUAL_MARGIN, verdictOf, type Verdict } from '../../evaluate/statistics/verdict.ts';
import { messageOf, SkillmintError } from '../../protocol/errors.ts';

const SEED = 1;
const MOST_FILES = 20_000;

/** What the gradings of a workspace come to. */
export interface ReadWorkspace {
  readonly folder: string;
  readonly arms: readonly { readonly arm: Arm; readonly runs: number; readonly score: Rate }[];
  /** The skill less what it is compared with: its old version where there is one, else no skill. */
  readonly from: Arm | undefined;
  readonly difference: Difference | undefined;
  readonly verdict: Verdict;
}

/**
 * Reads the `grading.json` files below a folder in the layout of Anthropic's skill-creator, `eval-NAME/CONFIGURATION/…/grading.json`, in either
 * spelling, and gives them the statistics of an evaluation. Nothing is run. Rejects with `not_found`, and `invalid_argument` with all that cannot be read.
 */
export async function readWorkspace(folder: string, { margin = USUAL_MARGIN }: { readonly margin?: number } = {}): Promise<ReadWorkspace> {
  const scores = new Map<Arm, Map<string, number[]>>();
  const problems: string[] = [];
  let runs = 0;
  for (const relative of await gradingsIn(folder)) {
    const file = path.join(folder, relative);
    const place = placeOf(relative);
    const grading = place && readGrading(file, await fs.readFile(file, 'utf8'));
    if (typeof grading === 'string') problems.push(grading);
    if (!place || !grading || typeof grading === 'string' || grading.expectations.length === 0) continue;
    const ofArm = scores.get(place.arm) ?? new Map<string, number[]>();
    scores.set(place.arm, ofArm.set(place.task, [...(ofArm.get(place.task) ?? []), grading.expectations.filter(({ passed }) => passed).length / grading.expectations.length]));
    runs += 1;
  }
  if (problems.length > 0) throw new SkillmintError('invalid_argument', problems.join(' '));
  if (runs === 0) throw new SkillmintError('not_found', `In ${folder} there is no grading.json below a folder with_skill, without_skill or old_skill.`);
  const from = (['old', 'without'] as const).find((arm) => scores.has(arm));
  const before = from && scores.get(from);
  const pairs = [...(scores.get('new') ?? [])].map(([task, to]): TaskScores => ({ task, from: before?.get(task) ?? [], to }));
  const difference = differenceOf(pairs, SEED);
  const arms = [...scores].map(([arm, tasks]) => {
    const all = [...tasks.values()].flat();
    return { arm, runs: all.length, score: rateOf(all.reduce((sum, score) => sum + score, 0), all.length) };
  });
  return { folder, arms, from, difference, verdict: verdictOf(difference?.interval, margin) };
}

async function gradingsIn(folder: string): Promise<readonly string[]> {
  try {
    const found = await fs.readdir(folder, { recursive: true });
    return found.filter((name) => path.basename(name) === 'grading.json').sort().slice(0, MOST_FILES);
  } catch (error) {
    throw new SkillmintError('not_found', `The folder ${folder} cannot be read: ${messageOf(error)}.`, { cause: error });
  }
}

/** Case and arm by the folders above a file; undefined for one of no arm that is known. */
function placeOf(relative: string): { readonly task: string; readonly arm: Arm } | undefined {
  const parts = relative.split(path.sep);
  const at = parts.findIndex((part) => Object.values(CONFIGURATIONS).includes(part));
  const arm = (['without', 'old', 'new', 'crowded'] as const).find((one) => CONFIGURATIONS[one] === parts[at]);
  return arm === undefined ? undefined : { task: parts.slice(0, at).join('/'), arm };
}
