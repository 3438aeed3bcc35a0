import fs from 'node:fs/promises';
import path from 'node:path';
import type { EvaluationReport } from '../../evaluate/report/report.ts';
import { copyFolder } from '../../skills/library/copy-folder.ts';
import type { FormerEdit, SkillDecision } from '../skill-agent/skill-agent.ts';
import type { EnhanceWork } from './enhance-work.ts';
import type { TriedEdit } from './enhancement.ts';
import { versionFolder } from './enhancement-folder.ts';
import { figures, gainsOf, newlyFiring, scoreOfGains } from './judge-edit.ts';
import type { Cases } from './learnable-cases.ts';
import { measureEdit, requireWhole } from './measure-edit.ts';
import type { Trace } from './read-conversation.ts';
import { isEmpty } from './split-suites.ts';

/** What edits are made of. */
interface Material {
  readonly trace: Trace;
  readonly decision: SkillDecision & { readonly skill: NonNullable<SkillDecision['skill']> };
  readonly cases: Cases;
}

/** Has edits made and measured on the part to learn from, until one leaves nothing to gain there or the rounds are over. Each is kept at once. */
export async function tryEdits(work: EnhanceWork, { trace, decision, cases }: Material): Promise<void> {
  const { agent, options, now } = work;
  const { skill: { name } } = decision;
  const former: FormerEdit[] = [];
  for (let round = 1; round <= options.rounds; round += 1) {
    work.progress(`round ${round} of ${options.rounds}: editing ${name}`);
    const edit = await agent.edit({ ...work.call(), skill: { name, folder: versionFolder(now(), 'old', name) }, trace, decision, learn: cases.learn, former, part: now().part });
    const folder = versionFolder(now(), round, name);
    await fs.mkdir(folder, { recursive: true, mode: 0o700 });
    await copyFolder({ from: edit.folder, within: edit.folder, into: folder });
    await fs.rm(path.dirname(edit.folder), { recursive: true, force: true });
    await fs.writeFile(path.join(path.dirname(folder), 'edit.patch'), edit.patch, { mode: 0o600 });
    const { summary, patch, files, lines } = edit;
    const tried: TriedEdit = { round, summary, patch, files, lines, learn: [], score: undefined };
    const before = now().tried;
    await work.keep({ tried: [...before, tried] }, edit.cost_usd);
    // Without cases a second edit would know no more than the first.
    if (isEmpty(cases.learn)) return;
    const report = await measureEdit(work, { round, name, evals: cases.folders.learn, what: `round ${round}, cases to learn from` });
    const learn = gainsOf(report);
    const score = report.stopped ? undefined : scoreOfGains(learn);
    await work.keep({ tried: [...before, { ...tried, learn, score, evaluation: report.id }] }, report.cost_usd);
    requireWhole(report);
    if (leavesNothing(report)) return;
    former.push({ summary, patch, result: [...learn.map((gain) => `${gain.suite}: ${figures(gain)}`), ...newlyFiring(report).map((query) => `It is loaded now for: ${JSON.stringify(query)}`), ...missed(report)].join('\n') });
  }
}

function leavesNothing({ arms, triggers }: EvaluationReport): boolean {
  const output = arms.find(({ arm }) => arm === 'new');
  const queries = triggers.find(({ arm }) => arm === 'new')?.queries ?? [];
  return (output === undefined || output.score.rate === 1) && queries.every(({ should_trigger: wanted, triggered, runs }) => triggered === (wanted ? runs : 0));
}

/** What the edited skill still gets wrong. */
function missed({ triggers, expectations }: EvaluationReport): readonly string[] {
  const queries = triggers.find(({ arm }) => arm === 'new')?.queries.filter(({ passed }) => !passed) ?? [];
  const unmet = expectations.flatMap(({ case: id, text, arms }) => arms.flatMap(({ arm, failed }) => (arm === 'new' && failed > 0 ? [`Task ${id}, not met ${failed} times: ${text}`] : [])));
  return [...queries.map(({ query, should_trigger: wanted }) => `${wanted ? 'Still not loaded for' : 'Still loaded for'}: ${JSON.stringify(query)}`), ...unmet];
}
