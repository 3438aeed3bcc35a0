const MOST_VARIANTS = 64;

/** How a pattern is read. */
export interface GlobOptions {
  /** `[abc]`, `[a-z]` and `[!abc]` stand for one character; brackets are plain characters otherwise. */
  readonly sets?: boolean;
}

/**
 * Compares path segments with a pattern: `*` and `?` within a segment, `**` over any number of segments, `{a,b}`.
 * Hidden names are no exception. `below` also takes everything below a path that fits.
 */
export function matchesGlob(pattern: readonly string[], segments: readonly string[], options: GlobOptions & { readonly below: boolean }): boolean {
  let states = new Set([0]);
  const ends = (): boolean => [...states].some((at) => pattern.slice(at).every((part) => part === '**'));
  const closed = closure(pattern);
  states = closed(states);
  for (const segment of segments) {
    if (options.below && ends()) return true;
    const next = new Set<number>();
    for (const at of states) {
      const part = pattern[at];
      if (part === '**') next.add(at);
      else if (part !== undefined && matchesSegment(part, segment, options)) next.add(at + 1);
    }
    if (next.size === 0) return false;
    states = closed(next);
  }
  return ends();
}

/** `**` may also stand for no segment. */
function closure(pattern: readonly string[]): (states: ReadonlySet<number>) => Set<number> {
  return (states) => {
    const all = new Set(states);
    for (const at of all) if (pattern[at] === '**') all.add(at + 1);
    return all;
  };
}

/** `*` is any run of characters, `?` one character; time grows with the product of the lengths at most. */
export function matchesSegment(pattern: string, text: string, { sets = false }: GlobOptions = {}): boolean {
  let at = 0;
  let star = -1;
  let resume = 0;
  for (let index = 0; index < text.length; ) {
    const part = pattern[at];
    const set = sets && part === '[' ? setAt(pattern, at) : undefined;
    if (part === '*') {
      star = at++;
      resume = index;
    } else if (set ? set.has(text[index] ?? '') : part === '?' || part === text[index]) {
      at = set ? set.end : at + 1;
      index++;
    } else if (star >= 0) {
      at = star + 1;
      index = ++resume;
    } else {
      return false;
    }
  }
  while (pattern[at] === '*') at++;
  return at === pattern.length;
}

interface CharacterSet {
  /** Where the pattern goes on. */
  readonly end: number;
  readonly has: (character: string) => boolean;
}

/** Undefined for a bracket that stays open: it is a plain character. */
function setAt(pattern: string, at: number): CharacterSet | undefined {
  const isNegated = pattern[at + 1] === '!' || pattern[at + 1] === '^';
  const from = at + (isNegated ? 2 : 1);
  const end = pattern.indexOf(']', from + 1);
  if (end < 0) return undefined;
  const has = (character: string): boolean => {
    for (let i = from; i < end; i += 1) {
      const isRange = pattern[i + 1] === '-' && i + 2 < end;
      const [low = '', high = ''] = [pattern[i], pattern[isRange ? i + 2 : i]];
      if (low <= character && character <= high) return !isNegated;
      if (isRange) i += 2;
    }
    return isNegated;
  };
  return { end: end + 1, has };
}

/** The patterns that `{a,b}` stands for, or undefined when there are more than 64 or a brace stays open. */
export function expandBraces(pattern: string): readonly string[] | undefined {
  let variants = [pattern];
  for (;;) {
    const open = variants.some((variant) => variant.includes('{'));
    if (!open) return variants.some((variant) => variant.includes('}')) ? undefined : variants;
    const next: string[] = [];
    for (const variant of variants) {
      const group = /\{([^{}]*)\}/.exec(variant);
      if (!group) {
        if (/[{}]/.test(variant)) return undefined;
        next.push(variant);
        continue;
      }
      const [whole, inside = ''] = group;
      for (const choice of inside.split(',')) next.push(variant.slice(0, group.index) + choice + variant.slice(group.index + whole.length));
    }
    if (next.length > MOST_VARIANTS) return undefined;
    variants = next;
  }
}
