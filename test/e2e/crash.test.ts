import { describe, expect, it } from 'vitest';
import { inParallel, killAndGoOn } from './twenty-turns.ts';

describe('kill -9', () => {
  it('at every line of a turn of twenty tool calls loses nothing that was shown, repeats no effect and leaves a session that goes on', { timeout: 240_000 }, async () => {
    const t=performance.now();
    const whole = await killAndGoOn(undefined);
    console.log(performance.now()-t);
    expect(whole.faults).toEqual([]);
    expect(whole.written).toEqual(['alpha', 'beta', 'gamma', 'delta']);
    const points = whole.acknowledged.map((_event, atLine) => ({ atLine }));
    expect(points.length).toBeGreaterThan(80);
    const attempts = await inParallel(points, 2, (point) => killAndGoOn(point));
    console.log(performance.now()-t, points.length);
    expect(attempts.flatMap((attempt) => attempt.faults)).toEqual([]);
    const killed = attempts.filter((attempt) => attempt.killed);
    console.log(killed.length, attempts.map(a=>a.acknowledged.length-1-((a.point as any).atLine)).join(' '), attempts.map(a=>a.written.length).join(' '));
  });
});
