import type { OpenRoot } from './index-root.ts';
import type { IndexStore } from './index-store.ts';

/** Tries until the answer stands as it is; other processes seldom write so often. */
const TRIES = 8;

/** Reads from the index until nothing of these roots was changed meanwhile: other processes write and merge while this one reads. */
export async function readConsistently<T>(store: IndexStore, roots: readonly OpenRoot[], read: () => T | Promise<T>): Promise<T> {
  const ids = roots.map(({ record }) => record.id);
  for (let attempt = 1; ; attempt += 1) {
    const before = store.generations(ids);
    const answer = await read();
    if (attempt === TRIES || store.generations(ids) === before) return answer;
  }
}
