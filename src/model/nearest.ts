/** Up to three of `names` that come closest to `wanted`, best first: those that contain it, then those a few letters away. */
export function nearest(wanted: string, names: readonly string[]): readonly string[] {
  const low = wanted.toLowerCase();
  return names
    .map((name) => ({ name, distance: name.toLowerCase().includes(low) && low !== '' ? 0 : editDistance(low, name.toLowerCase()) }))
    .filter(({ distance, name }) => distance <= Math.max(2, Math.floor(name.length / 3)))
    .toSorted((a, b) => a.distance - b.distance)
    .slice(0, 3)
    .map(({ name }) => name);
}

/** Letters to insert, remove or replace. */
function editDistance(a: string, b: string): number {
  let row = [0, ...Array.from(b, (_, column) => column + 1)];
  for (const [index, letter] of Array.from(a).entries()) {
    const next = [index + 1];
    for (const [column, other] of Array.from(b).entries()) {
      const replaced = (row[column] ?? 0) + (letter === other ? 0 : 1);
      next.push(Math.min(replaced, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
