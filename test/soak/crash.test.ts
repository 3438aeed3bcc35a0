import { spawn, type ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { holdTurn, takeOver } from '../e2e/owners.ts';
import { makePlace, oneLineOf } from '../e2e/program.ts';
import { inParallel, killAndGoOn } from '../e2e/twenty-turns.ts';

const POINTS = 200;
/** Real, plus a margin; see the store's own constant. */
const LEASE_MS = 31_000;

describe('kill -9 at random moments under load', () => {
  const busy: ChildProcess[] = [];
  beforeAll(() => {
    for (let i = 0; i < 2; i += 1) busy.push(spawn(process.execPath, ['-e', 'for (;;) Math.sqrt(Math.random())'], { stdio: 'ignore' }));
  });
  afterAll(() => {
    for (const child of busy) child.kill('SIGKILL');
  });

  it(`${POINTS} times: nothing that was shown is lost, no effect is repeated, every session goes on`, async () => {
    const began = performance.now();
    const whole = await killAndGoOn(undefined);
    expect(whole.faults).toEqual([]);
    const spanMs = (performance.now() - began) * 0.6;
    const moments = Array.from({ length: POINTS }, () => Math.random() * spanMs);
    const attempts = await inParallel(moments, 4, (afterMs) => killAndGoOn({ afterMs }));
    expect(attempts.flatMap((attempt) => attempt.faults)).toEqual([]);
    expect(attempts.filter((attempt) => attempt.killed).length).toBeGreaterThan(POINTS / 2);
  });
});

it('an owner that was stopped for longer than its lease is refused when it wakes', async () => {
  const place = makePlace();
  const held = await holdTurn(place);
  const { early, other, stopped, before, after } = await takeOver(place, held, () => sleep(LEASE_MS));
  expect(early.code).toBe(1);
  expect(other).toMatchObject({ code: 0, stdout: 'The other one went on.\n' });
  expect(stopped.code).toBe(1);
  expect(oneLineOf(stopped)).toMatch(`Another process has taken over session ${held.session}`);
  expect(after).toEqual(before);
});
