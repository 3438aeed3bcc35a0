import path from 'node:path';
import type { EnhanceWork } from './enhance-work.ts';
import type { TriedEdit } from './enhancement.ts';
import { versionFolder } from './enhancement-folder.ts';
import { gainsOf, judgeEdit, newlyFiring } from './judge-edit.ts';
import type { Cases } from './learnable-cases.ts';
import { measureEdit, requireWhole } from './measure-edit.ts';
import { rankOthers } from './rank-others.ts';
import { isEmpty } from './split-suites.ts';

/** Looks at the part that is held out, for one edit, and at the messages of all other skills; keeps the verdict. */
export async function judgeHeldOut(work: EnhanceWork, cases: Cases, { round }: TriedEdit): Promise<void> {
  const { skill, folder } = work.now();
  if (!skill) throw new Error('there is no skill to judge');
  work.progress('comparing the messages of all other skills');
  const others = await rankOthers({ ...work, skill, old: versionFolder(work.now(), 'old', skill.name), edited: versionFolder(work.now(), round, skill.name), work: path.join(folder, 'rank') });
  await work.keep({ others });
  // What takes from others is refused whatever it gains, so the cases stay unseen.
  if (others.length > 0) return work.keep({ result: judgeEdit({ gains: [], firing: [], others }) });
  if (isEmpty(cases.held_out)) return work.keep({ result: { verdict: 'not enough evidence', reasons: [`${skill.name} has too few evals of its own to hold some out: write more in evals/, or have a draft written with skillmint skills evaluate ${skill.name} --draft.`] } });
  const report = await measureEdit(work, { round, name: skill.name, evals: cases.folders.held_out, what: 'cases that were held out' });
  const gains = gainsOf(report);
  await work.keep({ held_out: gains }, report.cost_usd);
  requireWhole(report);
  await work.keep({ result: judgeEdit({ gains, firing: newlyFiring(report), others }) });
}
