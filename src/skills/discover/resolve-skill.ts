import type { SkillCatalogue } from './catalogue.ts';
import { isUsable, type SkillEntry } from './skill-entry.ts';

/** What a name leads to. `unusable` is a skill that exists and is hidden or rejected. */
export type Resolution =
  | { readonly kind: 'found'; readonly entry: SkillEntry }
  | { readonly kind: 'unusable'; readonly entry: SkillEntry; readonly reason: string }
  | { readonly kind: 'ambiguous'; readonly candidates: readonly string[] }
  | { readonly kind: 'missing'; readonly suggestions: readonly string[] };

const MOST_SUGGESTIONS = 3;

/**
 * The skill that a name means: its id, its bare name (the first by precedence), the same in another letter case or
 * with other separators, `PLUGIN:SKILL`, or a name so near that only one can be meant.
 */
export function resolveSkill(catalogue: SkillCatalogue, name: string): Resolution {
  const wanted = name.trim().replace(/^[/$](?=\S)/, '');
  const usable = catalogue.entries.filter(isUsable);
  const found = exact(usable, wanted) ?? folded(usable, wanted);
  if (found) return found;
  const unusable = catalogue.entries.find((entry) => !isUsable(entry) && entry.status !== 'shadowed' && (entry.id === wanted || entry.name === wanted));
  if (unusable) return { kind: 'unusable', entry: unusable, reason: unusable.reason ?? unusable.status };
  return near(usable, wanted);
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
  const key = fold(wanted);
  if (key === '') return undefined;
  const matches = usable.filter((entry) => [entry.name, entry.id, entry.id.replace(/^plugin:/, '')].some((each) => fold(each) === key));
  const [first] = matches;
  if (!first) return undefined;
  const names = new Set(matches.map((entry) => entry.name));
  return names.size === 1 ? { kind: 'found', entry: first } : { kind: 'ambiguous', candidates: matches.map((entry) => entry.handle) };
}

function near(usable: readonly SkillEntry[], wanted: string): Resolution {
  const key = fold(wanted);
  const ranked = usable
    .map((entry) => ({ entry, away: distance(key, fold(entry.name)) }))
    .sort((a, b) => a.away - b.away);
  const limit = key.length >= 8 ? 2 : key.length >= 4 ? 1 : 0;
  const [first, second] = ranked;
  const unique = first && first.away <= limit && (second === undefined || second.away > first.away);
  if (unique) return { kind: 'found', entry: first.entry };
  const likely = ranked.filter(({ entry, away }) => away <= Math.max(2, key.length * 0.4) || sharesWord(key, fold(entry.name)));
  return { kind: 'missing', suggestions: likely.slice(0, MOST_SUGGESTIONS).map(({ entry }) => entry.handle) };
}

function fold(name: string): string {
  return name.normalize('NFKC').toLowerCase().replace(/[\s_./-]+/g, '-');
}

function sharesWord(a: string, b: string): boolean {
  const words = new Set(b.split(/[-:]/).filter((word) => word.length > 3));
  return a.split(/[-:]/).some((word) => words.has(word));
}

/** Number of single changes between two texts, a swap of neighbours counting as one. */
function distance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 24) return Math.abs(a.length - b.length);
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1];
      let cost = Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) cost = Math.min(cost, (before[j - 2] ?? 0) + 1);
      next.push(cost);
    }
    before = row;
    row = next;
  }
  return row[b.length] ?? 0;
}
