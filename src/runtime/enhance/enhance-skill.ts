import fs from 'node:fs/promises';
import path from 'node:path';
import { messageOf, SkillmintError } from '../../protocol/errors.ts';
import { digestSkill } from '../../skills/digest.ts';
import type { SkillDecision } from '../skill-agent/skill-agent.ts';
import { copyWithoutEvals } from '../evaluate/copy-without-evals.ts';
import { beginEnhancement, reopenEnhancement } from './begin-enhancement.ts';
import type { EnhanceOptions, Enhancement } from './enhancement.ts';
import { enhancementFolder, readEnhancement, versionFolder, withEnhancement } from './enhancement-folder.ts';
import { EnhancementStopped, openWork, type EnhanceParts, type EnhanceWork } from './enhance-work.ts';
import { judgeBest } from './judge-held-out.ts';
import { casesOf, type Cases } from './learnable-cases.ts';
import type { Trace } from './read-conversation.ts';
import { tryEdits } from './try-edits.ts';

/** See `Runtime.enhanceSkill`. */
export async function enhanceSkill(own: EnhanceParts, options: EnhanceOptions): Promise<Enhancement> {
  const { parts } = own;
  const { resume } = options;
  if (resume !== undefined) {
    const { id } = await readEnhancement(parts.dataFolder, resume);
    return withEnhancement(enhancementFolder(parts.dataFolder, id), id, async () => {
      const { enhancement, trace } = await reopenEnhancement(parts, { resume: id, budgetUsd: options.budgetUsd });
      return learn(own, options, { enhancement, trace });
    });
  }
  const { enhancement, trace } = await beginEnhancement(parts, options);
  return withEnhancement(enhancement.folder, enhancement.id, async () => {
    await own.tidy?.(enhancement.cwd);
    return learn(own, options, { enhancement, trace });
  });
}

async function learn(own: EnhanceParts, options: EnhanceOptions, { enhancement, trace }: { readonly enhancement: Enhancement; readonly trace: Trace }): Promise<Enhancement> {
  const work = openWork(own, options, enhancement);
  options.onBegun?.(enhancement.id);
  try {
    const decision = await decide(work, trace);
    const { skill } = decision;
    if (skill) await improve(work, trace, { ...decision, skill });
    await work.keep({ status: 'done' });
  } catch (error) {
    const { decision } = work.now();
    const isStop = error instanceof EnhancementStopped || (error instanceof SkillmintError && decision !== undefined);
    await work.keep({ status: 'stopped', stopped: messageOf(error) });
    if (!isStop) throw error;
  }
  return work.now();
}

/** The decision that was kept, or a new one. */
async function decide(work: EnhanceWork, trace: Trace): Promise<SkillDecision> {
  const { decision, reason = '', quotes = [], request, skill, learned = { output: [], triggers: [] }, settings } = work.now();
  if (decision !== undefined) return { decision, reason, quotes, cases: learned, ...(request === undefined ? {} : { request }), ...(skill ? { skill } : {}) };
  work.progress(`enhancement ${work.now().id}: reading the conversation`);
  const made = await work.agent.decide({ ...work.call(), trace, ...(settings.skill === undefined ? {} : { skill: settings.skill }) });
  await work.keep({
    decision: made.decision, reason: made.reason, quotes: made.quotes, warnings: made.warnings,
    ...(made.request === undefined ? {} : { request: made.request }),
    ...(made.skill ? { skill: { ...made.skill, digest: digestSkill(work.parts.host.tree, made.skill.folder).digest }, learned: made.cases } : {}),
  }, { decision: made.cost_usd });
  return made;
}

async function improve(work: EnhanceWork, trace: Trace, decision: SkillDecision & { readonly skill: NonNullable<SkillDecision['skill']> }): Promise<void> {
  await keepOld(work, decision.skill);
  const cases = await casesOf(work, decision);
  await tryEdits(work, { trace, decision, cases });
  await chooseBest(work, cases);
}

/** The old version, which is there as a whole or not at all. */
async function keepOld({ parts, now }: EnhanceWork, { folder: from, name }: NonNullable<SkillDecision['skill']>): Promise<void> {
  const { folder } = now();
  const [half, whole] = [path.join(folder, 'old.half'), path.dirname(versionFolder(now(), 'old', name))];
  if ((await fs.readdir(folder)).includes(path.basename(whole))) return;
  await fs.rm(half, { recursive: true, force: true });
  await copyWithoutEvals(parts.host.tree, from, path.join(half, name));
  await fs.rename(half, whole);
}

/** The best edit by the part to learn from is the one that the other part is looked at for, once. */
async function chooseBest(work: EnhanceWork, cases: Cases): Promise<void> {
  const { tried } = work.now();
  const measured = tried.filter(({ score }) => score !== undefined);
  const [best] = measured.length > 0 ? [...measured].sort((a, b) => (b.score ?? 0) - (a.score ?? 0) || a.lines - b.lines) : tried.slice(-1);
  if (!best) return;
  if (best.score !== undefined && best.score <= 0) return work.keep({ result: { verdict: 'rejected', reasons: [`None of the ${tried.length === 1 ? 'edits (one was tried)' : `${tried.length} edits`} was better on the cases to learn from, so the others were not looked at.`] } });
  await work.keep({ best: best.round });
  await judgeBest(work, cases, best);
}
