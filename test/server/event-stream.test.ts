import { afterEach, expect, it, vi } from 'vitest';
import { eventStream } from '../../src/server/event-stream.ts';
import { revokeToken, setPassword } from '../../src/server/users/change-user.ts';
import { scriptedModel } from '../../src/testing/scripted-model.ts';
import { readEvents } from './open-server.ts';
import { openUsers, type TestUser, type UsersServer } from './open-users.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

it('a fault while events are read ends the stream, and nothing of it stays', async () => {
  vi.useFakeTimers();
  let until: AbortSignal | undefined;
  const response = eventStream({
    async *follow(signal) {
      until = signal;
      yield { type: 'text.delta', text: 'hello', session_id: 'ses_1', time: '2026-01-01T00:00:00.000Z' };
      throw new TypeError('the log cannot be read');
    },
    signal: new AbortController().signal,
    isLetIn: () => true,
  });
  await expect(response.text()).rejects.toThrow('the log cannot be read');
  expect(until?.aborted).toBe(true);
  // Whoever wrote into the stream now would end the program.
  expect(vi.getTimerCount()).toBe(0);
});

it('who asks for the head of a stream alone keeps nothing open', async () => {
  const server = await openUsers({ model: scriptedModel([]) });
  const session = String((await server.root.ask('POST', '/api/sessions', { body: {} })).json['id']);
  const begin = vi.spyOn(globalThis, 'setInterval');
  const end = vi.spyOn(globalThis, 'clearInterval');
  for (const at of ['events', 'export']) {
    const { status, text } = await server.root.ask('HEAD', `/api/sessions/${session}/${at}`);
    expect([at, status, text]).toEqual([at, 200, '']);
  }
  const lives = begin.mock.results.flatMap(({ value }, call) => (begin.mock.calls[call]?.[1] === 15_000 ? [value] : []));
  expect(lives).toHaveLength(1);
  expect(end.mock.calls.map(([timer]) => timer)).toEqual(expect.arrayContaining(lives));
});

/** The events of a new session of a user, until the stream ends. */
async function streamOf({ port }: UsersServer, { ask, token }: TestUser): Promise<{ readonly ended: Promise<unknown> }> {
  const id = String((await ask('POST', '/api/sessions', { body: {} })).json['id']);
  return new Promise((resolve) => {
    const ended = readEvents({ port, server: { token } }, `/api/sessions/${id}/events`, { until: () => {
      resolve({ ended });
      return false;
    } });
  });
}

it.each([
  ['the token is taken back', (data: string) => revokeToken(data, 'ada', 'all')],
  ['the password is another one', (data: string) => setPassword(data, 'ada', 'another password')],
])('a stream ends soon after %s', async (_what, change) => {
  const server = await openUsers({ model: scriptedModel([]) });
  const ada = await server.user('ada');
  await ada.ask('GET', '/api/me');
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const [hers, other] = [await streamOf(server, ada), await streamOf(server, server.root)];
  let isOver = false;
  other.ended.then(() => { isOver = true; }, () => undefined);
  vi.advanceTimersByTime(15_000);
  await change(server.place.data);
  vi.advanceTimersByTime(15_000);
  await hers.ended;
  expect(isOver).toBe(false);
});
