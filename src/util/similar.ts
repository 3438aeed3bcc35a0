/** How alike two texts are, from 0 to 1: the share of pairs of neighbouring characters that they have in common. */
export function similarity(a: string, b: string): number {
  if (a === b) return 1;
  const pairsOfA = pairs(a);
  const pairsOfB = pairs(b);
  const total = pairsOfA.length + pairsOfB.length;
  if (total === 0) return 0;
  const left = new Map<string, number>();
  for (const pair of pairsOfA) left.set(pair, (left.get(pair) ?? 0) + 1);
  let common = 0;
  for (const pair of pairsOfB) {
    const count = left.get(pair) ?? 0;
    if (count === 0) continue;
    common++;
    left.set(pair, count - 1);
  }
  return (2 * common) / total;
}

/** The candidates most like a name, best first, without regard to letter case; none when nothing is alike. */
export function mostSimilar(name: string, candidates: readonly string[], count: number): readonly string[] {
  const wanted = name.toLowerCase();
  return candidates
    .map((candidate) => ({ candidate, score: nameSimilarity(wanted, candidate.toLowerCase()) }))
    .filter(({ score }) => score >= 0.5)
    .sort((a, b) => b.score - a.score || (a.candidate < b.candidate ? -1 : 1))
    .slice(0, count)
    .map(({ candidate }) => candidate);
}

/** Names are short: letters that only changed places count half. */
function nameSimilarity(a: string, b: string): number {
  return (similarity(a, b) + similarity(sorted(a), sorted(b))) / 2;
}

function sorted(text: string): string {
  return text.split('').sort().join('');
}

/** Pairs of neighbours, with a mark at both ends so that single letters and beginnings count. */
function pairs(text: string): readonly string[] {
  const marked = `\u0002${text}\u0003`;
  return Array.from({ length: marked.length - 1 }, (_, index) => marked.slice(index, index + 2));
}
