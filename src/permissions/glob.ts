const MOST_VARIANTS = 64;

/**
 * Compares path segments with a pattern: `*` and `?` within a segment, `**` over any number of segments, `{a,b}`.
 * Hidden names are no exception. `below` also takes everything below a path that fits.
 */
export function matchesGlob(pattern: readonly string[], segments: readonly string[], options: { readonly below: boolean }): boolean {
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
      else if (part !== undefined && matchesSegment(part, segment)) next.add(at + 1);
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
export function matchesSegment(pattern: string, text: string): boolean {
  let at = 0;
  let star = -1;
  let resume = 0;
  for (let index = 0; index < text.length; ) {
    const part = pattern[at];
    if (part === '*') {
      star = at++;
      resume = index;
    } else if (part === '?' || part === text[index]) {
      at++;
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
