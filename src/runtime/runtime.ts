import type { Effort } from '../model/model.ts';
import type { UserPart } from '../protocol/content.ts';
import type { EventError, SandboxState, SessionEvent, StoredEvent, TurnStatus } from '../protocol/events.ts';
import type { Json, JsonObject } from '../protocol/json.ts';
import type { PermissionDecision, PermissionMode, PermissionScope } from '../protocol/permission.ts';
import type { OpenRequest, SessionState } from '../protocol/session-state.ts';
import type { Usage } from '../protocol/usage.ts';
import type { SessionQuery, SessionSummary } from '../sessions/store.ts';
import type { SkillWhy } from './skills/why-skill.ts';
import type { SkillCatalogue } from '../skills/discover/catalogue.ts';

/** A message that begins a turn, in a new session or in one that exists. */
export interface PromptRequest {
  readonly text: string;
  readonly attachments?: readonly UserPart[];
  /** Goes on with this session; a new one when left out. */
  readonly sessionId?: string;
  /** Folder of a new session, absolute; the process's own when left out. */
  readonly cwd?: string;
  /** `PROVIDER/MODEL`; the session's or the configured one when left out. */
  readonly model?: string;
  readonly mode?: PermissionMode;
  /** Name, id or folder of a skill that a new session is bound to. */
  readonly skill?: string;
  readonly addDirs?: readonly string[];
  readonly tools?: 'all' | 'none';
  readonly skills?: 'offer' | 'none';
  readonly effort?: Effort;
  readonly maxSteps?: number;
  readonly maxCostUsd?: number;
  /** The answer must be JSON of this schema. */
  readonly outputSchema?: JsonObject;
  /** Permission rules for this turn. */
  readonly allow?: readonly string[];
  readonly deny?: readonly string[];
  readonly sandbox?: 'required' | 'ask' | 'off';
}

/** A person's answer to what a session waits for. */
export interface AnswerRequest {
  readonly sessionId: string;
  /** Which request; the oldest open one when left out. */
  readonly requestId?: string;
  readonly answer:
    | { readonly kind: 'permission'; readonly decision: PermissionDecision; readonly scope: PermissionScope; readonly reason?: string }
    | { readonly kind: 'text'; readonly text: string };
}

/** How a turn ended. */
export interface TurnResult {
  readonly session_id: string;
  readonly turn_id: string;
  readonly status: TurnStatus;
  readonly text: string;
  readonly usage: Usage;
  readonly cost_usd?: number;
  readonly error?: EventError;
  /** The parsed answer, where a schema was asked for. */
  readonly output?: Json;
  /** What a person has to answer when the status is `waiting`. */
  readonly open: readonly OpenRequest[];
}

/** A turn that runs in this process. */
export interface RunningTurn {
  readonly sessionId: string;
  /** Everything from the first event of this run to `turn.completed`; for one consumer. */
  readonly events: AsyncIterable<SessionEvent>;
  /** Resolves when the turn has ended and is stored; rejects with a SkillmintError when it could not be stored. */
  readonly result: Promise<TurnResult>;
  /** Sends a message that is taken in at the next step, after hooks on prompts. Resolves once it is stored. @throws SkillmintError invalid_argument when the turn has ended, permission_denied when a hook refuses it */
  steer(text: string, attachments?: readonly UserPart[]): Promise<void>;
  /** Stops the turn; `result` resolves with `cancelled`. */
  cancel(): void;
}

/** State of the sandbox and what to do about it. */
export interface SandboxInfo {
  readonly state: SandboxState;
  readonly mechanism: string;
  readonly reason?: string;
  readonly remedy?: string;
}

/** The composition root: every face works through this and nothing else. */
export interface Runtime {
  prompt(request: PromptRequest): Promise<RunningTurn>;
  answer(request: AnswerRequest): Promise<RunningTurn>;
  /** Replaces the older part of a session's history by a summary. Resolves to tokens before and after. */
  compact(sessionId: string): Promise<{ readonly before: number; readonly after: number }>;
  /** Changes the model or the permission mode of an idle session. */
  configure(sessionId: string, change: { readonly model?: string; readonly mode?: PermissionMode }): Promise<void>;
  /** Takes a skill's instructions out of force in an idle session. @throws SkillmintError skill_not_found when it is not active */
  unloadSkill(sessionId: string, skill: string): Promise<void>;
  /** What became of a skill in each turn of a session, and why. @throws SkillmintError skill_not_found, session_not_found */
  why(sessionId: string, skill: string): Promise<SkillWhy>;
  readonly sessions: {
    list(query: SessionQuery): Promise<readonly SessionSummary[]>;
    get(sessionId: string): Promise<SessionSummary>;
    /** Folded state, for showing. */
    state(sessionId: string): Promise<SessionState>;
    events(sessionId: string, after?: number): AsyncIterable<StoredEvent>;
    fork(sessionId: string, atSeq?: number): Promise<string>;
    remove(sessionId: string): Promise<void>;
  };
  skills(cwd: string): Promise<SkillCatalogue>;
  /** Compares all skills of a folder with their files at once. Resolves to how many can be used. */
  refreshSkills(cwd: string): Promise<number>;
  sandbox(): Promise<SandboxInfo>;
  /** Ends what still runs and closes the store. */
  close(): Promise<void>;
}
