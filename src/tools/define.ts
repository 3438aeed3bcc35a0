import type { Host } from '../host/host.ts';
import type { JsonObject, JsonSchema } from '../protocol/json.ts';
import type { CallPlace, PermissionNeed } from '../protocol/permission.ts';
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

/** The call that a skill is loaded by. */
export interface SkillCall {
  readonly callId: string;
  readonly signal: AbortSignal;
  readonly answered?: CallQuestion;
  /** Set when the person made the call. */
  readonly by?: 'person';
}

/** Everything that a run of a tool is given. */
export interface ToolContext {
  readonly callId: string;
  readonly host: Host;
  /** The session's folder, absolute. */
  readonly cwd: string;
  /** Where the files of the call really lay when it was decided on. */
  readonly places?: readonly CallPlace[] | undefined;
  /** Environment of child processes: scrubbed of secrets. */
  readonly childEnv: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  /** Shows output as it comes. */
  readonly emit: (text: string) => void;
  /** Stamp (see `stampOf`) of each file the session has read or written, by real path. */
  readonly fileStamps: ReadonlyMap<string, string>;
  readonly todos: readonly Todo[];
  readonly shells: BackgroundShells;
  readonly skills: SkillAccess;
  /** Set when the person made the call. */
  readonly by?: 'person';
  /** The answer that a run of this call has waited for. */
  readonly answered?: CallQuestion;
  /** What the model takes in results beside text. */
  readonly accepts: { readonly images: boolean; readonly documents: boolean };
}

/** A question to the person instead of a run. */
export interface ToolQuestion {
  readonly question: string;
  readonly options?: readonly string[];
}

/**
 * A tool. It declares what it needs (`needs`) and never asks for it. `run` returns failures as outcomes;
 * what it throws is a programmer's error and reaches the model as an error result.
 */
export interface Tool {
  readonly spec: ToolSpec;
  /** Changes nothing outside the session; may run again after a crash. */
  readonly readOnly: boolean;
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
  needs(input: JsonObject, context: { readonly cwd: string }): readonly PermissionNeed[];
  /** Set for tools that ask the person and do not run. */
  question?(input: JsonObject): ToolQuestion;
  run(input: JsonObject, context: ToolContext): Promise<ToolOutcome | ToolWaiting>;
}
