import { changesBetween, foldName, sharesWord } from '../discover/resolve-skill.ts';

/** Names that are compared further; more would only be further away. */
const MOST_NEAR = 24;

/** The names that a wrong name could have been meant for, nearest first; equal ones in the order given. */
export function nearNames(names: Iterable<string>, wanted: string): readonly string[] {
  const key = foldName(wanted);
  const limit = Math.max(2, key.length * 0.4);
  const changes = changesBetween(key);
  const near: { readonly name: string; readonly away: number }[] = [];
  const seen = new Set<string>();
  for (const name of names) {
    if (seen.has(name)) continue;
    seen.add(name);
    const folded = foldName(name);
    const away = Math.abs(folded.length - key.length) > limit ? Number.POSITIVE_INFINITY : changes(folded);
    if (away <= limit || sharesWord(key, folded)) near.push({ name, away: away === Number.POSITIVE_INFINITY ? changes(folded) : away });
  }
  return near.sort((a, b) => a.away - b.away).slice(0, MOST_NEAR).map(({ name }) => name);
}
