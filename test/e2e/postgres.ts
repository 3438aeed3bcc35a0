import { expect, onTestFinished } from 'vitest';
import { createClient } from '../../src/client/create-client.ts';
import type { FakeReply, FakeRequest } from '../../src/testing/fake-provider/script.ts';
import type { FakeProvider } from '../../src/testing/fake-provider/server.ts';
import { withProvider, type Place } from './program.ts';
import { startServer, type Served } from './served.ts';

/** Its lease and the look for what was left, with room. */
const TAKEN_OVER_MS = 40_000;

/** A reply that never comes. */
export const HANG: FakeReply = { text: 'never', fault: { kind: 'hang', afterBytes: 0 } };

/** What a browser or an export shows. */
export interface Shown {
  readonly type: string;
  readonly seq?: number;
  readonly text?: string;
  readonly status?: string;
}

/** `skillmint serve` on a database, and those who ask it. */
export interface Worker extends Served {
  /** The stored events of a session. */
  log(id: string): Promise<readonly Shown[]>;
  status(id: string): Promise<unknown>;
  /** Begins a turn in a session of its own. */
  begin(text: string): Promise<string>;
  /** What a browser sees. */
  follow(id: string, after?: number): { readonly got: Shown[]; readonly stop: () => void };
  readonly errors: () => string;
}

/** Starts one. All of a place take the same token. */
export async function startWorker(place: Place, database: string, args: readonly string[] = []): Promise<Worker> {
  let errors = '';
  const served = await startServer(place, { args, env: { SKILLMINT_DATABASE: database, SKILLMINT_TOKEN: 'token-of-the-test-1' }, onError: (text) => { errors = text; } });
  const client = createClient({ url: `http://127.0.0.1:${served.port}`, token: served.token });
  return {
    ...served,
    errors: () => errors,
    log: async (id) => (await served.ask('GET', `/api/sessions/${id}/export`)).text.split('\n').filter(Boolean).map((line) => JSON.parse(line)),
    status: async (id) => (await served.ask('GET', `/api/sessions/${id}`)).json['status'],
    async begin(text) {
      const made = await served.ask('POST', '/api/sessions', { body: {} });
      const id = String(made.json['id']);
      const sent = await served.ask('POST', `/api/sessions/${id}/messages`, { body: { text } });
      expect(sent.status, sent.text).toBe(202);
      return id;
    },
    follow(id, after) {
      const stop = new AbortController();
      onTestFinished(() => stop.abort());
      const got: Shown[] = [];
      const read = async (): Promise<void> => {
        for await (const event of client.follow(id, { signal: stop.signal, ...(after === undefined ? {} : { after }) })) got.push(event);
      };
      read().catch(() => undefined);
      return { got, stop: () => stop.abort() };
    },
  };
}

/** A model that answers each request by that step, for all workers of the place. */
export function scripted(place: Place, step: (request: FakeRequest) => FakeReply | string | Promise<FakeReply | string>, count = 50): Promise<FakeProvider> {
  return withProvider(place, { settings: { model: 'fake/m', permissions: { mode: 'unrestricted' }, sandbox: 'off' }, steps: Array.from({ length: count }, () => step) });
}

/** How many events of the type there are. */
export function ofType(log: readonly Shown[], type: string): number {
  return log.filter((event) => event.type === type).length;
}

/** Resolves when the turn of a session is done, whoever has to take it over. */
export async function soonDone(one: Worker, id: string): Promise<void> {
  await expect.poll(() => one.status(id), { timeout: TAKEN_OVER_MS, interval: 100 }).toBe('done');
}

/** Leaves that many turns in the middle and lets two workers go on with them at the same moment. Resolves to how often the model was asked for each, and to sessions whose log has another end than one. */
export async function contest(place: Place, database: string, turns: number): Promise<{ readonly asked: readonly number[]; readonly wrong: readonly string[] }> {
  const asked = new Map<string, number>();
  const provider = await scripted(place, ({ text }) => {
    const name = /turn-\d+/.exec(text)?.[0] ?? '';
    const times = (asked.get(name) ?? 0) + 1;
    asked.set(name, times);
    return times === 1 ? HANG : `answer to ${name}`;
  }, 3 * turns);
  const first = await startWorker(place, database, ['--workers', `${turns}`]);
  const ids: string[] = [];
  for (let n = 0; n < turns; n += 50) ids.push(...(await Promise.all(Array.from({ length: Math.min(50, turns - n) }, (_, i) => first.begin(`turn-${n + i}.`)))));
  await expect.poll(() => provider.requests.length, { timeout: 60_000 }).toBe(turns);
  first.running.child.kill('SIGKILL');
  const [one, other] = await Promise.all([startWorker(place, database), startWorker(place, database)]);
  for (const id of ids) await expect.poll(() => one.status(id), { timeout: 300_000, interval: 100 }).toBe('done');
  const wrong: string[] = [];
  for (const id of ids) {
    const log = await other.log(id);
    if (ofType(log, 'turn.resumed') !== 1 || ofType(log, 'turn.completed') !== 1) wrong.push(id);
  }
  return { asked: [...asked.values()], wrong };
}
