import { isJsonObject, parseJson, type Json } from '../../protocol/json.ts';

/** Files of entries: two workers may change different ones at once. */
const MERGED = new Set(['config.json', 'trust.json', 'signers.json', 'mcp-servers.json', 'mcp-logins.json', 'users.json', 'skills/skills.lock.json']);

/** True for a file whose changes can be joined. */
export function isMerged(file: string): boolean {
  return MERGED.has(file);
}

/** Three states of a value: as both had it, and as each has it now. */
interface Three {
  readonly base: Json | undefined;
  readonly mine: Json | undefined;
  readonly theirs: Json | undefined;
}

/** Both changes in one text; undefined where they touch the same entry, or one is no JSON. */
export function mergeJson({ base, mine, theirs }: { readonly base: string; readonly mine: string; readonly theirs: string }): string | undefined {
  const [read, own, other] = [parseJson(base), parseJson(mine), parseJson(theirs)];
  if (own === undefined || other === undefined) return undefined;
  const merged = merge({ base: read, mine: own, theirs: other });
  return merged === 'conflict' ? undefined : `${JSON.stringify(merged.value, null, 2)}\n`;
}

function merge({ base, mine, theirs }: Three): { readonly value: Json | undefined } | 'conflict' {
  if (isSame(mine, theirs) || isSame(base, theirs)) return { value: mine };
  if (isSame(base, mine)) return { value: theirs };
  if (isJsonObject(mine) && isJsonObject(theirs)) return mergeEntries({ base: isJsonObject(base) ? base : {}, mine, theirs });
  const [was, own, other] = [byIdentity(base ?? []), byIdentity(mine), byIdentity(theirs)];
  if (!was || !own || !other) return 'conflict';
  const joined = mergeEntries({ base: was, mine: own, theirs: other });
  return joined === 'conflict' ? joined : { value: Object.values(joined.value) };
}

function mergeEntries({ base, mine, theirs }: Record<'base' | 'mine' | 'theirs', Readonly<Record<string, Json>>>): { readonly value: Record<string, Json> } | 'conflict' {
  const value: Record<string, Json> = {};
  for (const key of new Set([...Object.keys(theirs), ...Object.keys(mine)])) {
    const of = (entries: Readonly<Record<string, Json>>): Json | undefined => (Object.hasOwn(entries, key) ? entries[key] : undefined);
    const merged = merge({ base: of(base), mine: of(mine), theirs: of(theirs) });
    if (merged === 'conflict') return merged;
    // A key such as `__proto__` is a key like others.
    if (merged.value !== undefined) Object.defineProperty(value, key, { value: merged.value, enumerable: true, writable: true, configurable: true });
  }
  return { value };
}

/** Entries of a list by what names them; undefined for a list whose entries have no names, or not one each. */
function byIdentity(value: Json | undefined): Readonly<Record<string, Json>> | undefined {
  if (!Array.isArray(value)) return undefined;
  const named = value.map((entry): [string, Json] | undefined => {
    if (!isJsonObject(entry)) return undefined;
    const parts = ['name', 'id', 'folder'].map((key) => entry[key]).filter((part) => typeof part === 'string');
    return parts.length === 0 ? undefined : [`=${JSON.stringify(parts)}`, entry];
  });
  const known = named.filter((entry) => entry !== undefined);
  const entries = Object.fromEntries(known);
  return Object.keys(entries).length === value.length ? entries : undefined;
}

function isSame(a: Json | undefined, b: Json | undefined): boolean {
  return a === b || (a !== undefined && b !== undefined && canonical(a) === canonical(b));
}

function canonical(value: Json): string {
  return JSON.stringify(value, (_key, one: unknown) => (typeof one === 'object' && one !== null && !Array.isArray(one) ? Object.fromEntries(Object.entries(one).toSorted(([a], [b]) => (a < b ? -1 : 1))) : one));
}
