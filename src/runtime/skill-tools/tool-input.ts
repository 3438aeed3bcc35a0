import type { JsonObject } from '../../protocol/json.ts';

/** A text of a call, which its schema requires. */
export function textIn(input: JsonObject, name: string): string {
  return optionalTextIn(input, name) ?? '';
}

/** A text of a call that may be left out. */
export function optionalTextIn(input: JsonObject, name: string): string | undefined {
  const value = input[name];
  return typeof value === 'string' ? value : undefined;
}

/** A number of a call; the usual one when left out. */
export function countIn(input: JsonObject, name: string, usual: number): number {
  const value = input[name];
  return typeof value === 'number' ? value : usual;
}

/** A list of texts of a call; empty when left out. */
export function textsIn(input: JsonObject, name: string): readonly string[] {
  const value = input[name];
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}
