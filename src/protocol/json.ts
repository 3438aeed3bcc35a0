/** Any value that survives `JSON.stringify` unchanged. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** A JSON object. */
export type JsonObject = { readonly [key: string]: Json };

/** A JSON Schema (2020-12) as plain data; tools, settings and structured outputs are described with it. */
export type JsonSchema = { readonly [keyword: string]: unknown };

/** Narrows an unknown value to a plain object, arrays excluded. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Narrows a value that came out of a JSON parser to an object. */
export function isJsonObject(value: unknown): value is JsonObject {
  return isObject(value);
}

/** The value of a JSON text, or `undefined` when it is none. */
export function parseJson(text: string): Json | undefined {
  try {
    const value: Json = JSON.parse(text);
    return value;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
