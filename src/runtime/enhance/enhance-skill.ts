import path from 'node:path';
import { messageOf, SkillmintError } from '../../protocol/errors.ts';
import { digestSkill } from '../../skills/digest.ts';
import type { SkillAgentCall, SkillDecision } from '../skill-agent/skill-agent.ts';
import { UNREAD_EVALS } from '../skill-agent/unread-evals.ts';
import { chooseModel } from '../turn/choose-model.ts';
import { copyWithoutEvals } from '../evaluate/copy-without-evals.ts';
import type { EnhanceOptions, Enhancement } from './enhancement.ts';
import { enhancementFolder, keepEnhancement, newEnhancementId, versionFolder } from './enhancement-folder.ts';
import { EnhancementStopped, type EnhanceParts, type EnhanceWork } from './enhance-work.ts';
import { judgeHeldOut } from './judge-held-out.ts';
import { learnableCases, type Cases } from './learnable-cases.ts';
import { readConversation, type Trace } from './read-conversation.ts';
import { tryEdits } from './try-edits.ts';

const USUAL_ROUNDS = 3;
const MOST_ROUNDS = 10;
const USUAL_SEED = 1;

/** See `Runtime.enhanceSkill`. */
export async function enhanceSkill(own: EnhanceParts, options: EnhanceOptions): Promise<Enhancement> {
  const work = await begin(own, options);
  const { trace } = work;
  try {
    const decision = await own.agent.decide({ ...work.call(), trace, ...(options.skill === undefined ? {} : { skill: options.skill }) });
    const { reason, quotes, warnings } = decision;
    await work.keep({ decision: decision.decision, reason, quotes, warnings, ...(decision.request === undefined ? {} : { request: decision.request }) }, decision.cost_usd);
    if (decision.skill) await improve(work, trace, { ...decision, skill: decision.skill });
    await work.keep({ status: 'done' });
  } catch (error) {
    const { decision } = work.now();
    const isStop = error instanceof EnhancementStopped || (error instanceof SkillmintError && decision !== undefined);
    await work.keep({ status: 'stopped', stopped: messageOf(error) });
    if (!isStop) throw error;
  }
  return work.now();
}

async function improve(work: EnhanceWork, trace: Trace, decision: SkillDecision & { readonly skill: NonNullable<SkillDecision['skill']> }): Promise<void> {
  const { skill } = decision;
  const { tree } = work.parts.host;
  await work.keep({ skill: { ...skill, digest: digestSkill(tree, skill.folder).digest } });
  await copyWithoutEvals(skill.folder, versionFolder(work.now(), 'old', skill.name));
  const cases = await learnableCases(work, decision);
  await work.keep({ cases: { learn: cases.learn.output.length + cases.learn.triggers.length, held_out: cases.held_out.output.length + cases.held_out.triggers.length } });
  await tryEdits(work, { trace, decision, cases });
  await chooseBest(work, cases);
}

/** The best edit by the part to learn from is the one that the other part is looked at for, once. */
async function chooseBest(work: EnhanceWork, cases: Cases): Promise<void> {
  const { tried } = work.now();
  const measured = tried.filter(({ score }) => score !== undefined);
  const [best] = measured.length > 0 ? [...measured].sort((a, b) => (b.score ?? 0) - (a.score ?? 0) || a.lines - b.lines) : tried.slice(-1);
  if (!best) return;
  if (best.score !== undefined && best.score <= 0) return work.keep({ result: { verdict: 'rejected', reasons: [`None of the ${tried.length === 1 ? 'edits (one was tried)' : `${tried.length} edits`} was better on the cases to learn from, so the others were not looked at.`] } });
  await work.keep({ best: best.round });
  await judgeHeldOut(work, cases, best);
}

async function begin(own: EnhanceParts, options: EnhanceOptions): Promise<EnhanceWork & { readonly trace: Trace }> {
  const { parts } = own;
  const { rounds = USUAL_ROUNDS, seed = USUAL_SEED, runs = 1, budgetUsd } = options;
  const isWhole = (value: number, least: number, most: number): boolean => Number.isSafeInteger(value) && value >= least && value <= most;
  if (!isWhole(rounds, 1, MOST_ROUNDS) || !isWhole(seed, 0, 2 ** 32) || !isWhole(runs, 1, 1_000)) throw new SkillmintError('invalid_argument', `Rounds have to be a whole number from 1 to ${MOST_ROUNDS}, runs one of at least 1, and the seed one of at least 0.`);
  const cwd = path.resolve(options.cwd ?? '.');
  const trace = await readConversation((id) => parts.store.read(id), { conversation: options.conversation, cwd });
  const { model, name } = await chooseModel(parts, cwd, options.model);
  if (budgetUsd !== undefined && !model.info.price) throw new SkillmintError('invalid_argument', `The price of ${name} is not known, so a budget in USD cannot be kept: give it in the settings (providers.NAME.models).`);
  const id = newEnhancementId(parts.now());
  let enhancement: Enhancement = {
    version: 1, id, time: new Date(parts.now()).toISOString(), folder: enhancementFolder(parts.dataFolder, id), cwd, conversation: options.conversation,
    part: options.part ?? 'all', seed, status: 'running', tried: [], cost_usd: 0, warnings: [],
  };
  await keepEnhancement(enhancement);
  const signal = options.signal ?? new AbortController().signal;
  const progress = options.progress ?? (() => undefined);
  const left = (): number | undefined => {
    if (signal.aborted) throw new EnhancementStopped('It was interrupted.');
    if (budgetUsd === undefined) return undefined;
    if (enhancement.cost_usd >= budgetUsd) throw new EnhancementStopped(`The budget of $${budgetUsd} was used up.`);
    return budgetUsd - enhancement.cost_usd;
  };
  const call = (): SkillAgentCall => {
    const maxCostUsd = left();
    return { cwd, signal, progress, deny: UNREAD_EVALS, ...(maxCostUsd === undefined ? {} : { maxCostUsd }), ...(options.model === undefined ? {} : { model: options.model }), ...(options.mode === undefined ? {} : { mode: options.mode }) };
  };
  const keep = async (news: Partial<Enhancement>, costUsd = 0): Promise<void> => {
    enhancement = { ...enhancement, ...news, cost_usd: enhancement.cost_usd + costUsd };
    await keepEnhancement(enhancement);
  };
  progress(`enhancement ${id}: reading the conversation`);
  return { ...own, options: { ...options, rounds, seed }, trace, cwd, signal, progress, call, left, keep, now: () => enhancement };
}
