import type { Effort, Model } from '../model/model.ts';
import type { EventBody, TransientBody } from '../protocol/events.ts';
import type { JsonObject, JsonSchema } from '../protocol/json.ts';
import type { HookDecision } from '../protocol/hook.ts';
import type { CallPlace, HookApproval, PermissionScope, PermissionVerdict } from '../protocol/permission.ts';
import type { AskedQuestion } from '../protocol/question.ts';
import type { CallQuestion, CallState, SessionState } from '../protocol/session-state.ts';
import type { ToolOutcome, ToolSpec, ToolWaiting } from '../protocol/tool.ts';

/** What the loop needs of a tool; the runtime binds host and session into it. */
export interface AgentTool {
  readonly spec: ToolSpec;
  readonly polling: boolean;
  /** Changes nothing outside the session. */
  readonly readOnly: boolean;
  /** A run that a crash has cut off is never made again by itself. */
  readonly atMostOnce: boolean;
  /** A run that waited for an answer goes on with it: it is run again with the question, whatever the answer was. */
  readonly resumes: boolean;
  /** Puts aliases right and checks the arguments against the schema; a problem is one sentence for the model. */
  prepare(input: JsonObject): Promise<{ readonly input: JsonObject } | { readonly problem: string }>;
  /** Set where a call holds the tool's input inside of its own: puts another one there. */
  readonly wrap?: (input: JsonObject) => JsonObject;
  /** Set for tools that ask the person and do not run. */
  readonly question?: (input: JsonObject) => { readonly question: string; readonly options?: readonly string[]; readonly questions?: readonly AskedQuestion[] };
  /** What the model reads when the person refuses the call; a text for all tools when left out. */
  readonly refusal?: (feedback: string | undefined) => string;
  /** What the permission engine says; `repeats` counts the same call with the same result right before, `approval` is that of a hook. */
  permit(call: { readonly call_id: string; readonly input: JsonObject; readonly repeats: number; readonly approval?: HookApproval | undefined; readonly by?: 'person' | undefined }): Promise<PermissionVerdict>;
  /** Must not throw for anything that can happen in the world; what it throws becomes an error result. */
  run(input: JsonObject, call: { readonly call_id: string; readonly signal: AbortSignal; readonly emit: (text: string) => void; readonly places?: readonly CallPlace[] | undefined; readonly answered?: CallQuestion; readonly consent?: PermissionScope | undefined; readonly by?: 'person' }): Promise<ToolOutcome | ToolWaiting>;
}

/** A call as hooks see it. */
export interface HookedCall {
  readonly call_id: string;
  /** The tool's own name, and the one it was called by. */
  readonly tool: string;
  readonly called: string;
  readonly input: JsonObject;
  /** See `AgentTool.wrap`. */
  readonly wrap?: ((input: JsonObject) => JsonObject) | undefined;
}

/** What hooks say to a call before it is decided on. */
export interface HookGate {
  readonly decision?: HookDecision;
  readonly approval?: HookApproval;
  readonly reason?: string;
  /** The input that the call as a whole is to have instead; not checked yet. */
  readonly input?: JsonObject;
}

/**
 * Hooks at the points of a turn. Each stores what its hooks did, `afterTool` excepted, whose events belong to the call's
 * result. What a hook wants to halt stands in the state's turn. None of them throws for what a hook does.
 */
export interface AgentHooks {
  /** Before the first request of a turn: why the prompt is refused, or nothing. */
  beforePrompt(signal: AbortSignal): Promise<string | undefined>;
  beforeTool(call: HookedCall, signal: AbortSignal): Promise<HookGate>;
  /** After a run that ended by itself. */
  afterTool(call: HookedCall & { readonly outcome: ToolOutcome }, signal: AbortSignal): Promise<{ readonly outcome: ToolOutcome; readonly events: readonly EventBody[] }>;
  /** Before a turn ends as done: what the model is told when the turn is to go on, or nothing. */
  beforeStop(signal: AbortSignal): Promise<string | undefined>;
  /** False when the history is to stay as it is. */
  beforeCompact(trigger: 'auto' | 'manual', signal: AbortSignal): Promise<boolean>;
  /** When a summary is about to take the place of older messages: what is to stand beside it, and the events that say so. */
  whenCompacted(signal: AbortSignal): Promise<{ readonly text: string; readonly events: readonly EventBody[] }>;
}

/** Bounds of a turn. */
export interface TurnLimits {
  /** Replies of the model in one turn. */
  readonly steps: number;
  /** USD for one turn; no bound when left out. */
  readonly costUsd?: number;
  /** What counts against `costUsd`, where that is more than the turn's own cost. */
  readonly spentUsd?: () => number;
  /** Tools that run at the same time. */
  readonly parallelTools: number;
  /** Share of the context window from which the history is compacted. */
  readonly compactAt: number;
}

/** How events are appended. */
export interface AppendOptions {
  readonly durable?: boolean;
  readonly unless?: () => boolean;
}

/** Everything that the loop touches. It has no other way to the world. */
export interface AgentPorts {
  /** The model to ask next: a skill may have named another one for the turn. */
  readonly model: Model;
  readonly system: string;
  readonly specs: readonly ToolSpec[];
  /** The tool that a call is meant for; a call through `CallTool` is meant for the tool that it names. */
  findTool(name: string, input: JsonObject): AgentTool | undefined | Promise<AgentTool | undefined>;
  /** Folded state of the session; `append` keeps it current. */
  readonly state: SessionState;
  /**
   * Stores events in one transaction and applies them to `state`; with `durable` they survive a power cut. Appends follow
   * each other; `unless` is asked when it is this one's turn, and true means that nothing is stored and false is the answer.
   */
  append(bodies: readonly EventBody[], options?: AppendOptions): Promise<boolean>;
  /** Applies events to `state` that the next `append` stores with its own, in one transaction. */
  stage(bodies: readonly EventBody[]): Promise<void>;
  /** Ends the sub-agents that still run or wait for these calls, and stores that; left out where there can be none. */
  endRuns?(calls: readonly CallState[]): Promise<void>;
  /** Stores what the model is to be told before its next request, such as the end of a sub-agent in the background; left out where there is nothing. */
  beforeRequest?(): Promise<void>;
  /** Shows an event to listeners; it is not stored. */
  emit(body: TransientBody): void;
  /** Cuts an outcome to what the model may read and keeps the rest in a file. */
  fitOutcome(callId: string, outcome: ToolOutcome): Promise<ToolOutcome>;
  readonly limits: TurnLimits;
  readonly hooks?: AgentHooks | undefined;
  /** How much the model is to think at the next step. */
  readonly effort?: Effort | undefined;
  readonly outputSchema?: JsonSchema;
  /** What is wrong with a final answer, for the model to mend; nothing when it is right. */
  checkAnswer?(text: string): string | undefined;
  /** A new id for a permission request or a question. */
  newRequestId(): string;
  /** ms since 1970. */
  now(): number;
}
