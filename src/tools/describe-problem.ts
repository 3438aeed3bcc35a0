import type { OutputUnit } from '@cfworker/json-schema';
import type { JsonObject, JsonSchema } from '../protocol/json.ts';
import { isObject } from '../protocol/json.ts';

/** What a validator found, as a clause for a model: which argument, what it is, what it should be. */
export function problemSentence(schema: JsonSchema, input: JsonObject, errors: readonly OutputUnit[]): string {
  const deepest = errors.reduce<OutputUnit | undefined>(
    (best, unit) => (best === undefined || depth(unit) > depth(best) ? unit : best),
    undefined,
  );
  if (deepest === undefined) return 'the input does not fit the schema';
  const path = pointer(deepest.instanceLocation);
  const value = follow(input, path);
  const owner = pointer(deepest.keywordLocation).slice(0, -1);
  const name = argumentName(path);
  if (deepest.keyword === 'required' && isObject(value)) {
    const missing = listOf(follow(schema, [...owner, 'required'])).find((key) => !Object.hasOwn(value, key));
    if (missing !== undefined) return `${name} needs "${missing}" (${expectation(schema, [...owner, 'properties', missing])})`;
  }
  return `${name} must be ${expectation(schema, owner)}, but is ${brief(value)}`;
}

/** What the schema at a place asks for, in words. */
export function expectation(schema: JsonSchema, place: readonly string[]): string {
  const at = follow(schema, place);
  if (!isObject(at)) return 'a value';
  if (Array.isArray(at['enum'])) return `one of ${at['enum'].map(String).join(', ')}`;
  if (at['const'] !== undefined) return JSON.stringify(at['const']);
  const types = [at['type']].flat().filter((type) => typeof type === 'string');
  const words = types.map((type) => WORDS[type] ?? type).join(' or ') || 'of another form';
  return [words, ...bounds(at)].join(' ');
}

const WORDS: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  null: 'null',
};

function bounds(schema: Record<string, unknown>): readonly string[] {
  const say = (keyword: string, text: (value: string) => string): readonly string[] => {
    const value = schema[keyword];
    return typeof value === 'number' || typeof value === 'string' ? [text(String(value))] : [];
  };
  return [
    ...say('minimum', (value) => `of at least ${value}`),
    ...say('maximum', (value) => `${schema['minimum'] === undefined ? 'of' : 'and'} at most ${value}`),
    ...say('minItems', (value) => `with at least ${value} items`),
    ...say('minLength', (value) => (value === '1' ? 'that is not empty' : `with at least ${value} characters`)),
    ...say('pattern', (value) => `that matches ${value}`),
  ];
}

function depth(unit: OutputUnit): number {
  return pointer(unit.instanceLocation).length * 1_000 + pointer(unit.keywordLocation).length;
}

function pointer(location: string): readonly string[] {
  const parts = location.replace(/^#/, '').split('/').slice(1);
  return parts.map((part) => decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~'));
}

function follow(value: unknown, path: readonly string[]): unknown {
  let at: unknown = value;
  for (const key of path) {
    if (Array.isArray(at)) at = at[Number(key)];
    else if (isObject(at) && Object.hasOwn(at, key)) at = at[key];
    else return undefined;
  }
  return at;
}

/** `todos[0].status` */
function argumentName(path: readonly string[]): string {
  if (path.length === 0) return 'the input';
  return `"${path.map((part, index) => (index > 0 && /^\d+$/.test(part) ? `[${part}]` : index > 0 ? `.${part}` : part)).join('')}"`;
}

function listOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

function brief(value: unknown): string {
  const text = JSON.stringify(value) ?? 'missing';
  return text.length <= 60 ? text : `${text.slice(0, 57)}...`;
}
