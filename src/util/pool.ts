/**
 * Runs `work` over all items, at most `limit` at a time; resolves to the results in the order of the items. When one
 * fails no further one begins, and the first failure is thrown after those that run have ended.
 */
export async function pool<T, R>(items: readonly T[], limit: number, work: (item: T, index: number) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  const failures: unknown[] = [];
  let next = 0;
  const runner = async (): Promise<void> => {
    for (let index = next++; index < items.length && failures.length === 0; index = next++) {
      const item = items[index];
      if (item !== undefined) results[index] = await work(item, index);
    }
  };
  const runs = Array.from({ length: Math.min(limit, items.length) }, () => runner().catch((error: unknown) => void failures.push(error)));
  await Promise.all(runs);
  if (failures.length > 0) throw failures[0];
  return results;
}
