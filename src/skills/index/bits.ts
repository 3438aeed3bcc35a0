/** A set of small whole numbers: one bit for each of `size` documents. */
export type Bits = Uint8Array;

/** An empty set for numbers below `size`. */
export function emptyBits(size: number): Bits {
  return new Uint8Array((size + 7) >> 3);
}

/** Whether the number is in the set. */
export function hasBit(bits: Bits, at: number): boolean {
  return ((bits[at >> 3] ?? 0) & (1 << (at & 7))) !== 0;
}

/** Puts the number in, or takes it out. */
export function setBit(bits: Bits, at: number, value: boolean): void {
  const old = bits[at >> 3] ?? 0;
  bits[at >> 3] = value ? old | (1 << (at & 7)) : old & ~(1 << (at & 7));
}

/** How many numbers are in either set. */
export function countEither(a: Bits, b: Bits): number {
  let count = 0;
  for (let i = 0; i < a.length; i += 1) for (let rest = (a[i] ?? 0) | (b[i] ?? 0); rest !== 0; rest &= rest - 1) count += 1;
  return count;
}
