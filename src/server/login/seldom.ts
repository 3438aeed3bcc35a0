/** Keys that are remembered. */
const MOST_KNOWN = 10_000;

/** True for a key that was not told in the last `everyMs`, which is then told. */
export function seldom(everyMs: number, now: () => number): (key: string) => boolean {
  const told = new Map<string, number>();
  return (key) => {
    if (now() - (told.get(key) ?? Number.NEGATIVE_INFINITY) < everyMs) return false;
    told.delete(key);
    told.set(key, now());
    const [oldest] = told.keys();
    if (oldest !== undefined && told.size > MOST_KNOWN) told.delete(oldest);
    return true;
  };
}
