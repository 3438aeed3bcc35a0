import { changesBetween, foldName, sharesWord } from '../discover/resolve-skill.ts';

/** Names that are compared further; more would only be further away. */
const MOST_NEAR = 24;

/** The names that a wrong name could have been meant for, nearest first; equal ones in the order given. */
export function nearNames(names: Iterable<string>, wanted: string): readonly string[] {
  const key = foldName(wanted);
  const changes = changesBetween(key);
  const near: { readonly name: string; readonly away: number }[] = [];
  const seen = new Set<string>();
  const mostAway = Math.max(2, key.length * 0.4);
  let limit = Number.POSITIVE_INFINITY;
  for (const name of names) {
    if (seen.has(name)) continue;
    seen.add(name);
    const folded = foldName(name);
    const shares = sharesWord(key, folded);
    const most = shares ? limit : Math.min(limit, mostAway);
    if (Math.abs(folded.length - key.length) > most) continue;
    const away = changes(folded, most);
    if (away > most) continue;
    near.push({ name, away });
    if (near.length < MOST_NEAR * 4) continue;
    near.sort((a, b) => a.away - b.away).splice(MOST_NEAR);
    limit = near.at(-1)?.away ?? limit;
  }
  return near.sort((a, b) => a.away - b.away).slice(0, MOST_NEAR).map(({ name }) => name);
}
