import type { EvaluationReport } from '../../evaluate/report/report.ts';
import { evaluateSkill } from '../evaluate/evaluate-skill.ts';
import { EnhancementStopped, type EnhanceWork } from './enhance-work.ts';
import { versionFolder } from './enhancement-folder.ts';

/** Runs the old version and an edited one on one part of the cases. The report also where a limit has ended it. Throws `EnhancementStopped` without money or time. */
export async function measureEdit({ parts, guard, options, cwd, signal, progress, left, now }: EnhanceWork, { round, name, evals, what }: { readonly round: number; readonly name: string; readonly evals: string; readonly what: string }): Promise<EvaluationReport> {
  const budgetUsd = left();
  const { runs, seed, model, judge, sandbox } = options;
  return evaluateSkill({ parts, guard }, {
    skill: versionFolder(now(), round, name), against: versionFolder(now(), 'old', name), evals, cwd, seed, signal,
    ...(runs === undefined ? {} : { runs }), ...(model === undefined ? {} : { model }), ...(judge === undefined ? {} : { judge }), ...(sandbox === undefined ? {} : { sandbox }), ...(budgetUsd === undefined ? {} : { budgetUsd }),
    onEvent: (event) => {
      if (event.type === 'evaluation.started') progress(`${what}: ${event.runs} runs`);
      if (event.type === 'run.completed') progress(`${what}: ${event.done} of ${event.of} runs`);
    },
  });
}

/** Throws `EnhancementStopped` for a report of which not all was measured. */
export function requireWhole({ stopped, id }: EvaluationReport): void {
  if (stopped) throw new EnhancementStopped(`${stopped.message} The evaluation ${id} is not complete.`);
}
