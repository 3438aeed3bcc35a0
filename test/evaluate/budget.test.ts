import { expect, it } from 'vitest';
import { openBudget } from '../../src/evaluate/runs/budget.ts';

it('never sets aside more than there is, and the first run goes alone', async () => {
  const budget = openBudget({ limitUsd: 1, spentUsd: 0.2, costsUsd: [], slots: 4 });
  const first = await budget.reserve();
  expect(first?.usd).toBeCloseTo(0.8);
  const waiting = [1, 2, 3, 4].map(() => budget.reserve());
  if (first) budget.settle(first, 0.1);
  const given = await Promise.all(waiting);
  const usd = given.map((one) => one?.usd ?? 0);
  expect(usd.every((one) => one >= 0.1)).toBe(true);
  expect(usd.reduce((sum, one) => sum + one, 0)).toBeCloseTo(0.7);
});

it('waits for what others leave, and gives nothing where a run like those before would not fit', async () => {
  const budget = openBudget({ limitUsd: 1, spentUsd: 0.6, costsUsd: [0.3, 0.2], slots: 2 });
  const only = await budget.reserve();
  expect(only?.usd).toBeCloseTo(0.4);
  const [second, third] = [budget.reserve(), budget.reserve()];
  if (only) budget.settle(only, 0.05);
  const next = await second;
  expect(next?.usd).toBeCloseTo(0.35);
  if (next) budget.settle(next, 0.3);
  expect(await third).toBeUndefined();
  expect(await budget.reserve()).toBeUndefined();
});
