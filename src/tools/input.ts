import type { JsonObject } from '../protocol/json.ts';

/** A text argument; empty when it is left out. Input has been validated before, so another type does not occur. */
export function textArgument(input: JsonObject, name: string): string {
  const value = input[name];
  return typeof value === 'string' ? value : '';
}

/** A text argument that may be left out. */
export function optionalText(input: JsonObject, name: string): string | undefined {
  const value = input[name];
  return typeof value === 'string' ? value : undefined;
}

/** A number argument, or `otherwise` when it is left out. */
export function numberArgument(input: JsonObject, name: string, otherwise: number): number {
  const value = input[name];
  return typeof value === 'number' ? value : otherwise;
}

/** True when a yes-or-no argument was given as yes. */
export function flagArgument(input: JsonObject, name: string): boolean {
  return input[name] === true;
}

/** A list of texts; empty when it is left out. */
export function textsArgument(input: JsonObject, name: string): readonly string[] {
  const value = input[name];
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}
