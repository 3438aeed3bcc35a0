import type { Host } from '../host/host.ts';
import type { BrowserRequest } from '../protocol/browser.ts';
import type { JsonObject, JsonSchema } from '../protocol/json.ts';
import type { CallPlace, PermissionMode, PermissionNeed, PermissionScope } from '../protocol/permission.ts';
import type { AskedQuestion } from '../protocol/question.ts';
import type { CallQuestion } from '../protocol/session-state.ts';
import type { ToolOutcome, ToolSpec, ToolWaiting } from '../protocol/tool.ts';
import type { Todo } from '../protocol/todo.ts';
import type { BackgroundShells } from './background-shells.ts';

/** What `Skill` and `FindTools` may do; the runtime gives it, so that tools never import the skills folder. */
export interface SkillAccess {
  /** Loads a skill, or runs one that wants a run of its own; that run may need a person and then goes on with the answer. */
  load(request: { readonly name: string; readonly args: string | undefined }, call: SkillCall): Promise<ToolOutcome | ToolWaiting>;
  /** Skills and tools beyond those that the model was told of. */
  find(query: string): Promise<ToolOutcome>;
}

/** A call that may run a sub-agent. */
export interface AgentCall {
  readonly callId: string;
  readonly signal: AbortSignal;
  readonly answered?: CallQuestion;
}

/** The call that a skill is loaded by. */
export interface SkillCall extends AgentCall {
  /** Set when the person made the call. */
  readonly by?: 'person';
}

/** What `Task`, `TaskOutput` and `KillShell` may do; the runtime gives it, so that tools never import what runs sub-agents. */
export interface AgentAccess {
  /** Runs a sub-agent to its end; it may need a person and then goes on with the answer. */
  run(request: AgentRequest, call: AgentCall): Promise<ToolOutcome | ToolWaiting>;
  /** What has become of a task; `block` waits for its end. */
  output(request: { readonly taskId: string; readonly block: boolean }, call: AgentCall): Promise<ToolOutcome | ToolWaiting>;
  /** Ends a task in the background; undefined for an id that names no task. */
  stop(taskId: string): Promise<ToolOutcome | undefined>;
}

/** A task for a sub-agent, as a call gives it. */
export interface AgentRequest {
  readonly prompt: string;
  /** The usual one when left out. */
  readonly type?: string;
  readonly description?: string;
  /** It runs beside the turn, and the call ends at once. */
  readonly background?: true;
  /** Tools beyond these are taken away. */
  readonly allowedTools?: readonly string[];
  /** It works in a git worktree of its own. */
  readonly isolated?: true;
}

/** What `WebFetch` and `WebSearch` may do; the runtime gives it, so that tools never import what reads the web. */
export interface WebAccess {
  /** The text of a page, a picture or a document; with `prompt` what a small model says to it, where there is one. */
  fetch(request: { readonly url: URL; readonly prompt?: string; readonly offset: number }, call: WebCall): Promise<ToolOutcome>;
  search(request: { readonly query: string; readonly count: number; readonly allowedDomains: readonly string[]; readonly blockedDomains: readonly string[] }, call: WebCall): Promise<ToolOutcome>;
}

/** The call that the web is read for. */
export interface WebCall {
  readonly signal: AbortSignal;
  readonly accepts: ToolContext['accepts'];
}

/** What `Memory` may do; the runtime gives it, so that tools never import what keeps notes. */
export interface MemoryAccess {
  /** Without `scope` the memory of the skill that the session is bound to, else that of the project. */
  run(request: MemoryRequest): Promise<ToolOutcome>;
}

/** One call of `Memory`. */
export interface MemoryRequest {
  readonly action: 'read' | 'write' | 'list' | 'delete';
  readonly scope: 'skill' | 'project' | undefined;
  /** Which one, where several skills are active. */
  readonly skill: string | undefined;
  readonly key: string;
  readonly content: string | undefined;
}

/** What the tools of the browser may do; the runtime gives it, so that tools never import what drives one. */
export interface BrowserAccess {
  run(request: BrowserRequest, call: BrowserCall): Promise<BrowserResult>;
}

/** The call that the browser is used for. */
export interface BrowserCall {
  readonly callId: string;
  readonly signal: AbortSignal;
}

/** What the browser gave: a text or a failure, and for pictures and downloads the bytes. */
export interface BrowserResult {
  readonly outcome: ToolOutcome;
  readonly file?: { readonly bytes: Uint8Array; readonly mediaType: string };
}

/** What a tool may look at when it says what a call needs. */
export interface NeedsContext {
  readonly cwd: string;
  /** Address of the page that is open in the browser of the session. */
  readonly page?: (() => string | undefined) | undefined;
}

/** Everything that a run of a tool is given. */
export interface ToolContext {
  readonly callId: string;
  /** An id for a question to the person. */
  readonly newRequestId: () => string;
  readonly host: Host;
  /** The session's folder, absolute. */
  readonly cwd: string;
  /** Where the files of the call really lay when it was decided on. */
  readonly places?: readonly CallPlace[] | undefined;
  /** Environment of child processes: scrubbed of secrets. */
  readonly childEnv: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  /** Keeps what a file holds before it is changed; resolves to its digest, to nothing where it cannot be kept. */
  readonly keepBefore: (bytes: Uint8Array) => Promise<string | undefined>;
  /** Shows output as it comes. */
  readonly emit: (text: string) => void;
  /** Stamp (see `stampOf`) of each file the session has read or written, by real path. */
  readonly fileStamps: ReadonlyMap<string, string>;
  readonly todos: readonly Todo[];
  readonly shells: BackgroundShells;
  readonly skills: SkillAccess;
  readonly agents: AgentAccess;
  readonly web: WebAccess;
  readonly memory: MemoryAccess;
  readonly browser: BrowserAccess;
  /** Set when the person made the call. */
  readonly by?: 'person';
  /** The answer that a run of this call has waited for. */
  readonly answered?: CallQuestion;
  /** How far the consent goes that a person gave to this very call; left out where none was asked for. */
  readonly consent?: PermissionScope | undefined;
  /** The mode to go back to when a plan is accepted. */
  readonly modeBeforePlan: PermissionMode;
  /** What the model takes in results beside text. */
  readonly accepts: { readonly images: boolean; readonly documents: boolean };
}

/** A question to the person instead of a run. */
export interface ToolQuestion {
  readonly question: string;
  readonly options?: readonly string[];
  /** The same with all that is known of them, where there are several or more is known than their texts. */
  readonly questions?: readonly AskedQuestion[];
}

/**
 * A tool. It declares what it needs (`needs`) and never asks for it. `run` returns failures as outcomes;
 * what it throws is a programmer's error and reaches the model as an error result.
 */
export interface Tool {
  readonly spec: ToolSpec;
  /** Changes nothing outside the session. */
  readonly readOnly: boolean;
  /** A run that a crash has cut off is never made again by itself; so for tools that are not read-only, unless they say otherwise. */
  readonly atMostOnce?: boolean;
  /** Asked again and again by nature, so that a repeated result is no sign of a loop. */
  readonly polling?: boolean;
  /** Its run may wait for a person and goes on with the answer. */
  readonly resumes?: boolean;
  /** The model is not told of it: it is found through `FindTools` and called through `CallTool`. */
  readonly deferred?: boolean;
  /** Other names under which models and rules know it. */
  readonly aliases?: readonly string[];
  /** Other names of arguments, alias → name. */
  readonly argumentAliases?: Readonly<Record<string, string>>;
  /** Schemas of further forms of input that calls may have, although the model is not told of them. */
  readonly otherInputs?: readonly JsonSchema[];
  /** What a call needs before it may run; paths absolute. */
  needs(input: JsonObject, context: NeedsContext): readonly PermissionNeed[];
  /** Set for tools that ask the person and do not run. */
  question?(input: JsonObject): ToolQuestion;
  /** What the model reads when the person refuses a call; a text for all tools when left out. */
  refusal?(feedback: string | undefined): string;
  run(input: JsonObject, context: ToolContext): Promise<ToolOutcome | ToolWaiting>;
}
