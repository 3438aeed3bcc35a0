import { isObject, type JsonSchema } from '../protocol/json.ts';

/** The first thing in a value that its schema does not allow, and where. */
export interface Violation {
  readonly path: readonly (string | number)[];
  /** `key`: there is no such key; `name`: a free name of the wrong form; `missing`: a required key; else the value itself. */
  readonly kind: 'key' | 'name' | 'missing' | 'value';
  /** Of `missing`: the key. */
  readonly key?: string;
}

type Path = Violation['path'];

const TYPES: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  integer: (value) => Number.isInteger(value),
  boolean: (value) => typeof value === 'boolean',
  array: Array.isArray,
  object: isObject,
};

function fitsPattern(schema: JsonSchema, value: string): boolean {
  return typeof schema['pattern'] !== 'string' || new RegExp(schema['pattern'], 'u').test(value);
}

function fitsItself(schema: JsonSchema, value: unknown): boolean {
  const { type, minimum, exclusiveMinimum, minLength } = schema;
  if (typeof type === 'string' && TYPES[type]?.(value) === false) return false;
  if (Array.isArray(schema['enum']) && !schema['enum'].includes(value)) return false;
  if (typeof value === 'number' && typeof minimum === 'number' && value < minimum) return false;
  if (typeof value === 'number' && typeof exclusiveMinimum === 'number' && value <= exclusiveMinimum) return false;
  if (typeof value !== 'string') return true;
  return value.length >= (typeof minLength === 'number' ? minLength : 0) && fitsPattern(schema, value);
}

function inProperty(schema: JsonSchema, key: string, value: unknown, path: Path): Violation | undefined {
  const { properties, additionalProperties, propertyNames } = schema;
  if (isObject(properties) && Object.hasOwn(properties, key)) {
    const known = properties[key];
    return isObject(known) ? findViolation(known, value, path) : undefined;
  }
  if (additionalProperties === false) return { path, kind: 'key' };
  if (isObject(propertyNames) && !fitsPattern(propertyNames, key)) return { path, kind: 'name' };
  return isObject(additionalProperties) ? findViolation(additionalProperties, value, path) : undefined;
}

function inObject(schema: JsonSchema, value: Readonly<Record<string, unknown>>, path: Path): Violation | undefined {
  for (const [key, inner] of Object.entries(value)) {
    const found = inProperty(schema, key, inner, [...path, key]);
    if (found) return found;
  }
  const required: readonly unknown[] = Array.isArray(schema['required']) ? schema['required'] : [];
  const key = required.find((one) => typeof one === 'string' && !Object.hasOwn(value, one));
  return typeof key === 'string' ? { path, kind: 'missing', key } : undefined;
}

function inAlternatives(alternatives: readonly unknown[], value: unknown, path: Path): Violation | undefined {
  const violations = alternatives.filter(isObject).map((schema) => findViolation(schema, value, path));
  if (violations.includes(undefined)) return undefined;
  return violations.find((one) => one !== undefined && (one.kind !== 'value' || one.path.length > path.length)) ?? { path, kind: 'value' };
}

/**
 * Checks a value against the part of JSON Schema that the settings use: type, enum, bounds, pattern, minLength, properties,
 * additionalProperties, propertyNames, required, items, anyOf. It is in the way of every start, so it compiles nothing.
 */
export function findViolation(schema: JsonSchema, value: unknown, path: Path = []): Violation | undefined {
  if (Array.isArray(schema['anyOf'])) return inAlternatives(schema['anyOf'], value, path);
  if (!fitsItself(schema, value)) return { path, kind: 'value' };
  if (isObject(value)) return inObject(schema, value, path);
  const { items } = schema;
  if (!Array.isArray(value) || !isObject(items)) return undefined;
  for (const [index, item] of value.entries()) {
    const found = findViolation(items, item, [...path, index]);
    if (found) return found;
  }
  return undefined;
}
