/** A candidate with the vector of its text, where there is one. */
export interface FusionCandidate {
  readonly vector: Float32Array | undefined;
}

/** Share of the ranking by meaning. Words dominate: with equal shares a small encoder made the ranking of skills worse. */
const DENSE_SHARE = 0.3;
/** The higher, the less the first ranks stand out. */
const RANK_OFFSET = 10;

/**
 * Orders candidates, which come best first by their words, by a weighted sum of the reciprocals of their ranks by words and
 * by nearness to the question's vector. A candidate without a vector keeps its rank by words for both.
 */
export function fuse<T extends FusionCandidate>(candidates: readonly T[], question: Float32Array): readonly T[] {
  const nearness = candidates.map(({ vector }) => (vector?.length === question.length ? dot(vector, question) : undefined));
  const order = candidates.map((_, i) => i).filter((i) => nearness[i] !== undefined).sort((a, b) => (nearness[b] ?? 0) - (nearness[a] ?? 0));
  const denseRank = new Map(order.map((i, rank) => [i, rank]));
  const share = (rank: number): number => 1 / (RANK_OFFSET + rank);
  const fused = candidates.map((candidate, rank) => ({ candidate, value: (1 - DENSE_SHARE) * share(rank) + DENSE_SHARE * share(denseRank.get(rank) ?? rank) }));
  return fused.sort((a, b) => b.value - a.value).map(({ candidate }) => candidate);
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i += 1) sum += (a[i] ?? 0) * (b[i] ?? 0);
  return sum;
}
