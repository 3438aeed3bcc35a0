import { describe, expect, it } from 'vitest';
import { differenceOf, pairedDifference, type TaskScores } from '../../src/evaluate/statistics/difference.ts';
import { wilson } from '../../src/evaluate/statistics/interval.ts';
import { passAtK, passHatK } from '../../src/evaluate/statistics/pass-at-k.ts';
import { normal, studentT } from '../../src/evaluate/statistics/quantiles.ts';
import { seededRandom, shuffled, type Random } from '../../src/evaluate/statistics/random.ts';
import { summaryOf } from '../../src/evaluate/statistics/summary.ts';
import { verdictOf } from '../../src/evaluate/statistics/verdict.ts';

describe('quantiles and intervals against published values', () => {
  it.each([[1, 12.7062], [2, 4.3027], [4, 2.7764], [9, 2.2622], [19, 2.093], [30, 2.0423], [120, 1.9799]])('Student t, 97.5 %%, %i degrees of freedom', (df, value) => {
    expect(studentT(0.975, df)).toBeCloseTo(value, 3);
  });

  it('normal quantiles', () => {
    expect(normal(0.975)).toBeCloseTo(1.959964, 5);
    expect(normal(0.95)).toBeCloseTo(1.644854, 5);
    expect(studentT(0.95, 5)).toBeCloseTo(2.015, 3);
  });

  // Newcombe 1998, table of examples of the score method without continuity correction.
  it.each([[81, 263, 0.2553, 0.3662], [15, 148, 0.0624, 0.1605], [0, 20, 0, 0.1611], [1, 29, 0.0061, 0.1718], [29, 29, 0.883, 1]])('Wilson interval of %i of %i', (passed, total, low, high) => {
    const interval = wilson(passed, total);
    expect(interval.low).toBeCloseTo(low, 3);
    expect(interval.high).toBeCloseTo(high, 3);
  });

  // Newcombe 1998, method 10: 56/70 against 48/80.
  it('the score interval of a difference of pooled rates', () => {
    const runs = (passed: number, total: number): readonly number[] => Array.from({ length: total }, (_, i) => (i < passed ? 1 : 0));
    const found = differenceOf([{ task: 'only', from: runs(48, 80), to: runs(56, 70) }], 1);
    expect(found).toMatchObject({ method: 'score', tasks: 1 });
    expect(found?.interval.low).toBeCloseTo(0.0524, 3);
    expect(found?.interval.high).toBeCloseTo(0.3339, 3);
  });

  it('pass@k and pass^k', () => {
    expect(passAtK(1, 3, 1)).toBeCloseTo(1 / 3);
    expect(passAtK(1, 3, 2)).toBeCloseTo(2 / 3);
    expect(passAtK(2, 3, 3)).toBe(1);
    expect(passHatK(2, 3, 2)).toBeCloseTo(1 / 3);
    expect(passHatK(2, 3, 3)).toBe(0);
    expect(passHatK(3, 3, 4)).toBeUndefined();
    expect(summaryOf([1, 2, 3, 4])).toEqual({ mean: 2.5, stddev: Math.sqrt(5 / 3), min: 1, max: 4 });
  });
});

describe('coverage of the interval that verdicts come from', () => {
  const RUNS = 3;
  const EXPERIMENTS = 1_000;
  const clamp = (rate: number): number => Math.min(0.99, Math.max(0.01, rate));
  const draw = (random: Random, rate: number): readonly number[] => Array.from({ length: RUNS }, () => (random() < rate ? 1 : 0));

  it.each([5, 10, 20].flatMap((tasks) => [0.5, 0.8, 0.95].flatMap((rate) => [0, -0.3].map((by) => ({ tasks, rate, by })))))('$tasks tasks at $rate, difference $by', ({ tasks, rate, by }) => {
    const random = seededRandom(tasks * 1_000 + rate * 100 + (by === 0 ? 0 : 1));
    let covered = 0;
    for (let experiment = 0; experiment < EXPERIMENTS; experiment += 1) {
      // Tasks are of different difficulty, in both arms alike.
      const scores = Array.from({ length: tasks }, (_, i): TaskScores => {
        const own = clamp(rate + (random() - 0.5) * 0.2);
        return { task: String(i), from: draw(random, own), to: draw(random, clamp(own + by)) };
      });
      const found = pairedDifference(scores);
      const truth = expectedDifference(rate, by);
      if (found && found.interval.low <= truth && truth <= found.interval.high) covered += 1;
      expect(found && found.interval.high > found.interval.low).toBe(true);
    }
    expect(covered / EXPERIMENTS).toBeGreaterThanOrEqual(0.93);
  }, 60_000);

  /** Mean of what the clamped rates differ by. */
  function expectedDifference(rate: number, by: number): number {
    const steps = 2_000;
    let sum = 0;
    for (let i = 0; i < steps; i += 1) {
      const own = clamp(rate + ((i + 0.5) / steps - 0.5) * 0.2);
      sum += clamp(own + by) - own;
    }
    return sum / steps;
  }
});

describe('verdicts and seeds', () => {
  it('says no difference only where the whole interval lies within the margin', () => {
    expect(verdictOf({ low: 0.01, high: 0.4 }, 0.05)).toBe('better');
    expect(verdictOf({ low: -0.4, high: -0.01 }, 0.05)).toBe('worse');
    expect(verdictOf({ low: -0.04, high: 0.05 }, 0.05)).toBe('no difference');
    expect(verdictOf({ low: -0.04, high: 0.06 }, 0.05)).toBe('not enough evidence');
    expect(verdictOf(undefined, 0.05)).toBe('not enough evidence');
  });

  it('gives the same numbers for the same seed and others for another', () => {
    const scores = [0.1, 0.9, 0.4, 0.2].map((score, i) => ({ task: String(i), from: [0], to: [score] }));
    expect(differenceOf(scores, 7)).toEqual(differenceOf(scores, 7));
    expect(differenceOf(scores, 7)?.bootstrap).not.toEqual(differenceOf(scores, 8)?.bootstrap);
    const items = Array.from({ length: 20 }, (_, i) => i);
    expect(shuffled(items, seededRandom(3))).toEqual(shuffled(items, seededRandom(3)));
    expect([...shuffled(items, seededRandom(3))].sort((a, b) => a - b)).toEqual(items);
    expect(differenceOf([{ task: 'a', from: [], to: [1] }], 1)).toBeUndefined();
  });
});
