/** Chance that at least one of `k` runs passes, estimated without bias from `passed` of `total` runs. Undefined for `k` above `total`. */
export function passAtK(passed: number, total: number, k: number): number | undefined {
  if (k > total || k < 1) return undefined;
  return 1 - choiceRatio(total - passed, total, k);
}

/** Chance that all of `k` runs pass. Undefined for `k` above `total`. */
export function passHatK(passed: number, total: number, k: number): number | undefined {
  if (k > total || k < 1) return undefined;
  return choiceRatio(passed, total, k);
}

/** Ways to choose `k` of `part` over those to choose `k` of `whole`. */
function choiceRatio(part: number, whole: number, k: number): number {
  let ratio = 1;
  for (let i = 0; i < k; i += 1) ratio *= Math.max(0, part - i) / (whole - i);
  return ratio;
}
