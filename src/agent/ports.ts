import type { Effort, Model } from '../model/model.ts';
import type { EventBody, TransientBody } from '../protocol/events.ts';
import type { JsonObject, JsonSchema } from '../protocol/json.ts';
import type { PermissionVerdict } from '../protocol/permission.ts';
import type { CallQuestion, SessionState } from '../protocol/session-state.ts';
import type { ToolOutcome, ToolSpec, ToolWaiting } from '../protocol/tool.ts';

/** What the loop needs of a tool; the runtime binds host and session into it. */
export interface AgentTool {
  readonly spec: ToolSpec;
  readonly polling: boolean;
  /** Changes nothing outside the session. */
  readonly readOnly: boolean;
  /** A run that waited for an answer goes on with it: it is run again with the question, whatever the answer was. */
  readonly resumes: boolean;
  /** Puts aliases right and checks the arguments against the schema; a problem is one sentence for the model. */
  prepare(input: JsonObject): { readonly input: JsonObject } | { readonly problem: string };
  /** Set for tools that ask the person and do not run. */
  readonly question?: (input: JsonObject) => { readonly question: string; readonly options?: readonly string[] };
  /** What the permission engine says; `repeats` counts the same call with the same result right before. */
  permit(call: { readonly call_id: string; readonly input: JsonObject; readonly repeats: number }): Promise<PermissionVerdict>;
  /** Must not throw for anything that can happen in the world; what it throws becomes an error result. */
  run(input: JsonObject, call: { readonly call_id: string; readonly signal: AbortSignal; readonly emit: (text: string) => void; readonly answered?: CallQuestion; readonly by?: 'person' }): Promise<ToolOutcome | ToolWaiting>;
}

/** Bounds of a turn. */
export interface TurnLimits {
  /** Replies of the model in one turn. */
  readonly steps: number;
  /** USD for one turn; no bound when left out. */
  readonly costUsd?: number;
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
  findTool(name: string, input: JsonObject): AgentTool | undefined;
  /** Folded state of the session; `append` keeps it current. */
  readonly state: SessionState;
  /**
   * Stores events in one transaction and applies them to `state`; with `durable` they survive a power cut. Appends follow
   * each other; `unless` is asked when it is this one's turn, and true means that nothing is stored and false is the answer.
   */
  append(bodies: readonly EventBody[], options?: AppendOptions): Promise<boolean>;
  /** Applies events to `state` that the next `append` stores with its own, in one transaction. */
  stage(bodies: readonly EventBody[]): Promise<void>;
  /** Shows an event to listeners; it is not stored. */
  emit(body: TransientBody): void;
  /** Cuts an outcome to what the model may read and keeps the rest in a file. */
  fitOutcome(callId: string, outcome: ToolOutcome): Promise<ToolOutcome>;
  readonly limits: TurnLimits;
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
