/** Adds up what the terms of a question give each document of a run of documents. */
export interface ScoreBoard {
  /** Sums by document number. */
  readonly sums: Float64Array;
  /** What a term gives one document; see `add`. */
  give(doc: number, gain: number, group: number): void;
  /** Counts one term: of a group's terms the best one of each document counts. A group's terms must come one after another. */
  add(postings: { readonly docs: ArrayLike<number>; readonly impacts: ArrayLike<number> }, term: { readonly group: number; readonly factor: number }): void;
}

/** A board for documents 0 to `documents` - 1, all at zero. `factor` of a term is `termFactor` of score.ts. */
export function scoreBoard(documents: number): ScoreBoard {
  const sums = new Float64Array(documents);
  const best = new Float64Array(documents);
  const lastGroup = new Int32Array(documents).fill(-1);
  const give = (doc: number, gain: number, group: number): void => {
    const before = lastGroup[doc] === group ? (best[doc] ?? 0) : 0;
    if (gain <= before) return;
    sums[doc] = (sums[doc] ?? 0) + gain - before;
    best[doc] = gain;
    lastGroup[doc] = group;
  };
  return {
    sums,
    give,
    add: ({ docs, impacts }, { group, factor }) => {
      for (let i = 0; i < docs.length; i += 1) give(docs[i] ?? 0, factor * (impacts[i] ?? 0), group);
    },
  };
}
