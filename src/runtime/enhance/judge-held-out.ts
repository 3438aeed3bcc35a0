import path from 'node:path';
import { newEvaluationId } from '../evaluate/evaluation-folder.ts';
import { askOthers } from './ask-others.ts';
import type { EnhanceWork } from './enhance-work.ts';
import type { TriedEdit } from './enhancement.ts';
import { versionFolder } from './enhancement-folder.ts';
import { gainsOf, judgeEdit, newlyFiring } from './judge-edit.ts';
import type { Cases } from './learnable-cases.ts';
import { measureVersion, requireWhole } from './measure-edit.ts';
import { rankOthers } from './rank-others.ts';
import { isEmpty } from './split-suites.ts';

/** Looks at the messages of all other skills, and at the part that is held out, for one edit; keeps the verdict. */
export async function judgeBest(work: EnhanceWork, cases: Cases, { round }: TriedEdit): Promise<void> {
  const { skill } = work.now();
  if (!skill) throw new Error('there is no skill to judge');
  if (work.now().others === undefined) await compareOthers(work, round, skill);
  const { others = [], warnings } = work.now();
  // What takes from others is refused whatever it gains, so the cases stay unseen.
  if (others.length > 0) return work.keep({ result: judgeEdit({ gains: [], firing: [], others }) });
  if (isEmpty(cases.held_out)) return work.keep({ result: { verdict: 'not enough evidence', reasons: [`${skill.name} has too few evals of its own to hold some out: write more in evals/, or have a draft written with skillmint skills evaluate ${skill.name} --draft.`] } });
  const id = work.now().judging?.held_out ?? newEvaluationId(work.parts.now());
  await work.keep({ judging: { ...work.now().judging, held_out: id } });
  const report = await measureVersion(work, { evaluation: { id }, version: round, against: 'old', evals: cases.folders.held_out, what: 'cases that were held out' });
  const gains = gainsOf(report);
  await work.keep({ held_out: gains, warnings: [...new Set([...warnings, ...report.leaks])] }, { [id]: report.cost_usd });
  requireWhole(report);
  await work.keep({ result: judgeEdit({ gains, firing: newlyFiring(report), others }) });
}

async function compareOthers(work: EnhanceWork, round: number, skill: { readonly id: string; readonly name: string }): Promise<void> {
  const { parts, guard, now } = work;
  work.progress('comparing the messages of all other skills');
  const ranked = await rankOthers({ parts, guard, cwd: now().cwd, skill, old: versionFolder(now(), 'old', skill.name), edited: versionFolder(now(), round, skill.name), work: path.join(now().folder, 'rank') });
  await work.keep({ others: ranked.worse.length > 0 ? ranked.worse : await askOthers(work, round, ranked) });
}
