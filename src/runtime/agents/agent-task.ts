import type { EventBody, SessionEvent } from '../../protocol/events.ts';
import type { AgentRun, CallQuestion, CallState, SessionState } from '../../protocol/session-state.ts';
import type { SkillEntry } from '../../skills/discover/skill-entry.ts';
import type { RunningTurn, TurnResult } from '../runtime.ts';
import type { AgentCatalogue, AgentProfile } from './agent-profile.ts';
import type { BackgroundRuns } from './background-runs.ts';
import type { RunStanding } from './run-standing.ts';

/** A task for a sub-agent. */
export interface AgentTask {
  readonly taskId: string;
  readonly profile: AgentProfile;
  readonly prompt: string;
  /** A few words for people. */
  readonly description?: string;
  /** The skill that its session is bound to. */
  readonly skill?: SkillEntry;
  /** It runs beside the turn. */
  readonly background?: true;
  /** It gets a git worktree of its own. */
  readonly isolated?: true;
  /** Of the call: tools beyond these are taken away. */
  readonly allowedTools?: readonly string[];
}

/** How a run begins. */
export interface RunBeginning {
  readonly begun: (childId: string) => Promise<unknown>;
  /** Of the call that starts it. */
  readonly signal: AbortSignal;
}

/** How a run goes on. */
export interface GoingOn {
  /** The answer that it has waited for. */
  readonly answered?: CallQuestion | undefined;
  /** It runs beside the turn, and waits for its place; a call has waited for it before. */
  readonly background?: true;
}

/** What runs of sub-agents need of the session that starts them. */
export interface AgentParts {
  readonly state: SessionState;
  /** The agents that can be started. */
  readonly catalogue: () => Promise<AgentCatalogue>;
  readonly append: (events: readonly EventBody[]) => Promise<unknown>;
  /** Shows an event of the run to those who follow the session. */
  readonly show: (event: SessionEvent) => void;
  readonly newTaskId: () => string;
  /** Waits until no more than the bound run at once; see `Slots.take`. */
  readonly place: (signal: AbortSignal) => Promise<(() => void) | undefined>;
  /**
   * Begins the run in a session of its own, after `begun` has stored that it begins: whatever ends the program, there is no
   * session that nobody knows of. A sentence where no worktree could be made for it.
   */
  readonly start: (task: AgentTask, beginning: RunBeginning) => Promise<RunningTurn | string>;
  /** The session of a run as it stands; empty where it was removed or is another session's. */
  readonly look: (childId: string) => Promise<SessionState>;
  /** Goes on with a run that has waited for a person, or that a crash has cut off, under the rights of now; its result where it has ended meanwhile. */
  readonly resume: (childId: string, going: GoingOn) => Promise<RunningTurn | TurnResult>;
  /** Ends a run that is not to go on; resolves to what it came to. */
  readonly cancel: (childId: string) => Promise<TurnResult>;
  /** Those that run beside the turn, in this process. */
  readonly background: BackgroundRuns;
  /** How a run stands; its end is stored with that. */
  readonly settle: (run: AgentRun) => Promise<RunStanding>;
  /** Stores the ends of runs in the background, with a word for the model. */
  readonly settleAll: () => Promise<void>;
  /** See `AgentPorts`. */
  readonly endRuns: (calls: readonly CallState[]) => Promise<void>;
  /** Called when a run has come to its end, not when it waits: lets go of what it has left behind. */
  readonly agentEnded: (childId: string) => Promise<void>;
  /** See `worktreeLine`; for a run that has ended. */
  readonly worktreeLine: (childId: string) => Promise<string | undefined>;
}
