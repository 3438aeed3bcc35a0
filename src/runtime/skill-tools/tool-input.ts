import { SkillmintError } from '../../protocol/errors.ts';
import type { JsonObject } from '../../protocol/json.ts';

/** A text of a call. @throws SkillmintError invalid_argument */
export function textIn(input: JsonObject, name: string): string {
  const value = optionalTextIn(input, name);
  if (value === undefined || value === '') throw new SkillmintError('invalid_argument', `"${name}" is missing: give a text.`);
  return value;
}

/** A text of a call that may be left out. @throws SkillmintError invalid_argument */
export function optionalTextIn(input: JsonObject, name: string): string | undefined {
  const value = input[name] ?? undefined;
  if (value !== undefined && typeof value !== 'string') throw new SkillmintError('invalid_argument', `"${name}" has to be a text.`);
  return value;
}

/** A whole number within bounds; the usual one when left out. @throws SkillmintError invalid_argument */
export function countIn(input: JsonObject, name: string, { usual, most }: { readonly usual: number; readonly most: number }): number {
  const value = input[name] ?? usual;
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 1 || value > most) throw new SkillmintError('invalid_argument', `"${name}" has to be a whole number from 1 to ${most}.`);
  return value;
}

/** A list of texts; empty when left out. @throws SkillmintError invalid_argument */
export function textsIn(input: JsonObject, name: string): readonly string[] {
  const value = input[name] ?? [];
  if (!Array.isArray(value) || !value.every((each) => typeof each === 'string')) throw new SkillmintError('invalid_argument', `"${name}" has to be a list of texts.`);
  return value;
}
