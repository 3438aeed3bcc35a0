const MOST_RELATED = 6;
const LEAST_SHARE = 0.03;
const LEAST_COMMON = 2;
const MOST_WEIGHT = 50;
/** The share at which a word is as good as related by our own list. */
const FULL_SHARE = 0.2;

/**
 * English terms that stand for the same Chinese words, found by going from English to Chinese and back: for each term up
 * to six others, with a weight in percent. `meanings`: Chinese words with their English meanings.
 */
export function relatedTerms(meanings, termsOf) {
  const english = new Map();
  const chinese = new Map();
  for (const [word, said] of meanings) {
    const single = new Set(said.map((meaning) => termsOf(meaning)).filter((terms) => terms.length === 1 && terms[0].length >= 3).map(([term]) => term));
    chinese.set(word, single);
    for (const term of single) english.set(term, [...(english.get(term) ?? []), word]);
  }
  return new Map([...english].map(([term, words]) => [term, nearest(term, words, chinese)]).filter(([, near]) => near.size > 0));
}

function nearest(term, words, chinese) {
  const shares = new Map();
  for (const word of words) {
    const terms = chinese.get(word);
    for (const other of terms) {
      const { share = 0, common = 0 } = shares.get(other) ?? {};
      shares.set(other, { share: share + 1 / terms.size / words.length, common: common + 1 });
    }
  }
  shares.delete(term);
  const near = [...shares].filter(([, { share, common }]) => share >= LEAST_SHARE && common >= LEAST_COMMON).sort(([, a], [, b]) => b.share - a.share).slice(0, MOST_RELATED);
  return new Map(near.map(([other, { share }]) => [other, Math.round(MOST_WEIGHT * Math.min(1, Math.sqrt(share / FULL_SHARE)))]));
}
