import type { SkillCatalogue } from './catalogue.ts';
import { isUsable, type SkillEntry } from './skill-entry.ts';

/** What a name leads to. `unusable` is a skill that exists and is hidden or rejected. */
export type Resolution =
  | { readonly kind: 'found'; readonly entry: SkillEntry }
  | { readonly kind: 'unusable'; readonly entry: SkillEntry; readonly reason: string }
  | { readonly kind: 'ambiguous'; readonly candidates: readonly string[] }
  /** `unread` where some skills were not read yet, so that it may be among those. */
  | { readonly kind: 'missing'; readonly suggestions: readonly string[]; readonly unread?: true };

const MOST_SUGGESTIONS = 3;
/** Texts whose lengths differ by more are not compared closer. */
const FAR = 24;
/** Most names are like this, and stay as they are. */
const PLAIN_NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
const EMPTY = new Uint16Array(0);

/**
 * The skill that a name means: its id, its bare name (the first by precedence), the same in another letter case or
 * with other separators, `PLUGIN:SKILL`, or a name so near that only one can be meant.
 */
export function resolveSkill(catalogue: Pick<SkillCatalogue, 'entries'>, name: string): Resolution {
  const wanted = strippedName(name);
  return namedSkill(catalogue, wanted) ?? near(catalogue.entries.filter(isUsable), wanted);
}

/** The same without names that are only near; undefined when nothing has the name. */
export function namedSkill({ entries }: Pick<SkillCatalogue, 'entries'>, wanted: string): Resolution | undefined {
  const usable = entries.filter(isUsable);
  const found = exact(usable, wanted) ?? folded(usable, wanted);
  if (found) return found;
  const unusable = entries.find((entry) => !isUsable(entry) && entry.status !== 'shadowed' && (entry.id === wanted || entry.name === wanted));
  return unusable && { kind: 'unusable', entry: unusable, reason: unusable.reason ?? unusable.status };
}

function exact(usable: readonly SkillEntry[], wanted: string): Resolution | undefined {
  const alias = wanted.replace(/^user:/, 'env:');
  const entry =
    usable.find((each) => each.id === wanted) ??
    usable.find((each) => each.name === wanted) ??
    usable.find((each) => each.id === `plugin:${wanted}`) ??
    usable.find((each) => each.id === alias);
  return entry && { kind: 'found', entry };
}

/** Letter case and separators do not count. Two different names that fold to the same are ambiguous. */
function folded(usable: readonly SkillEntry[], wanted: string): Resolution | undefined {
  const key = foldName(wanted);
  if (key === '') return undefined;
  const matches = usable.filter((entry) => [entry.name, entry.id, entry.id.replace(/^plugin:/, '')].some((each) => foldName(each) === key));
  const [first] = matches;
  if (!first) return undefined;
  const names = new Set(matches.map((entry) => entry.name));
  return names.size === 1 ? { kind: 'found', entry: first } : { kind: 'ambiguous', candidates: matches.map((entry) => entry.handle) };
}

function near(usable: readonly SkillEntry[], wanted: string): Resolution {
  const key = foldName(wanted);
  const changes = changesBetween(key);
  const ranked = usable
    .map((entry) => ({ entry, away: changes(foldName(entry.name)) }))
    .sort((a, b) => a.away - b.away);
  const limit = key.length >= 8 ? 2 : key.length >= 4 ? 1 : 0;
  const [first, second] = ranked;
  const unique = first && first.away <= limit && (second === undefined || second.away > first.away);
  if (unique) return { kind: 'found', entry: first.entry };
  const likely = ranked.filter(({ entry, away }) => away <= Math.max(2, key.length * 0.4) || sharesWord(key, foldName(entry.name)));
  return { kind: 'missing', suggestions: likely.slice(0, MOST_SUGGESTIONS).map(({ entry }) => entry.handle) };
}

/** A name without the sign that a person may call it with. */
export function strippedName(name: string): string {
  return name.trim().replace(/^[/$](?=\S)/, '');
}

/** A name as it is compared: letter case and separators do not count. */
export function foldName(name: string): string {
  if (PLAIN_NAME.test(name)) return name;
  return name.normalize('NFKC').toLowerCase().replace(/[\s_./-]+/g, '-');
}

/** True when two folded names have a word of four letters or more in common. */
export function sharesWord(a: string, b: string): boolean {
  return a.split(/[-:]/).some((word) => {
    const at = word.length > 3 ? b.indexOf(word) : -1;
    return at >= 0 && b.split(/[-:]/).includes(word);
  });
}

/**
 * Counts the single changes between `a` and other texts, a swap of neighbours counting as one. What is more than `most` is
 * not counted to its end. For many texts make it once.
 */
export function changesBetween(a: string): (b: string, most?: number) => number {
  const rows = [new Uint16Array(0), new Uint16Array(0), new Uint16Array(0)];
  return (b, most = Number.POSITIVE_INFINITY) => {
    if (Math.abs(a.length - b.length) > FAR) return Math.abs(a.length - b.length);
    if ((rows[0]?.length ?? 0) <= b.length) rows.forEach((_, i) => (rows[i] = new Uint16Array(b.length * 2 + 8)));
    let [before, row, next] = [rows[0] ?? EMPTY, rows[1] ?? EMPTY, rows[2] ?? EMPTY];
    for (let j = 0; j <= b.length; j += 1) row[j] = j;
    for (let i = 1; i <= a.length; i += 1) {
      next[0] = i;
      let least = i;
      for (let j = 1; j <= b.length; j += 1) {
        const same = a.charCodeAt(i - 1) === b.charCodeAt(j - 1);
        let cost = Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + (same ? 0 : 1));
        const swapped = i > 1 && j > 1 && a.charCodeAt(i - 1) === b.charCodeAt(j - 2) && a.charCodeAt(i - 2) === b.charCodeAt(j - 1);
        if (swapped) cost = Math.min(cost, (before[j - 2] ?? 0) + 1);
        next[j] = cost;
        if (cost < least) least = cost;
      }
      // A swap looks back two rows, and saves one change at most.
      if (least > most + 1) return least;
      [before, row, next] = [row, next, before];
    }
    return row[b.length] ?? 0;
  };
}
