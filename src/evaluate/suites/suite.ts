import type { JsonObject } from '../../protocol/json.ts';

/** Something about a run that can be found out without a model. Paths are relative to the run's workspace. */
export type Check =
  | { readonly type: 'file_exists' | 'file_absent'; readonly path: string }
  | { readonly type: 'file_matches'; readonly path: string; readonly pattern: string }
  | { readonly type: 'file_schema'; readonly path: string; readonly schema: JsonObject }
  | { readonly type: 'command'; readonly command: string; readonly exit_code: number; readonly timeout_ms: number }
  | { readonly type: 'answer_contains'; readonly value: string }
  | { readonly type: 'answer_matches'; readonly pattern: string }
  | { readonly type: 'tool_called' | 'tool_not_called'; readonly tool: string; /** The call's input, as JSON, has to match. */ readonly pattern?: string }
  | { readonly type: 'script_used'; /** Its path in the skill; any script when left out. */ readonly script?: string }
  | { readonly type: 'skill_loaded' | 'skill_not_loaded' };

/** What a run is measured by: a check, or a sentence that a judge decides. `text` is what people read. */
export type Expectation = { readonly kind: 'judged'; readonly text: string } | { readonly kind: 'check'; readonly text: string; readonly check: Check };

/** One task of an output suite. */
export interface EvalCase {
  readonly id: string;
  readonly name: string;
  readonly prompt: string;
  /** What a good result is, in words, for the judge. */
  readonly expected?: string;
  /** Paths of files and folders that the workspace begins with, as they stand in the suite. */
  readonly files: readonly string[];
  readonly expectations: readonly Expectation[];
}

/** One message of a trigger suite. */
export interface TriggerQuery {
  readonly id: string;
  readonly query: string;
  readonly should_trigger: boolean;
}

/** What is wrong with a suite, in a sentence that names file and entry. An error makes it unusable. */
export interface SuiteProblem {
  readonly severity: 'error' | 'warning';
  readonly message: string;
}

/** A suite that was read. `entries` holds what can be used. */
export interface ReadSuite<T> {
  readonly entries: readonly T[];
  readonly problems: readonly SuiteProblem[];
}

/** True for checks of how the skill itself was used: a run without the skill cannot meet them, so they do not count in comparisons. */
export function isAboutSkill(expectation: Expectation): boolean {
  if (expectation.kind !== 'check') return false;
  return ['script_used', 'skill_loaded', 'skill_not_loaded'].includes(expectation.check.type);
}
