import type { LoadedSettings } from '../../config/load-settings.ts';
import type { JsonObject } from '../../protocol/json.ts';
import type { SkillView } from '../../skills/skill-view.ts';
import type { RuntimeParts } from '../parts.ts';
import type { SkillAgentCall } from './skill-agent.ts';

/** What an operation works with. */
export interface OperationParts {
  readonly parts: RuntimeParts;
  /** Folder that the agent works for, real. */
  readonly cwd: string;
  readonly settings: LoadedSettings;
  readonly skills: SkillView;
  /** Folder for drafts of this folder's agent, real. */
  readonly drafts: string;
  readonly progress: (line: string) => void;
}

/** What an answer of the agent has come to: the result, or what is wrong with it, for the agent to mend. */
export type Taken<R> = { readonly kind: 'done'; readonly result: R; readonly warnings: readonly string[] } | { readonly kind: 'mend'; readonly problem: string };

/** An operation that has begun. */
export interface OpenOperation<R> {
  /** What the agent is told. */
  readonly task: string;
  /** Permission rules for its turns. */
  readonly allow: readonly string[];
  /** Makes the result of an answer that fits the schema. */
  readonly take: (answer: JsonObject) => Promise<Taken<R>>;
  /** Lets go of what it has used, when it has not come to a result; resolves to a sentence on what stays, or to nothing. */
  readonly leave: () => Promise<string>;
}

/** One thing that the skill agent does. */
export interface Operation<Q extends SkillAgentCall, R> {
  /** What it does, for people: `search for skills`. */
  readonly name: string;
  /** It writes files, which plan mode refuses. */
  readonly writes: boolean;
  /** Replies of the model for one answer. */
  readonly maxSteps: number;
  /** USD for one answer, where the settings allow no less. */
  readonly maxCostUsd: number;
  /** JSON Schema of the answer. */
  readonly answer: JsonObject;
  readonly open: (parts: OperationParts, request: Q) => Promise<OpenOperation<R>>;
}
