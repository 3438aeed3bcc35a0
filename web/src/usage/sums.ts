import type { UsageSum } from '../../../src/protocol/usage.ts';

/** What can be added up of a day, a model or a skill. */
export type Amounts = Omit<UsageSum, 'day' | 'name'>;

/** How many days back the page looks, today included. */
export type Range = '7' | '30' | '90' | 'all';

/** The ranges, in the order in which they are offered. */
export const RANGES: readonly Range[] = ['7', '30', '90', 'all'];

const DAY_MS = 86_400_000;
const NONE: Amounts = { turns: 0, steps: 0, input: 0, output: 0, cache_read: 0, cache_write: 0, cost_usd: 0, model_ms: 0, tool_ms: 0 };

/** Adds up. */
export function sumOf(rows: readonly Amounts[]): Amounts {
  return rows.reduce<Amounts>((all, one) => ({
    turns: all.turns + one.turns,
    steps: all.steps + one.steps,
    input: all.input + one.input,
    output: all.output + one.output,
    cache_read: all.cache_read + one.cache_read,
    cache_write: all.cache_write + one.cache_write,
    cost_usd: all.cost_usd + one.cost_usd,
    model_ms: all.model_ms + one.model_ms,
    tool_ms: all.tool_ms + one.tool_ms,
  }), NONE);
}

/** One row for each name, over all days. */
export function byName(rows: readonly UsageSum[]): readonly (Amounts & { readonly name: string })[] {
  const sums = new Map<string, Amounts>();
  for (const row of rows) sums.set(row.name, sumOf([sums.get(row.name) ?? NONE, row]));
  return [...sums].map(([name, sum]) => ({ ...sum, name }));
}

/** The day as the API writes it, in UTC. */
export function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

/** First day of a range that ends today; undefined for all. */
export function firstDay(range: Range, now: number): string | undefined {
  return range === 'all' ? undefined : dayOf(now - (Number(range) - 1) * DAY_MS);
}

/** A row for every day from `from` (the first with a row when left out) to `to`, with zeros where nothing was used. */
export function everyDay(rows: readonly UsageSum[], from: string | undefined, to: string): readonly UsageSum[] {
  const known = new Map(rows.map((row) => [row.day, row]));
  const start = Date.parse(from ?? rows[0]?.day ?? to);
  const count = Math.max(1, Math.round((Date.parse(to) - start) / DAY_MS) + 1);
  return Array.from({ length: count }, (_, index) => dayOf(start + index * DAY_MS)).map((day) => known.get(day) ?? { day, name: '', ...NONE });
}
