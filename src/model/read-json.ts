import { isObject } from '../protocol/json.ts';

/** The value if it is a text, else an empty one. */
export function textIn(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** The value if it is a finite number. */
export function numberIn(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** The value if it is an object, else an empty one. */
export function objectIn(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {};
}

/** The objects of a list; nothing when the value is no list. */
export function objectsIn(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}
