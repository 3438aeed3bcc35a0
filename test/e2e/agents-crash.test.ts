import { describe, expect, it } from 'vitest';
import type { FakeRequest, FakeStep } from '../../src/testing/fake-provider/script.ts';
import { SkillmintError } from '../../src/protocol/errors.ts';
import { isObject } from '../../src/protocol/json.ts';
import { sampled } from '../helpers/points.ts';
import { eventsOf, FREE, makePlace, run, sessionOf, start, stored, withProvider, type Place } from './program.ts';
import { faultsOf, inParallel } from './twenty-turns.ts';

const messagesOf = ({ body }: FakeRequest): readonly unknown[] => (Array.isArray(body['messages']) ? body['messages'] : []);
const role = (message: unknown): unknown => (isObject(message) ? message['role'] : undefined);
const task = (prompt: string, more: object = {}) => ({ name: 'Task', input: { prompt, ...more } });
const glob = { name: 'Glob', input: { pattern: '*' } };

/** A model that goes on from wherever the conversation stands: two agents at once, one in the background, then its result. */
const step: FakeStep = (request) => {
  const messages = messagesOf(request);
  const calls = messages.filter((message) => isObject(message) && Array.isArray(message['tool_calls'])).length;
  if (JSON.stringify(messages.find((message) => role(message) === 'user')).includes('INNER')) return calls < 2 ? { calls: [glob] } : 'RESULT';
  const id = /task_\w+/.exec(JSON.stringify(messages.findLast((message) => JSON.stringify(message).includes('in the background as task'))))?.[0] ?? 'none';
  const turns: readonly FakeStep[] = [{ calls: [task('INNER 1'), task('INNER 2')] }, { calls: [task('INNER 3', { run_in_background: true })] }, { calls: [glob] }, { calls: [{ name: 'TaskOutput', input: { task_id: id } }] }];
  const next = turns[calls] ?? 'All is done.';
  return typeof next === 'function' ? next(request) : next;
};

/** Runs the conversation, kills it with this line of its output, and goes on. Resolves to what is wrong with what is left. */
async function killAt(line: number | undefined): Promise<{ readonly lines: number; readonly killed: boolean; readonly faults: readonly string[] }> {
  const place = makePlace();
  await withProvider(place, { steps: Array.from({ length: 80 }, () => step) });
  const program = start(place, ['run', 'begin', ...FREE, '--output', 'stream-json'], { onLine: (_text, index) => { if (index === line) program.child.kill('SIGKILL'); } });
  const first = await program.ended;
  const shown = eventsOf(first.stdout);
  const killed = first.signal === 'SIGKILL';
  if (shown.length === 0) return { lines: 0, killed, faults: [] };
  const session = sessionOf(shown);
  const again = await run(place, ['run', 'go on', '--session', session, ...FREE, '--output', 'stream-json']);
  const own = [...shown, ...eventsOf(again.stdout)].filter((event) => event['is_sub_agent'] !== true);
  const log = await stored(place, session);
  const faults = [
    ...(again.code === 0 ? [] : [`going on ended with ${again.code}: ${again.stderr}`]),
    ...faultsOf(own, log),
    ...(await faultsOfAgents(place, log)),
  ];
  return { lines: shown.length, killed, faults: faults.map((fault) => `${line}: ${fault}`) };
}

/** Each agent that was begun has one end, in the log of the session and in its own. */
async function faultsOfAgents(place: Place, log: Awaited<ReturnType<typeof stored>>): Promise<readonly string[]> {
  const faults: string[] = [];
  for (const { task_id: id, child_id: child } of log.filter((event) => event.type === 'agent.started')) {
    const ends = log.filter((event) => event.type === 'agent.completed' && event['task_id'] === id);
    if (ends.length !== 1) faults.push(`the agent ${String(id)} has ${ends.length} ends`);
    const own = await ownLog(place, { child: String(child), isDone: ends[0]?.['status'] === 'done' });
    if (own) faults.push(...faultsOf([], own).map((fault) => `in ${String(id)}: ${fault}`));
  }
  return faults;
}

/** The log of an agent; one that was cut off before it had begun has none, or one without a turn. */
async function ownLog(place: Place, { child, isDone }: { readonly child: string; readonly isDone: boolean }): Promise<Awaited<ReturnType<typeof stored>> | undefined> {
  try {
    const own = await stored(place, child);
    return isDone || own.some(({ type }) => type === 'turn.started') ? own : undefined;
  } catch (error) {
    if (!isDone && error instanceof SkillmintError && error.code === 'session_not_found') return undefined;
    throw error;
  }
}

describe('kill -9 of a session with sub-agents', () => {
  it('loses nothing that was shown, and leaves one end of each of them, at any line', { timeout: 600_000 }, async () => {
    const whole = await killAt(undefined);
    expect(whole.faults).toEqual([]);
    const points = sampled(whole.lines, Math.ceil(whole.lines / 10));
    const attempts = await inParallel(points, 3, killAt);
    expect(attempts.flatMap(({ faults }) => faults)).toEqual([]);
    expect(attempts.filter(({ killed }) => killed).length).toBeGreaterThan(0.7 * points.length);
  });
});
