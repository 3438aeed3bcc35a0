import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { FollowedEvent } from '../../src/runtime/follow/follow-session.ts';
import type { Runtime } from '../../src/runtime/runtime.ts';
import { scriptedModel } from '../../src/testing/scripted-model.ts';
import { finish, logOf, makePlace, open, say } from './open.ts';

const todo = (n: number) => ({ text: `Step ${n} of many.`, calls: [{ tool: 'TodoWrite', input: { todos: [{ subject: `step ${n}`, status: 'pending' }] } }] });

/** Follows until an event fits, or the turn is over. */
async function follow(runtime: Runtime, sessionId: string, after: number, until: (event: FollowedEvent, count: number) => boolean): Promise<readonly FollowedEvent[]> {
  const events: FollowedEvent[] = [];
  const stop = new AbortController();
  for await (const event of runtime.sessions.follow(sessionId, { after, signal: stop.signal })) {
    events.push(event);
    if (event.type === 'turn.completed' || until(event, events.length)) break;
  }
  stop.abort();
  return events;
}

const stored = (events: readonly FollowedEvent[]): readonly number[] => events.flatMap(({ seq }) => (seq === undefined ? [] : [seq]));

it('gives every stored event once and in order, wherever one comes in, in this process and from another', { timeout: 60_000 }, async () => {
  const place = makePlace();
  const { runtime } = await open(scriptedModel([...Array.from({ length: 30 }, (_, n) => todo(n)), 'done']), { place });
  const { runtime: other } = await open(scriptedModel([]), { place });
  const turn = await runtime.prompt({ text: 'go', cwd: place.project });
  const running = finish(turn);
  const watchers = await Promise.all([runtime, other, runtime, other].map(async (from, index) => {
    const seen: number[] = [];
    for (let length = 1; ; length = (length * (index + 3)) % 11) {
      const part = await follow(from, turn.sessionId, seen.at(-1) ?? 0, (_event, count) => count > length);
      seen.push(...stored(part));
      if (part.at(-1)?.type === 'turn.completed') return seen;
    }
  }));
  await running;
  const all = (await logOf(runtime, turn.sessionId)).map(({ seq }) => seq);
  for (const seen of watchers) expect(seen).toEqual(all);
});

it('whoever comes in the middle of a sentence gets it from its start, and the rest once', async () => {
  const place = makePlace();
  let go = (): void => undefined;
  const held = new Promise<void>((resolve) => (go = resolve));
  const model = scriptedModel([]);
  const { runtime } = await open({ ...model, stream: async function* () {
    yield { type: 'text.delta' as const, text: 'One, two, ' };
    await held;
    yield { type: 'text.delta' as const, text: 'three.' };
    yield { type: 'done' as const, reply: { content: [{ type: 'text' as const, text: 'One, two, three.' }], stop: 'end' as const, usage: { input: 1, output: 1, cache_read: 0, cache_write: 0 } } };
  } }, { place });
  const turn = await runtime.prompt({ text: 'count', cwd: place.project });
  const running = finish(turn);
  await sleep(50);
  const late = follow(runtime, turn.sessionId, 0, () => false);
  await sleep(50);
  go();
  const texts = (await late).flatMap((event) => (event.type === 'text.delta' ? [event.text] : []));
  await running;
  expect(texts.join('')).toBe('One, two, three.');
  expect((await follow(runtime, turn.sessionId, 0, () => false)).some(({ type }) => type === 'text.delta')).toBe(false);
});

it('gives what sub-agents do without their numbers, and ends with the signal or an unknown session', async () => {
  const place = makePlace();
  const { runtime } = await open(scriptedModel([{ calls: [{ tool: 'Task', input: { prompt: 'INNER', description: 'look' } }] }, 'inner done', 'outer done']), { place });
  const { result } = await say(runtime, { text: 'begin', cwd: place.project });
  const again = await follow(runtime, result.session_id, 0, () => false);
  expect(stored(again)).toEqual(again.map((_, index) => index + 1));
  await expect(follow(runtime, 'ses_none', 0, () => false)).rejects.toMatchObject({ code: 'session_not_found' });
  const stop = new AbortController();
  const idle = (async () => { for await (const _ of runtime.sessions.follow(result.session_id, { after: 1e6, signal: stop.signal })); })();
  stop.abort();
  await idle;
});

it.each(['this process', 'another one'])('ends with a sentence for those who follow a session that is removed by %s', async (by) => {
  const place = makePlace();
  const { runtime } = await open(scriptedModel(['done']), { place });
  const { runtime: other } = await open(scriptedModel([]), { place });
  const turn = await runtime.prompt({ text: 'go', cwd: place.project });
  await finish(turn);
  let seen = 0;
  const following = (async () => {
    for await (const _event of runtime.sessions.follow(turn.sessionId, { signal: AbortSignal.timeout(5_000) })) seen += 1;
  })();
  const told = following.catch((error: unknown) => error);
  while (seen === 0) await sleep(5);
  await (by === 'this process' ? runtime : other).sessions.remove(turn.sessionId);
  expect(await told).toMatchObject({ code: 'session_not_found' });
});
