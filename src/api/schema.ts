import type { Json, JsonObject, JsonSchema } from '../protocol/json.ts';

/** A JSON Schema (2020-12) and the type of the values that fit it. One source gives the check, the document and the types. */
export interface Schema<T> {
  readonly json: JsonSchema;
  /** The key may be left out of its object. */
  readonly optional?: true;
  /** Never set; it carries the type. */
  readonly of?: T;
}

/** A schema whose key may be left out. */
export interface Optional<T> extends Schema<T> {
  readonly optional: true;
}

/** The type of the values that fit a schema. */
export type TypeOf<S> = S extends Schema<infer T> ? T : never;

type Shape = Readonly<Record<string, Schema<unknown>>>;
type ObjectOf<S extends Shape> = { readonly [K in keyof S as S[K] extends Optional<unknown> ? never : K]: TypeOf<S[K]> } & { readonly [K in keyof S as S[K] extends Optional<unknown> ? K : never]?: TypeOf<S[K]> };

/** What a text may be. Lengths are in UTF-16 units. */
export interface TextLimits {
  readonly min?: number;
  readonly max?: number;
  readonly pattern?: string;
  readonly description?: string;
}

/** A text; at most 1,000 units unless told. */
export function text({ min = 0, max = 1_000, pattern, description }: TextLimits = {}): Schema<string> {
  return { json: { type: 'string', ...(min > 0 ? { minLength: min } : {}), maxLength: max, ...(pattern === undefined ? {} : { pattern }), ...described(description) } };
}

/** A whole number. */
export function whole({ min, max, description }: { readonly min: number; readonly max: number; readonly description?: string }): Schema<number> {
  return { json: { type: 'integer', minimum: min, maximum: max, ...described(description) } };
}

/** Any number. */
export function number(description?: string): Schema<number> {
  return { json: { type: 'number', ...described(description) } };
}

/** True or false. */
export function flag(description?: string): Schema<boolean> {
  return { json: { type: 'boolean', ...described(description) } };
}

/** One of these words. */
export function oneOf<const W extends readonly string[]>(words: W, description?: string): Schema<W[number]> {
  return { json: { type: 'string', enum: words, ...described(description) } };
}

/** A list; at most 1,000 entries unless told. */
export function list<T>(entries: Schema<T>, { max = 1_000, description }: { readonly max?: number; readonly description?: string } = {}): Schema<readonly T[]> {
  return { json: { type: 'array', items: entries.json, maxItems: max, ...described(description) } };
}

/** An object with these keys and no others. */
export function object<const S extends Shape>(shape: S, description?: string): Schema<ObjectOf<S>> {
  const required = Object.entries(shape).flatMap(([key, { optional }]) => (optional ? [] : [key]));
  return { json: { type: 'object', properties: Object.fromEntries(Object.entries(shape).map(([key, { json }]) => [key, json])), ...(required.length > 0 ? { required } : {}), additionalProperties: false, ...described(description) } };
}

/** An object of a type that is written down elsewhere, such as an event. */
export function shaped<T extends object = JsonObject>(description: string): Schema<T> {
  return { json: { type: 'object', description } };
}

/** Texts by name, each of at most 100,000 characters. */
export function texts(description: string): Schema<Readonly<Record<string, string>>> {
  return { json: { type: 'object', additionalProperties: { type: 'string', maxLength: 100_000 }, description } };
}

/** Any JSON. */
export function anyValue(description: string): Schema<Json> {
  return { json: { description } };
}

/** The key may be left out. */
export function optional<T>({ json }: Schema<T>): Optional<T> {
  return { json, optional: true };
}

function described(description: string | undefined): { readonly description?: string } {
  return description === undefined ? {} : { description };
}
