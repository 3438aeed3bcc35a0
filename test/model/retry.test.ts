import { describe, expect, it } from 'vitest';
import type { ModelClock } from '../../src/model/clock.ts';
import type { ModelFailure } from '../../src/model/model.ts';
import { withRetry } from '../../src/model/retry.ts';
import { scriptedModel, type ScriptedStep } from '../../src/testing/index.ts';
import { collect, failureIn, replyIn } from './support.ts';

/** A clock on which each try takes `perTry` ms and each wait passes at once. */
function jumpingClock(): ModelClock & { pass(ms: number): void } {
  let now = 0;
  return { now: () => now, sleep: (ms) => { now += ms; return Promise.resolve(); }, pass: (ms) => { now += ms; } };
}

function run(failures: readonly (Partial<ModelFailure> & { readonly takes: number })[]): { readonly model: ReturnType<typeof withRetry>; readonly asked: () => number } {
  const clock = jumpingClock();
  const steps: readonly ScriptedStep[] = [
    ...failures.map(({ takes, ...failure }): ScriptedStep => () => {
      clock.pass(takes);
      return { failure: { kind: 'http', message: 'no', retryable: true, ...failure } };
    }),
    'At last.',
  ];
  const inner = scriptedModel(steps);
  return { model: withRetry(inner, { clock, random: () => 0.5 }), asked: () => inner.requests.length };
}

describe('retries', () => {
  it('go on to a reply', async () => {
    const { model } = run([{ takes: 10 }, { takes: 10 }, { takes: 10 }, { takes: 10 }]);
    const events = await collect(model);
    expect(events.flatMap((event) => (event.type === 'retry' ? [event.attempt] : []))).toEqual([1, 2, 3, 4]);
    expect(replyIn(events).content).toEqual([{ type: 'text', text: 'At last.' }]);
  });

  it('end after 5 minutes', async () => {
    const { model, asked } = run([{ takes: 200_000 }, { takes: 120_000 }]);
    expect(failureIn(await collect(model)).message).toBe('no (after 2 tries)');
    expect(asked()).toBe(2);
  });

  it('give one more try to a provider that stood still, however long that took', async () => {
    const still = { kind: 'stream', idle: true, takes: 300_000 } as const;
    const once = run([still]);
    expect(replyIn(await collect(once.model))).toBeDefined();
    const twice = run([still, still]);
    expect(failureIn(await collect(twice.model))).toMatchObject({ idle: true });
    expect(twice.asked()).toBe(2);
  });

  it('do not wait an hour after having stood still', async () => {
    const { model, asked } = run([{ kind: 'stream', idle: true, takes: 60_000 }, { takes: 1, retryAfterMs: 3_600_000 }]);
    expect(failureIn(await collect(model)).message).toContain('asks to wait 3600 s');
    expect(asked()).toBe(2);
  });
});
