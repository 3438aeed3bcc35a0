import type { AgentHooks } from '../../agent/ports.ts';
import type { SessionHookParts } from './session-hooks.ts';

/** What this process keeps of a session for its hooks, beside the log. */
export interface HookLifecycle {
  /** SessionStart hooks had their turn in this process. */
  started: boolean;
  /** Runs SessionEnd hooks; set once the session has started. */
  end: (() => Promise<void>) | undefined;
}

/** What the hooks of a turn work with. */
export interface HookBinding extends SessionHookParts {
  /** Not for the session of a sub-agent: its prompt is no person's. */
  readonly lifecycle: HookLifecycle;
}

/** The hooks of a turn, in the loop and beside it. */
export interface TurnHooks extends AgentHooks {
  /** Before a message that is sent into the turn is stored: why it is refused, or what goes with it. */
  beforeMessage(text: string, signal: AbortSignal): Promise<{ readonly refused: string } | { readonly note: string }>;
}
