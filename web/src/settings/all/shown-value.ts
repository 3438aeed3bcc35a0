/** What stands in the place of a value that is not told. */
const MASK = '***';

/** A value as it is written on the command line: a text as it is, the rest as JSON. */
export function shownValue(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value) ?? '';
}

/** A key or the like: it can be replaced, and not be seen. */
export function isHidden(value: unknown): boolean {
  return value === MASK;
}
