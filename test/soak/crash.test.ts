import { spawn, type ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { holdTurn, takeOver } from '../e2e/owners.ts';
import { makePlace, oneLineOf } from '../e2e/program.ts';
import { inParallel } from '../e2e/twenty-turns.ts';
import { startCluster, withoutPostgres, type Cluster } from '../helpers/postgres.ts';
import { ALL_LINES, killAndGoOn, type Attempt, type KillPoint, type TurnFigures } from './long-turn.ts';

/** Kills by kind, 200 in all; a fifth of them with `SOAK=short`. */
const POINTS = { 'event boundary': 70, 'inside tool': 50, 'inside sub-agent': 40, 'inside compaction': 20, 'random moment': 20 } as const;
const SHARE = process.env['SOAK'] === 'short' ? 0.2 : 1;
/** Real, plus a margin; see the store's own constant. */
const LEASE_MS = 31_000;

describe('kill -9 under load', () => {
  const busy: ChildProcess[] = [];
  beforeAll(() => {
    for (let i = 0; i < 2; i += 1) busy.push(spawn(process.execPath, ['-e', 'for (;;) Math.sqrt(Math.random())'], { stdio: 'ignore' }));
  });
  afterAll(() => {
    for (const child of busy) child.kill('SIGKILL');
  });

  it('at 200 points (40 in short) of turns with sub-agents, commands in the background, a question and a compaction: nothing that was shown is lost, no effect is repeated, no process is left, every session goes on (C-K1, C-K3)', { timeout: 3_600_000 }, async () => {
    expect(await killAtPoints(async () => undefined)).toEqual([]);
  });

  describe.skipIf(withoutPostgres)('with PostgreSQL', () => {
    let cluster: Cluster;
    beforeAll(async () => { cluster = await startCluster({ fsync: true, maxConnections: 200 }); });
    afterAll(() => cluster.dispose());

    it('at the same points', { timeout: 3_600_000 }, async () => {
      expect(await killAtPoints(() => cluster.database())).toEqual([]);
    });
  });
});

/** Each kill has a database of its own; a file in the data folder where `database` gives none. Resolves to what went wrong. */
async function killAtPoints(database: () => Promise<string | undefined>): Promise<readonly string[]> {
  const whole = await killAndGoOn(undefined, await database());
  const points = pointsOf(whole.figures);
  const attempts = await inParallel(points, 3, async (point) => killAndGoOn(point, await database()));
  console.log(tableOf(attempts));
  const texts = new Set(attempts.flatMap(({ text }) => text ?? []));
  const hit = attempts.filter(({ killed }) => killed).length;
  return [
    ...whole.faults,
    ...attempts.flatMap(({ faults }) => faults),
    ...(isDeepStrictEqual(whole.written.toSorted(), ALL_LINES) ? [] : [`without a kill it wrote ${whole.written.join(', ')}`]),
    ...(whole.figures.summaries === 1 ? [] : [`${whole.figures.summaries} summaries`]),
    // Where the kill came before anything was stored there is no turn.
    ...(isDeepStrictEqual(texts, new Set([whole.text])) ? [] : [`turns ended with ${[...texts].map(String).join(' | ')}`]),
    ...(hit > 0.8 * points.length ? [] : [`only ${hit} of ${points.length} kills hit`]),
    ...(attempts.some(({ written }) => written.length < ALL_LINES.length) ? [] : ['no kill hit a command']),
  ];
}

/** Spread over the whole turn, in an order of chance, so that neighbours in time are none in place. */
function pointsOf({ lines, tools, agentLines, ms }: TurnFigures): readonly KillPoint[] {
  const spread = (count: number, over: number): readonly number[] => Array.from({ length: Math.ceil(count * SHARE) }, (_, i) => Math.floor(((i + Math.random()) * over) / Math.ceil(count * SHARE)));
  const points: readonly KillPoint[] = [
    ...spread(POINTS['event boundary'], lines).map((at) => ({ kind: 'event boundary', at }) as const),
    ...spread(POINTS['inside tool'], tools).map((at) => ({ kind: 'inside tool', at, afterMs: Math.random() * 60 }) as const),
    ...spread(POINTS['inside sub-agent'], agentLines).map((at) => ({ kind: 'inside sub-agent', at, afterMs: Math.random() * 30 }) as const),
    ...spread(POINTS['inside compaction'], 1).map(() => ({ kind: 'inside compaction', at: 0, afterMs: Math.random() * 25 }) as const),
    ...spread(POINTS['random moment'], ms * 0.6).map((afterMs) => ({ kind: 'random moment', afterMs }) as const),
  ];
  return points.map((point) => ({ point, rank: Math.random() })).sort((a, b) => a.rank - b.rank).map(({ point }) => point);
}

function tableOf(attempts: readonly Attempt[]): string {
  const rows = Object.keys(POINTS).map((kind) => {
    const of = attempts.filter(({ point }) => point?.kind === kind);
    return [kind, of.length, of.filter(({ killed }) => killed).length, sum(of.map(({ lost }) => lost)), sum(of.map(({ twice }) => twice)), sum(of.map(({ left }) => left)), of.filter(({ reopened }) => reopened).length];
  });
  const total = ['all', ...rows[0]?.slice(1).map((_, i) => sum(rows.map((row) => Number(row[i + 1])))) ?? []];
  const lines = [['killed', 'points', 'hit', 'lost', 'twice', 'left', 'reopened'], ...rows, total];
  return lines.map((row) => row.map((cell, i) => (i === 0 ? String(cell).padEnd(18) : String(cell).padStart(9))).join('')).join('\n');
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, value) => total + value, 0);
}

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
