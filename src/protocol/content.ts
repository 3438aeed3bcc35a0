import type { JsonObject } from './json.ts';

/** Text for the model or from it. */
export interface TextPart {
  readonly type: 'text';
  readonly text: string;
}

/** A picture; `data` is base64. */
export interface ImagePart {
  readonly type: 'image';
  readonly media_type: string;
  readonly data: string;
}

/** A document that some models read natively (PDF); `data` is base64. */
export interface DocumentPart {
  readonly type: 'document';
  readonly media_type: string;
  readonly data: string;
  readonly name?: string;
}

/**
 * The model's reasoning. `signature` and `opaque` are returned unchanged to the provider that made them
 * (`provider`), and the part is dropped when another provider is asked.
 */
export interface ReasoningPart {
  readonly type: 'reasoning';
  readonly text: string;
  readonly provider: string;
  readonly signature?: string;
  readonly opaque?: string;
}

/** A tool call that the model made. `invalid` holds the raw text of arguments that were no JSON object. */
export interface ToolCallPart {
  readonly type: 'tool_call';
  readonly call_id: string;
  readonly tool: string;
  readonly input: JsonObject;
  readonly invalid?: string;
}

/** The result of one call, as the model reads it. */
export interface ToolResultPart {
  readonly type: 'tool_result';
  readonly call_id: string;
  readonly tool: string;
  readonly content: readonly ResultPart[];
  readonly is_error: boolean;
}

/** What a person may send. */
export type UserPart = TextPart | ImagePart | DocumentPart;

/** What a tool may return. */
export type ResultPart = TextPart | ImagePart | DocumentPart;

/** What a model may answer. */
export type AssistantPart = TextPart | ReasoningPart | ToolCallPart;

/** One text out of all text parts, joined without a separator. */
export function textOf(parts: readonly { readonly type: string; readonly text?: string }[]): string {
  return parts.map((part) => (part.type === 'text' ? (part.text ?? '') : '')).join('');
}
