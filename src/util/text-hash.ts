/** Largest value of `textHash`. */
const RANGE = 0x1_0000_0000;

/**
 * A whole number below 2^48 that stands for a text. Two texts of a collection of a million share one with a chance of about
 * one in six hundred, so it may name words and tell whether something changed; it is no protection against intent.
 */
export function textHash(text: string): number {
  let low = 0x811c9dc5;
  let high = 0x9747b28c;
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    low = Math.imul(low ^ code, 0x01000193);
    high = Math.imul(high ^ (code + (high >>> 13)), 0x5bd1e995);
  }
  low = Math.imul(low ^ (low >>> 15), 0x2c1b3c6d);
  high = Math.imul(high ^ (high >>> 13) ^ text.length, 0x297a2d39);
  return ((high >>> 16) & 0xffff) * RANGE + ((low ^ (low >>> 16)) >>> 0);
}
