import { expect, it } from 'vitest';
import { eventsOf, FREE, makePlace, oneLineOf, run, withProvider } from '../e2e/program.ts';

it('a provider that sends nothing for a minute is given up and asked once more, with the limits of every day (C-V3)', async () => {
  const place = makePlace();
  const provider = await withProvider(place, { steps: Array.from({ length: 3 }, () => ({ text: 'never whole', fault: { kind: 'hang', afterBytes: 0 } as const })) });
  const began = performance.now();
  const ended = await run(place, ['run', 'hello', ...FREE, '--output', 'stream-json']);
  const seconds = (performance.now() - began) / 1_000;
  expect([ended.code, provider.requests.length]).toEqual([1, 2]);
  expect(oneLineOf(ended)).toContain('sent nothing for 60 s');
  expect(seconds).toBeGreaterThan(119);
  expect(seconds).toBeLessThan(135);
  expect(eventsOf(ended.stdout).at(-1)).toMatchObject({ type: 'turn.completed', status: 'failed' });
});
