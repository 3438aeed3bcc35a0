/** Moments at which hooks run, under the names of Claude Code. */
export type HookEvent = 'SessionStart' | 'UserPromptSubmit' | 'PreToolUse' | 'PostToolUse' | 'PostToolUseFailure' | 'PreCompact' | 'Stop' | 'SubagentStart' | 'SubagentStop' | 'SessionEnd';

/** A hook whose form was checked: a command that runs at an event. */
export interface Hook {
  readonly event: HookEvent;
  /** Its place among the hooks of its source for the event; with both it names the hook. */
  readonly index: number;
  /** What of the event it is for; everything when left out. */
  readonly matcher?: string;
  /** A permission rule that the call has to meet. */
  readonly if?: string;
  /** A line for the shell, or with `args` a program. */
  readonly command: string;
  readonly args?: readonly string[];
  /** The shell of the system unless given. */
  readonly shell?: 'powershell';
  /** ms; the event's usual limit when left out. */
  readonly timeout_ms?: number;
  /** Runs once in a session. */
  readonly once?: true;
}

/** How the run of a hook ended; `blocked` when it refused something or sent the turn on. */
export type HookStatus = 'ok' | 'blocked' | 'error' | 'timeout' | 'cancelled' | 'skipped';

/** What a hook may say about a call. */
export type HookDecision = 'allow' | 'ask' | 'deny';

/** The name of a hook within a session, the same however often its source is read. */
export function hookKey({ source, event, index }: { readonly source: string; readonly event: HookEvent; readonly index: number }): string {
  return `${source} ${event} ${index}`;
}
