import type { RuntimeParts } from '../parts.ts';
import type { SandboxGuard } from '../permissions/sandbox-guard.ts';
import type { SkillAgent, SkillAgentCall } from '../skill-agent/skill-agent.ts';
import { UNREAD_EVALS } from '../skill-agent/unread-evals.ts';
import type { EnhanceOptions, Enhancement } from './enhancement.ts';
import { keepEnhancement } from './enhancement-folder.ts';

/** What an enhancement is made with. */
export interface EnhanceParts {
  readonly parts: RuntimeParts;
  readonly guard: SandboxGuard;
  readonly agent: SkillAgent;
  /** Is called once a new enhancement was begun: removes old ones. */
  readonly tidy?: (cwd: string) => Promise<unknown>;
}

/** An enhancement that is at work. */
export interface EnhanceWork extends EnhanceParts {
  readonly signal: AbortSignal;
  readonly progress: (line: string) => void;
  /** What every call of the agent says. */
  readonly call: () => SkillAgentCall;
  /** USD that are left, counting nothing that was spent for `apart`; undefined without a budget. Throws where there are none. */
  readonly left: (apart?: string) => number | undefined;
  readonly now: () => Enhancement;
  /** Keeps what is new, and what each thing has cost so far. */
  readonly keep: (news: Partial<Enhancement>, costs?: Readonly<Record<string, number | undefined>>) => Promise<void>;
}

/** Ends the work; what is kept so far is the result, and can be gone on with. */
export class EnhancementStopped extends Error {}

/** Opens the work on an enhancement that was begun, in this process or in another one. */
export function openWork(own: EnhanceParts, { signal = new AbortController().signal, progress = () => undefined }: Pick<EnhanceOptions, 'signal' | 'progress'>, begun: Enhancement): EnhanceWork {
  let enhancement = begun;
  const { cwd, settings: { budgetUsd, model, mode } } = begun;
  const left = (apart?: string): number | undefined => {
    if (signal.aborted) throw new EnhancementStopped('It was interrupted.');
    if (budgetUsd === undefined) return undefined;
    const spent = enhancement.cost_usd - (apart === undefined ? 0 : (enhancement.costs[apart] ?? 0));
    if (spent >= budgetUsd) throw new EnhancementStopped(`The budget of $${budgetUsd} was used up.`);
    return budgetUsd - spent;
  };
  const call = (): SkillAgentCall => {
    const maxCostUsd = left();
    return { cwd, signal, progress, model, deny: UNREAD_EVALS, ...(maxCostUsd === undefined ? {} : { maxCostUsd }), ...(mode === undefined ? {} : { mode }) };
  };
  const keep = async (news: Partial<Enhancement>, costs: Readonly<Record<string, number | undefined>> = {}): Promise<void> => {
    const known = { ...enhancement.costs };
    for (const [what, usd] of Object.entries(costs)) if (usd !== undefined) known[what] = usd;
    enhancement = { ...enhancement, ...news, costs: known, cost_usd: Object.values(known).reduce((sum, usd) => sum + usd, 0) };
    await keepEnhancement(enhancement);
  };
  return { ...own, signal, progress, call, left, keep, now: () => enhancement };
}
