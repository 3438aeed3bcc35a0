import type { EvaluationReport } from '../../evaluate/report/report.ts';
import { SkillmintError } from '../../protocol/errors.ts';
import { evaluateSkill } from '../evaluate/evaluate-skill.ts';
import { readManifest } from '../evaluate/evaluation-folder.ts';
import type { FixedEvaluation } from '../evaluate/begin-evaluation.ts';
import { EnhancementStopped, type EnhanceWork } from './enhance-work.ts';
import { versionFolder } from './enhancement-folder.ts';

/** What is measured. */
export interface Measured {
  /** Kept before: what a crash leaves of it is gone on with. */
  readonly evaluation: FixedEvaluation;
  readonly version: 'old' | number;
  /** Measures that version beside it. */
  readonly against?: 'old';
  /** Folder of the suites. */
  readonly evals: string;
  /** For lines of progress. */
  readonly what: string;
}

/** Runs a version on cases, or goes on with that. The report also where a limit has ended it. Throws `EnhancementStopped` without money or time. */
export async function measureVersion({ parts, guard, signal, progress, left, now }: EnhanceWork, { evaluation, version, against, evals, what }: Measured): Promise<EvaluationReport> {
  const budgetUsd = left(evaluation.id);
  const { skill, cwd, seed, settings: { runs, model, judge, sandbox } } = now();
  if (!skill) throw new Error('there is no skill to measure');
  const limits = {
    signal,
    ...(budgetUsd === undefined ? {} : { budgetUsd }),
    onEvent: (event) => {
      if (event.type === 'evaluation.started') progress(`${what}: ${event.runs} runs${event.done > 0 ? `, ${event.done} of them done` : ''}`);
      if (event.type === 'run.completed') progress(`${what}: ${event.done} of ${event.of} runs`);
    },
  } satisfies Parameters<typeof evaluateSkill>[1];
  if (await isBegun(parts.dataFolder, evaluation.id)) return evaluateSkill({ parts, guard }, { ...limits, resume: evaluation.id });
  return evaluateSkill({ parts, guard }, {
    ...limits, cwd, seed, model, evals,
    skill: versionFolder(now(), version, skill.name),
    ...(against === undefined ? {} : { against: versionFolder(now(), against, skill.name) }),
    ...(runs === undefined ? {} : { runs }), ...(judge === undefined ? {} : { judge }), ...(sandbox === undefined ? {} : { sandbox }),
  }, evaluation);
}

async function isBegun(dataFolder: string, id: string): Promise<boolean> {
  try {
    await readManifest(dataFolder, id);
    return true;
  } catch (error) {
    if (error instanceof SkillmintError && error.code === 'not_found') return false;
    throw error;
  }
}

/** Throws `EnhancementStopped` for a report of which not all was measured. */
export function requireWhole({ stopped, id }: EvaluationReport): void {
  if (stopped) throw new EnhancementStopped(`${stopped.message} The evaluation ${id} is not complete.`);
}
