/** A longer text, such as that of a picture, is cut. */
const MOST_CHARS = 20_000;

/** An event as JSON to be read. The export has all of it. */
export function eventJson(event: object): string {
  return JSON.stringify(event, (_key, value: unknown) => (typeof value === 'string' && value.length > MOST_CHARS ? `${value.slice(0, MOST_CHARS)}… (${value.length})` : value), 2);
}
