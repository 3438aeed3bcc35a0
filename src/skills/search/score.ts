/** How much a word that `df` of `total` skills have tells; above zero for every word. */
export function idf(df: number, total: number): number {
  return Math.log(1 + (total - df + 0.5) / (df + 0.5));
}

/** A skill that the words of a question led to. */
export interface Candidate {
  readonly name: string;
  readonly description: string;
  /** Sum of `weight * idf * impact / 255` over the question's words. */
  readonly score: number;
}

/** Most candidates that `rescore` is given. */
export const MOST_CANDIDATES = 50;

/** Orders the best candidates anew with what only the whole question and their names and descriptions tell; best first. */
export function rescore<T extends Candidate>(_text: string, candidates: readonly T[]): readonly T[] {
  return candidates;
}
