import fs from 'node:fs/promises';
import path from 'node:path';
import { SkillmintError } from '../../protocol/errors.ts';
import { digestSkill } from '../../skills/digest.ts';
import type { RuntimeParts } from '../parts.ts';
import { chooseModel } from '../turn/choose-model.ts';
import type { EnhanceOptions, Enhancement } from './enhancement.ts';
import { enhancementFolder, keepEnhancement, newEnhancementId, readEnhancement } from './enhancement-folder.ts';
import { keepTrace, keptTrace, readConversation, type Trace } from './read-conversation.ts';

const USUAL_ROUNDS = 3;
const MOST_ROUNDS = 10;
const USUAL_SEED = 1;

/** An enhancement as it is taken up. */
export interface TakenUp {
  readonly enhancement: Enhancement;
  readonly trace: Trace;
}

/** Settles what an enhancement is about, and keeps the conversation with it. */
export async function beginEnhancement(parts: RuntimeParts, options: EnhanceOptions): Promise<TakenUp> {
  const { rounds = USUAL_ROUNDS, seed = USUAL_SEED, runs, budgetUsd, conversation, skill, judge, sandbox, mode } = options;
  checkNumbers({ rounds, seed, runs: runs ?? 1 });
  if (conversation === undefined) throw new SkillmintError('usage', 'Name the conversation that is to be learned from.');
  const cwd = path.resolve(options.cwd ?? '.');
  const trace = await readConversation((id) => parts.store.read(id), { conversation, cwd });
  const model = await modelWithin(parts, cwd, { model: options.model, budgetUsd });
  const given = Object.fromEntries(Object.entries({ skill, runs, judge, sandbox, mode, budgetUsd }).filter(([, value]) => value !== undefined));
  const id = newEnhancementId(parts.now());
  const enhancement: Enhancement = {
    version: 2, id, time: new Date(parts.now()).toISOString(), folder: enhancementFolder(parts.dataFolder, id), cwd, conversation,
    part: options.part ?? 'all', seed, settings: { rounds, model, ...given }, status: 'running', tried: [], cost_usd: 0, costs: {}, warnings: [],
  };
  await fs.mkdir(enhancement.folder, { recursive: true, mode: 0o700 });
  await keepTrace(enhancement.folder, trace);
  await keepEnhancement(enhancement);
  return { enhancement, trace };
}

/** Takes up an enhancement that was cut off. Rejects with `not_found`, `io`, and `invalid_argument` for one that is over, or whose skill has changed. */
export async function reopenEnhancement(parts: RuntimeParts, { resume, budgetUsd }: { readonly resume: string; readonly budgetUsd: number | undefined }): Promise<TakenUp> {
  const known = await readEnhancement(parts.dataFolder, resume);
  if (known.status === 'done') throw new SkillmintError('invalid_argument', `The enhancement ${resume} came to its end: ${known.result?.verdict ?? `its decision is ${known.decision ?? 'open'}`}. Begin a new one.`);
  const { skill, cwd, settings } = known;
  if (skill && digestSkill(parts.host.tree, skill.folder).digest !== skill.digest) throw new SkillmintError('invalid_argument', `${skill.id} has changed since the enhancement ${resume} was begun: begin a new one.`);
  await modelWithin(parts, cwd, { model: settings.model, budgetUsd: budgetUsd ?? settings.budgetUsd });
  const { stopped: _stopped, ...rest } = known;
  const enhancement: Enhancement = { ...rest, status: 'running', settings: budgetUsd === undefined ? settings : { ...settings, budgetUsd } };
  await keepEnhancement(enhancement);
  return { enhancement, trace: await keptTrace(known.folder) };
}

function checkNumbers({ rounds, seed, runs }: { readonly rounds: number; readonly seed: number; readonly runs: number }): void {
  const isWhole = (value: number, least: number, most: number): boolean => Number.isSafeInteger(value) && value >= least && value <= most;
  if (!isWhole(rounds, 1, MOST_ROUNDS) || !isWhole(seed, 0, 2 ** 32) || !isWhole(runs, 1, 1_000)) throw new SkillmintError('invalid_argument', `Rounds have to be a whole number from 1 to ${MOST_ROUNDS}, runs one of at least 1, and the seed one of at least 0.`);
}

/** Name of the model; a budget that cannot be kept is none. */
async function modelWithin(parts: RuntimeParts, cwd: string, { model: wanted, budgetUsd }: { readonly model: string | undefined; readonly budgetUsd: number | undefined }): Promise<string> {
  const { model, name } = await chooseModel(parts, cwd, wanted);
  if (budgetUsd !== undefined && !model.info.price) throw new SkillmintError('invalid_argument', `The price of ${name} is not known, so a budget in USD cannot be kept: give it in the settings (providers.NAME.models).`);
  return name;
}
