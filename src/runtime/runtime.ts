import type { Effort } from '../model/model.ts';
import type { UserPart } from '../protocol/content.ts';
import type { EventError, SandboxState, SessionEvent, StoredEvent, TurnStatus } from '../protocol/events.ts';
import type { Json, JsonObject } from '../protocol/json.ts';
import type { PermissionMode } from '../protocol/permission.ts';
import type { OpenRequest, SessionState } from '../protocol/session-state.ts';
import type { Usage } from '../protocol/usage.ts';
import type { TurnOutcome } from '../sessions/turn-queue.ts';
import type { SessionQuery, SessionSummary, UsageQuery, UsageReport } from '../sessions/store.ts';
import type { FollowedEvent, FollowOptions } from './follow/follow-session.ts';
import type { SkillmintError } from '../protocol/errors.ts';
import type { Sidecar } from './sidecar/sidecar.ts';
import type { McpService } from './mcp/mcp-service.ts';
import type { GivenAnswer } from './embed/request-handler.ts';
import type { Memory } from '../memory/memory.ts';
import type { SettingsService } from './settings/settings-service.ts';
import type { RewindService } from './rewind/rewind.ts';
import type { SkillService } from './library/skill-service.ts';
import type { SkillAgent } from './skill-agent/skill-agent.ts';
import type { SkillTools, SkillToolsOptions } from './skill-tools/skill-tool.ts';
import type { SkillWhy } from './skills/why-skill.ts';
import type { EvaluationReport } from '../evaluate/report/report.ts';
import type { DraftedEvals, DraftEvalsOptions } from './evaluate/draft-evals.ts';
import type { CleanedWorks } from './evaluate/cleaned-works.ts';
import type { ReadWorkspace } from './evaluate/read-workspace.ts';
import type { EvaluateOptions } from './evaluate/evaluate-options.ts';
import type { KnownEvaluation } from './evaluate/known-evaluations.ts';
import type { AppliedEnhancement, ApplyOptions, Enhancement, EnhanceOptions } from './enhance/enhancement.ts';
import type { SkillCatalogue } from '../skills/discover/catalogue.ts';

/** A message that begins a turn, in a new session or in one that exists. */
export interface PromptRequest {
  readonly text: string;
  /** Names the message: one that comes again with its key begins nothing; see `RepeatedMessageError`. */
  readonly key?: string;
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
  /** `find`: none is offered and none is called by its name in the text, but the model may look for them. */
  readonly skills?: 'offer' | 'find' | 'none';
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
  readonly answer: GivenAnswer;
}

/** An interrupted turn that is to go on. */
export interface ResumeRequest {
  readonly sessionId: string;
  /** `PROVIDER/MODEL`; the session's when left out. */
  readonly model?: string;
  readonly mode?: PermissionMode;
}

/** How a service goes on with a session. */
export interface WorkOnOptions {
  /** Ends the work: no further turn begins, and those that run are left as they are, to go on in the next service. */
  readonly signal: AbortSignal;
  /** Is given each turn that goes on, and has to read its events. */
  readonly onTurn?: (turn: RunningTurn) => void;
  /** Is told of a session that cannot go on; it stays interrupted. */
  readonly onFault?: (sessionId: string, error: SkillmintError) => void;
}

/** How a service works. */
export interface WorkOptions extends WorkOnOptions {
  /** Turns at the same time, 4 unless told. */
  readonly parallel?: number;
  /** Is told once this service is the one that works, or one of those that do. */
  readonly onHeld?: () => void;
}

/** A message to a session whose turn runs in another process. */
export type KeyedMessage = Required<Pick<PromptRequest, 'text' | 'key' | 'sessionId'>> & Pick<PromptRequest, 'attachments'>;

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
  /** What a person has to answer when the status is `waiting`; with `agent` what sub-agents in the background wait for, in every status. */
  readonly open: readonly OpenRequest[];
}

/** A turn that runs in this process. */
export interface RunningTurn {
  readonly sessionId: string;
  /** Resolves to the id of the turn once what begins it is stored. */
  readonly begun: Promise<string>;
  /** Everything from the first event of this run to `turn.completed`; for one consumer. */
  readonly events: AsyncIterable<SessionEvent>;
  /** Resolves when the turn has ended and is stored; rejects with a SkillmintError when it could not be stored. */
  readonly result: Promise<TurnResult>;
  /**
   * Sends a message that is taken in at the next step, after hooks on prompts. Resolves once it is stored. One that is `alone` can
   * only begin a turn. @throws SkillmintError turn_ended, permission_denied when a hook refuses it, message_repeated, session_busy for one that is alone
   */
  steer(text: string, more?: Pick<PromptRequest, 'attachments' | 'key'> & { readonly alone?: boolean }): Promise<void>;
  /** Stops the turn; `result` resolves with `cancelled`. */
  cancel(): void;
}

/** A sub-agent that runs beside the turns of the session which has started it. */
export interface BackgroundAgent {
  readonly task_id: string;
  readonly agent_type: string;
  /** Its session. */
  readonly session_id: string;
  /** Resolves when it has ended or waits for a person. */
  readonly ended: Promise<TurnResult>;
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
  /**
   * Goes on with a turn that the end of a program has cut off, as the same turn. Calls that were under way are made again where
   * their tools say that this does no harm; others are closed as interrupted, and the model is told.
   * @throws SkillmintError nothing_to_resume, session_busy, session_not_found
   */
  resume(request: ResumeRequest): Promise<RunningTurn>;
  /**
   * Goes on by itself with turns of a service (see `RuntimeOptions.service`) that a crash or a stop has cut off, until `signal`
   * aborts. One service works on a data folder, any number on a database of PostgreSQL. Resolves when none of its turns runs any more.
   * @throws SkillmintError queue_busy when another one works already, or has taken over
   */
  work(options: WorkOptions): Promise<void>;
  /** Goes on with one such turn; `later` when somebody else has it at the moment. For servers that find for all of their users what is left. */
  workOn(sessionId: string, options: WorkOnOptions): Promise<TurnOutcome>;
  /** Has the turn of a session stopped by the process that runs it; false where none runs, or that process has not answered. @throws SkillmintError store_unavailable */
  cancelElsewhere(sessionId: string): Promise<boolean>;
  /**
   * Gives a message to the turn of a session that runs in another process; resolves to the id of the turn once it is stored there, to
   * nothing where none has taken it. @throws SkillmintError permission_denied when a hook refuses it
   */
  passMessage(message: KeyedMessage): Promise<string | undefined>;
  /** Replaces the older part of a session's history by a summary. Resolves to tokens before and after. */
  compact(sessionId: string): Promise<{ readonly before: number; readonly after: number }>;
  /** Changes the model, the permission mode or the further folders (all of them) of an idle session. */
  configure(sessionId: string, change: Pick<PromptRequest, 'model' | 'mode' | 'addDirs'>): Promise<void>;
  /** Takes a skill's instructions out of force in an idle session. @throws SkillmintError skill_not_found when it is not active */
  unloadSkill(sessionId: string, skill: string): Promise<void>;
  /** Takes a session back to before a message of the person, with its files. */
  rewind(sessionId: string): Promise<RewindService>;
  /** What became of a skill in each turn of a session, and why. @throws SkillmintError skill_not_found, session_not_found */
  why(sessionId: string, skill: string): Promise<SkillWhy>;
  readonly sessions: {
    /** Newest first, without those of sub-agents unless `agents` is set; 50 of them unless `limit` says how many. */
    list(query?: Partial<SessionQuery>): Promise<readonly SessionSummary[]>;
    get(sessionId: string): Promise<SessionSummary>;
    /** Folded state, for showing. */
    state(sessionId: string): Promise<SessionState>;
    events(sessionId: string, after?: number): AsyncIterable<StoredEvent>;
    /** The events of a session: those stored after a number, then what happens, in whatever process; see `followSession`. */
    follow(sessionId: string, options?: FollowOptions): AsyncIterable<FollowedEvent>;
    /** Makes a session without a turn. */
    create(request: Pick<PromptRequest, 'cwd' | 'model' | 'mode' | 'skill' | 'addDirs'>): Promise<string>;
    fork(sessionId: string, atSeq?: number): Promise<string>;
    /** Removes the session with those of its sub-agents. Resolves to sentences on worktrees of theirs that stay, because something was changed in them. */
    remove(sessionId: string): Promise<readonly string[]>;
  };
  /** Sub-agents in the background of a session. They end with the process. */
  readonly agents: {
    /** Those that run in this process now. */
    running(sessionId: string): readonly BackgroundAgent[];
    /** What they wait for, in whatever process they ran. */
    waiting(sessionId: string): Promise<readonly OpenRequest[]>;
    /** Ends those of this process. */
    stop(sessionId: string): Promise<void>;
  };
  /** The agent that searches and makes skills. */
  readonly skillAgent: SkillAgent;
  /** Skills of a folder; `addDirs` are further folders of a session. */
  skills(cwd: string, addDirs?: readonly string[]): Promise<SkillCatalogue>;
  /** Settings and models of a folder, as a person manages them. */
  settings(cwd: string): Promise<SettingsService>;
  /** The MCP servers of a folder, as a person manages them. */
  mcp(cwd: string): Promise<McpService>;
  /** What is remembered of the project of a folder, or by a skill there. */
  memory(cwd: string, skill?: string): Promise<Memory>;
  /** The skills of a folder, as a person manages them. */
  library(cwd: string): Promise<SkillService>;
  /** Compares all skills of a folder with their files at once. Resolves to how many can be used. */
  refreshSkills(cwd: string): Promise<number>;
  /**
   * Measures what a skill does: whether it is used when it should be, and what comes out with and without it. Each run is kept at
   * once; what a limit, a fault or the signal ends goes on with `resume`.
   * @throws SkillmintError skill_not_found, not_found, invalid_argument, key_missing, session_busy, sandbox_unavailable
   */
  evaluateSkill(options: EvaluateOptions): Promise<EvaluationReport>;
  /** What was evaluated, finished or not. */
  readonly evaluations: {
    /**
     * Removes all evaluations and enhancements but the newest `keep` of each, with the sessions of their runs. Without `keep` as many stay as
     * the setting `evaluate.keep` of a folder says, which is also done whenever a new one is begun. @throws SkillmintError invalid_argument
     */
    clean(options: { readonly keep?: number; readonly cwd?: string }): Promise<CleanedWorks>;
    /** Newest first. */
    list(): Promise<readonly KnownEvaluation[]>;
    /** One with its report, where there is one. @throws SkillmintError not_found, io */
    get(id: string): Promise<KnownEvaluation & { readonly report?: JsonObject }>;
  };
  /**
   * Learns from a conversation: decides whether a skill of the person should be made or improved, tries bounded edits of a copy, and
   * measures whether the best one helps on cases that were held out. Changes no skill; all that was tried is kept at once, and what a
   * limit, a fault or the signal ends goes on with `resume`.
   * @throws SkillmintError session_not_found, not_found, invalid_argument, skill_not_found, key_missing, install_refused, and what the skill agent throws before it has decided
   */
  enhanceSkill(options: EnhanceOptions): Promise<Enhancement>;
  /** What was learned before. */
  readonly enhancements: {
    /** Newest first. */
    list(): Promise<readonly Enhancement[]>;
    /** @throws SkillmintError not_found, io */
    get(id: string): Promise<Enhancement>;
    /** Puts the edit into the library, which is the word of the person. @throws SkillmintError not_found, permission_denied, library_busy, and what changing the library throws */
    apply(id: string, options: ApplyOptions): Promise<AppliedEnhancement>;
  };
  /** Statistics of the `grading.json` files of a workspace of Anthropic's skill-creator; nothing is run. @throws SkillmintError not_found, invalid_argument */
  readGrades(folder: string, options?: { /** A share; 0.05 unless told. */ readonly margin?: number }): Promise<ReadWorkspace>;
  /** Has a model draft suites for a skill that has none, into its folder `evals`. @throws SkillmintError skill_not_found, skill_exists, permission_denied (also where it is not approved), interrupted, key_missing, model_failed, output_invalid */
  draftEvals(options: DraftEvalsOptions): Promise<DraftedEvals>;
  /** What loops other than our own can do with the skills of a folder: find, load, read, run. */
  skillTools(options?: SkillToolsOptions): Promise<SkillTools>;
  /** Browser, searches and MCP servers for a host application, in a folder; opened once. */
  sidecar(cwd: string): Promise<Sidecar>;
  /** What turns took, by day, model and skill. */
  usage(query: UsageQuery): Promise<UsageReport>;
  /** Makes the files of the data folder the same for all workers on the database now; does nothing without one. Resolves to a sentence on each that could not be kept. */
  syncFiles(): Promise<readonly string[]>;
  sandbox(): Promise<SandboxInfo>;
  /** Ends what still runs and closes the store. */
  close(): Promise<void>;
}
