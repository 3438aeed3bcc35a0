import { setImmediate as tick, setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { StoredEvent } from '../../src/protocol/events.ts';
import { scriptedModel } from '../../src/testing/scripted-model.ts';
import { finish, logOf, makePlace, open, say } from './open.ts';

/** The same numbers for every run. */
function dice(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

it('two clients that send to one session at once, 100 times: one is taken, the other is refused by name, in one order for both (C-O1)', async () => {
  const place = makePlace();
  const clients = await Promise.all(['left', 'right'].map(async (side) => ({ side, ...(await open(scriptedModel(Array.from({ length: 102 }, (_, i) => `answer ${i}`)), { place })) })));
  const [one] = clients;
  if (!one) throw new Error('there are two clients');
  const { session_id: sessionId } = (await say(one.runtime, { text: 'begin', cwd: place.project })).result;
  const taken: string[] = [];
  for (let round = 0; round < 100; round += 1) {
    const sent = await Promise.allSettled(clients.map(async ({ side, runtime }) => {
      const { result, events } = await finish(await runtime.prompt({ text: `${side} ${round}`, sessionId }));
      expect(result.status).toBe('done');
      return { text: `${side} ${round}`, seqs: events.flatMap((event) => ('seq' in event && event.seq !== undefined ? [event.seq] : [])) };
    }));
    for (const each of sent) {
      if (each.status === 'rejected') expect(each.reason).toMatchObject({ code: 'session_busy' });
      else {
        taken.push(each.value.text);
        expect(each.value.seqs).toEqual(each.value.seqs.toSorted((a, b) => a - b));
      }
    }
    expect(sent.some(({ status }) => status === 'fulfilled')).toBe(true);
  }
  const [left, right] = await Promise.all(clients.map(({ runtime }) => logOf(runtime, sessionId)));
  expect(left).toEqual(right);
  expect(left?.map(({ seq }) => seq)).toEqual(left?.map((_, index) => index + 1));
  const texts = left?.flatMap((event) => (event.type === 'turn.started' ? event.input.map((part) => (part.type === 'text' ? part.text : '')) : [])) ?? [];
  expect(texts.slice(1).toSorted()).toEqual(taken.toSorted());
  expect(new Set(texts).size).toBe(texts.length);
}, 120_000);

describe('a client that comes back with the number of the last event it has seen', () => {
  it('1,000 times at random, while the turn goes on, misses none and gets none twice (C-O4)', async () => {
    const place = makePlace();
    const roll = dice(7);
    const steps = 60;
    const { runtime } = await open(scriptedModel([...Array.from({ length: steps }, (_, n) => async () => {
      // As a real one does; the watcher comes back meanwhile.
      await sleep(2);
      return { calls: [{ tool: 'TodoWrite', input: { todos: [{ subject: `step ${n}`, status: 'pending' as const }] } }] };
    }), 'done']), { place, settings: { maxTurns: 100 } });
    const turn = await runtime.prompt({ text: 'go', cwd: place.project });
    const running = finish(turn);
    const watcher = (await open(scriptedModel([]), { place })).runtime;
    const seen: StoredEvent[] = [];
    let isOver = false;
    const over = running.then(() => { isOver = true; });
    let reconnects = 0;
    let whileRunning = 0;
    while (reconnects < 1_000 || !isOver) {
      reconnects += 1;
      whileRunning += isOver ? 0 : 1;
      // Some connections break after a few events, some after none.
      const most = roll(6);
      let got = 0;
      if (most > 0) {
        for await (const event of watcher.sessions.events(turn.sessionId, seen.at(-1)?.seq ?? 0)) {
          seen.push(event);
          if (++got >= most) break;
        }
      }
      await tick();
    }
    await over;
    for await (const event of watcher.sessions.events(turn.sessionId, seen.at(-1)?.seq ?? 0)) seen.push(event);
    expect(seen.map(({ seq }) => seq)).toEqual(seen.map((_, index) => index + 1));
    expect(seen).toEqual(await logOf(runtime, turn.sessionId));
    expect(seen.length).toBeGreaterThan(3 * steps);
    expect(whileRunning).toBeGreaterThan(20);
    // From any place, too.
    const log = await logOf(runtime, turn.sessionId);
    for (let times = 0; times < 1_000; times += 1) {
      const after = roll(log.length + 1);
      const [first] = await take(watcher.sessions.events(turn.sessionId, after), 1);
      expect(first).toEqual(log[after]);
    }
  }, 120_000);
});

async function take<T>(events: AsyncIterable<T>, most: number): Promise<readonly T[]> {
  const taken: T[] = [];
  for await (const event of events) {
    taken.push(event);
    if (taken.length >= most) break;
  }
  return taken;
}
