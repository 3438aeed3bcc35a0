const percentile = (sorted, share) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;

/** Median, 95th percentile and the largest of some numbers, to a tenth. */
export function spread(given) {
  const sorted = given.toSorted((a, b) => a - b);
  return Object.fromEntries([['p50', 0.5], ['p95', 0.95], ['max', 1]].map(([name, share]) => [name, Math.round(percentile(sorted, share) * 10) / 10]));
}

/** Prints figures, part by part, as a table and as JSON. */
export function showFigures(figures) {
  for (const [part, found] of Object.entries(figures)) {
    console.log(`\n${part}`);
    for (const [name, value] of Object.entries(found)) console.log(`  ${name.padEnd(34)} ${typeof value === 'object' ? Object.entries(value).map(([key, number]) => `${key} ${number}`).join('  ') : value}`);
  }
  console.log(`\n${JSON.stringify(figures)}`);
}
