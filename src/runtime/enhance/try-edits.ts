import fs from 'node:fs/promises';
import path from 'node:path';
import type { EvaluationReport } from '../../evaluate/report/report.ts';
import { copyFolder } from '../../skills/library/copy-folder.ts';
import { newEvaluationId } from '../evaluate/evaluation-folder.ts';
import type { FormerEdit, SkillDecision } from '../skill-agent/skill-agent.ts';
import type { EnhanceWork } from './enhance-work.ts';
import type { TriedEdit } from './enhancement.ts';
import { versionFolder } from './enhancement-folder.ts';
import { figures, gainsOf, newlyFiring, scoreOfGains } from './judge-edit.ts';
import type { Cases } from './learnable-cases.ts';
import { measureVersion, requireWhole } from './measure-edit.ts';
import type { Trace } from './read-conversation.ts';
import { isEmpty } from './split-suites.ts';

/** What edits are made of. */
interface Material {
  readonly trace: Trace;
  readonly decision: SkillDecision & { readonly skill: NonNullable<SkillDecision['skill']> };
  readonly cases: Cases;
}

/**
 * Has edits made and measured on the part to learn from, until one leaves nothing to gain there or the rounds are over. Each is kept at
 * once; what an earlier process has made and measured stands.
 */
export async function tryEdits(work: EnhanceWork, material: Material): Promise<void> {
  const { now } = work;
  for (let round = 1; round <= now().settings.rounds; round += 1) {
    if (!now().tried.some((edit) => edit.round === round)) await makeEdit(work, material, round);
    // Without cases a second edit would know no more than the first.
    if (isEmpty(material.cases.learn)) return;
    const edit = now().tried.find((one) => one.round === round);
    if (edit && edit.findings === undefined) await measureEdit(work, material.cases, edit);
    if (now().tried.some((one) => one.leaves_nothing)) return;
  }
}

async function makeEdit(work: EnhanceWork, { trace, decision, cases }: Material, round: number): Promise<void> {
  const { agent, now } = work;
  const { skill: { name } } = decision;
  work.progress(`round ${round} of ${now().settings.rounds}: editing ${name}`);
  const former = now().tried.map(({ summary, patch, findings = [] }): FormerEdit => ({ summary, patch, result: findings.join('\n') }));
  const edit = await agent.edit({ ...work.call(), skill: { name, folder: versionFolder(now(), 'old', name) }, trace, decision, learn: cases.learn, former, part: now().part });
  const folder = versionFolder(now(), round, name);
  await fs.rm(path.dirname(folder), { recursive: true, force: true });
  await fs.mkdir(folder, { recursive: true, mode: 0o700 });
  await copyFolder({ from: edit.folder, within: edit.folder, into: folder });
  await fs.writeFile(path.join(path.dirname(folder), 'edit.patch'), edit.patch, { mode: 0o600 });
  const { summary, patch, files, lines, cost_usd } = edit;
  const tried: TriedEdit = { round, summary, patch, files, lines, learn: [], score: undefined };
  await work.keep({ tried: [...now().tried, tried] }, { [`edit ${round}`]: cost_usd });
  await fs.rm(path.dirname(edit.folder), { recursive: true, force: true });
}

async function measureEdit(work: EnhanceWork, { folders }: Cases, edit: TriedEdit): Promise<void> {
  const { round } = edit;
  const id = edit.evaluation ?? newEvaluationId(work.parts.now());
  const known = (news: Partial<TriedEdit>): { readonly tried: readonly TriedEdit[] } => ({ tried: work.now().tried.map((one) => (one.round === round ? { ...one, evaluation: id, ...news } : one)) });
  await work.keep(known({}));
  const report = await measureVersion(work, { evaluation: { id }, version: round, against: 'old', evals: folders.learn, what: `round ${round}, cases to learn from` });
  const learn = gainsOf(report);
  const findings = [...learn.map((gain) => `${gain.suite}: ${figures(gain)}`), ...newlyFiring(report).map((query) => `It is loaded now for: ${JSON.stringify(query)}`), ...missed(report), ...report.leaks];
  await work.keep(known({ learn, ...(report.stopped ? {} : { score: scoreOfGains(learn), findings, leaves_nothing: leavesNothing(report) }) }), { [id]: report.cost_usd });
  requireWhole(report);
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
