import type { SqlValue } from '../../store/database.ts';

/** Lists are filled up to one of these lengths, so that few statements have to be prepared. */
const LENGTHS = [1, 4, 16, 64, 200] as const;
const LONGEST = 200;

/** Calls `query` with `(?, ?, …)` and its values, in parts where there are many; what it returns is joined. */
export function inLists<T>(values: readonly SqlValue[], query: (list: string, params: readonly SqlValue[]) => readonly T[]): readonly T[] {
  const results: T[] = [];
  for (let from = 0; from < values.length; from += LONGEST) {
    const part = values.slice(from, from + LONGEST);
    const length = LENGTHS.find((each) => each >= part.length) ?? LONGEST;
    const params = [...part, ...Array.from({ length: length - part.length }, () => part.at(-1) ?? null)];
    results.push(...query(`(${params.map(() => '?').join(',')})`, params));
  }
  return results;
}
