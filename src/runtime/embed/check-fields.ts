import { SkillmintError } from '../../protocol/errors.ts';
import { isObject } from '../../protocol/json.ts';
import { mostSimilar } from '../../util/similar.ts';

/** What a value has to be, said in a clause, and whether it is. */
export interface Shape {
  readonly is: (value: unknown) => boolean;
  readonly says: string;
}

/** A text. */
export const TEXT: Shape = { is: (value) => typeof value === 'string', says: 'has to be a text' };
/** True or false. */
export const FLAG: Shape = { is: (value) => typeof value === 'boolean', says: 'has to be true or false' };
/** A function. */
export const FUNCTION: Shape = { is: (value) => typeof value === 'function', says: 'has to be a function' };
/** An object with fields. */
export const OBJECT: Shape = { is: isObject, says: 'has to be an object' };
/** A list of texts. */
export const TEXTS: Shape = { is: (value) => Array.isArray(value) && value.every((each) => typeof each === 'string'), says: 'has to be a list of texts' };

/** One of these words. */
export function oneOf(words: readonly string[]): Shape {
  return { is: (value) => words.some((word) => word === value), says: `has to be ${words.map((word) => JSON.stringify(word)).join(' or ')}` };
}

/** A list of what fits a shape. */
export function listOf(each: Shape, says: string): Shape {
  return { is: (value) => Array.isArray(value) && value.every((one) => each.is(one)), says: `has to be a list of ${says}` };
}

/** An object each of whose values fits a shape. */
export function mapOf(each: Shape, says: string): Shape {
  return { is: (value) => isObject(value) && Object.values(value).every((one) => each.is(one)), says: `has to be an object of ${says}` };
}

/**
 * Checks what a program without types may have given wrongly; a field that is undefined is left out.
 * @throws SkillmintError invalid_argument for a field that is unknown, or has another shape
 */
export function checkFields(of: string, given: unknown, shapes: Readonly<Record<string, Shape>>): void {
  if (!isObject(given)) throw new SkillmintError('invalid_argument', `${of} takes an object.`);
  for (const [name, value] of Object.entries(given)) {
    const shape = Object.hasOwn(shapes, name) ? shapes[name] : undefined;
    if (!shape) throw new SkillmintError('invalid_argument', `${of} has no option ${JSON.stringify(name)}. ${offer(name, Object.keys(shapes))}`);
    if (value !== undefined && !shape.is(value)) throw new SkillmintError('invalid_argument', `The option ${name} of ${of} ${shape.says}.`);
  }
}

function offer(name: string, known: readonly string[]): string {
  const [near] = mostSimilar(name, known, 1);
  return near === undefined ? `It has: ${known.join(', ')}.` : `Did you mean ${JSON.stringify(near)}?`;
}
