import type { ResultPart } from './content.ts';
import type { EventBody } from './events.ts';
import type { JsonObject, JsonSchema } from './json.ts';
import type { Usage } from './usage.ts';

/** What a model is told of a tool. */
export interface ToolSpec {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of an object. */
  readonly input_schema: JsonSchema;
}

/**
 * What a run of a tool brings: `content` for the model, `details` for faces, `events` that are stored
 * together with the result (a todo list, an activated skill).
 */
export interface ToolOutcome {
  readonly status: 'ok' | 'error';
  readonly content: readonly ResultPart[];
  readonly details?: JsonObject;
  readonly events?: readonly EventBody[];
  /** What a model was asked for within the run; it counts to the turn. `cost_usd` is left out where no price is known. */
  readonly spent?: { readonly usage: Usage; readonly cost_usd?: number };
}

/** What a run brings that needs a person's answer before it can go on: the question, to be stored for the same call. */
export interface ToolWaiting {
  readonly status: 'waiting';
  readonly ask: Extract<EventBody, { type: 'permission.requested' | 'question.asked' }>;
}

/** Outcome of a run that went well. */
export function ok(text: string, more: { readonly details?: JsonObject; readonly events?: readonly EventBody[] } = {}): ToolOutcome {
  return { status: 'ok', content: [{ type: 'text', text }], ...more };
}

/** Outcome of a run that failed; the text says what, where and what to do. */
export function failed(text: string, more: { readonly details?: JsonObject } = {}): ToolOutcome {
  return { status: 'error', content: [{ type: 'text', text }], ...more };
}
