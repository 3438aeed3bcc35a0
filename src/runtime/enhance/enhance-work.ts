import type { RuntimeParts } from '../parts.ts';
import type { SandboxGuard } from '../permissions/sandbox-guard.ts';
import type { SkillAgent, SkillAgentCall } from '../skill-agent/skill-agent.ts';
import type { EnhanceOptions, Enhancement } from './enhancement.ts';

/** What an enhancement is made with. */
export interface EnhanceParts {
  readonly parts: RuntimeParts;
  readonly guard: SandboxGuard;
  readonly agent: SkillAgent;
}

/** An enhancement that is at work. */
export interface EnhanceWork extends EnhanceParts {
  readonly options: EnhanceOptions & { readonly rounds: number; readonly seed: number };
  readonly cwd: string;
  readonly signal: AbortSignal;
  readonly progress: (line: string) => void;
  /** What every call of the agent says. */
  readonly call: () => SkillAgentCall;
  /** USD that are left; undefined without a budget. Throws where there are none. */
  readonly left: () => number | undefined;
  readonly now: () => Enhancement;
  /** Keeps what is new, and what it has cost. */
  readonly keep: (news: Partial<Enhancement>, costUsd?: number) => Promise<void>;
}

/** Ends the work; what is kept so far is the result. */
export class EnhancementStopped extends Error {}
