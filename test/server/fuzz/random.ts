/** Random choices that come again with the same seed. */
export interface Random {
  /** From 0 to 1. */
  next(): number;
  /** From 0 to `below` - 1. */
  whole(below: number): number;
  one<T>(of: readonly T[]): T;
  /** True in so many of a hundred cases. */
  percent(chance: number): boolean;
}

export function seeded(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const whole = (below: number): number => Math.floor(next() * below);
  return {
    next, whole,
    one: (of) => {
      const found = of[whole(of.length)];
      if (found === undefined) throw new Error('there is nothing to choose from');
      return found;
    },
    percent: (chance) => next() * 100 < chance,
  };
}
