import fs from 'node:fs';
import path from 'node:path';
import { isObject } from '../../src/protocol/json.ts';
import type { FakeCall, FakeReply, FakeRequest, FakeStep } from '../../src/testing/fake-provider/script.ts';
import { eventsOf, FREE, lostEvents, makePlace, run, sessionOf, start, stored, withProvider, type Place, type Printed } from './program.ts';

const ROUNDS = ['alpha', 'beta', 'gamma', 'delta'] as const;

/** The tool turns of the conversation, in order: each round writes a file, reads, edits and searches it, and appends a line to a log. */
export function toolTurns(project: string): readonly FakeCall[] {
  const log = path.join(project, 'work/log.txt');
  return ROUNDS.flatMap((name): FakeCall[] => {
    const file = path.join(project, `work/${name}.md`);
    return [
      { name: 'Write', input: { file_path: file, content: `# ${name}\n\nstate: open\n${`text of ${name}\n`.repeat(20)}` } },
      { name: 'Read', input: { file_path: file } },
      { name: 'Edit', input: { file_path: file, old_string: 'state: open', new_string: `state: closed (${name})` } },
      { name: 'Grep', input: { pattern: `closed \\(${name}\\)`, path: path.join(project, 'work') } },
      { name: 'Bash', input: { command: `mkdir -p ${path.dirname(log)} && echo ${name} >> ${log} && sleep 0.02 && echo logged` } },
    ];
  });
}

/** How many replies with calls the request holds already, in any of them a result or an interruption. */
function callsBefore(request: FakeRequest): number {
  const messages = request.body['messages'];
  return Array.isArray(messages) ? messages.filter((message) => isObject(message) && Array.isArray(message['tool_calls'])).length : 0;
}

/** A model that goes on from wherever the conversation stands, so that a resumed session is not sent back to its start. */
export function steadySteps(project: string): readonly FakeStep[] {
  const turns = toolTurns(project);
  const step = (request: FakeRequest): FakeReply => {
    const call = turns[callsBefore(request)];
    return call ? { ...(call.name === 'Write' ? { text: 'On.' } : {}), calls: [call], fragment: 400 } : { text: 'All of it is there.' };
  };
  return Array.from({ length: 60 }, () => step);
}

/** When the program is killed: with the arrival of a line of its output, or some time after its first one. */
export type KillPoint = { readonly atLine: number } | { readonly afterMs: number };

/** What came of one kill and of going on after it. */
export interface Attempt {
  readonly point: KillPoint | undefined;
  readonly killed: boolean;
  /** A call that had begun was cut off. */
  readonly cutOff: boolean;
  readonly session: string;
  readonly acknowledged: readonly Printed[];
  /** What is wrong with it; nothing should be. */
  readonly faults: readonly string[];
  readonly written: readonly string[];
}

/** Runs the conversation in a fresh place, kills it at the point, goes on with the session and looks at what is left. */
export async function killAndGoOn(point: KillPoint | undefined, options: { readonly tag?: string } = {}): Promise<Attempt> {
  const place = makePlace();
  await withProvider(place, { steps: steadySteps(place.project) });
  const first = await runAndKill(place, point);
  const acknowledged = eventsOf(first.stdout);
  const session = acknowledged.length > 0 ? sessionOf(acknowledged) : '';
  const faults: string[] = [];
  let cutOff = false;
  if (session !== '') {
    const again = await run(place, ['run', 'go on', '--session', session, ...FREE, '--output', 'stream-json']);
    if (again.code !== 0) faults.push(`going on ended with ${again.code}: ${again.stderr}`);
    const log = await stored(place, session);
    cutOff = log.some((event) => event['status'] === 'interrupted' && log.some((begun) => begun.type === 'tool.started' && begun['call_id'] === event['call_id']));
    faults.push(...faultsOf([...acknowledged, ...eventsOf(again.stdout)], log));
  }
  const written = writtenLines(place);
  faults.push(...ROUNDS.filter((name) => written.filter((line) => line === name).length > 1).map((name) => `${name} was appended twice`));
  return { point, killed: first.signal === 'SIGKILL', cutOff, session, acknowledged, written, faults: faults.map((fault) => `${options.tag ?? ''}${JSON.stringify(point)}: ${fault}`) };
}

async function runAndKill(place: Place, point: KillPoint | undefined): ReturnType<typeof run> {
  const program = start(place, ['run', 'Make the four files.', ...FREE, '--output', 'stream-json'], {
    onLine: (_line, index) => {
      if (point === undefined) return;
      if ('atLine' in point && index === point.atLine) program.child.kill('SIGKILL');
      if ('afterMs' in point && index === 0) setTimeout(() => program.child.kill('SIGKILL'), point.afterMs);
    },
  });
  return program.ended;
}

/** What a log must hold after a crash: every event that was shown, numbers without a gap, and a result for every call. */
export function faultsOf(shown: readonly Printed[], log: readonly Printed[]): readonly string[] {
  const lost = lostEvents(shown, log);
  const requested = log.filter((event) => event.type === 'tool.requested').map((event) => event['call_id']);
  const completed = log.filter((event) => event.type === 'tool.completed').map((event) => event['call_id']);
  const started = new Set(log.filter((event) => event.type === 'tool.started').map((event) => event['call_id']));
  const interrupted = log.filter((event) => event['status'] === 'interrupted');
  const open = log.filter((event) => event.type === 'turn.started' && !log.some((end) => end.type === 'turn.completed' && end['turn_id'] === event['turn_id']));
  const gaps = log.filter((event, index) => event.seq !== index + 1);
  return [
    ...lost.map((event) => `lost or changed: ${JSON.stringify(event).slice(0, 200)}`),
    ...gaps.slice(0, 1).map((event) => `the numbers have a gap before ${event.seq}`),
    ...requested.filter((id) => completed.filter((done) => done === id).length !== 1).map((id) => `call ${String(id)} has no result, or two`),
    ...interrupted.filter((event) => JSON.stringify(event['output']).includes('outcome is unknown') !== started.has(event['call_id'])).map((event) => `call ${String(event['call_id'])} was ${started.has(event['call_id']) ? '' : 'not '}started, and the model is told otherwise`),
    ...open.map((event) => `turn ${String(event['turn_id'])} has no end`),
    ...(log.at(-1)?.type === 'turn.completed' ? [] : ['the log does not end with the end of a turn']),
  ];
}

function writtenLines(place: Place): readonly string[] {
  const file = path.join(place.project, 'work/log.txt');
  return fs.existsSync(file) ? fs.readFileSync(file, 'utf8').split('\n').filter(Boolean) : [];
}

/** Does the work for each item, at most `atOnce` at the same time. */
export async function inParallel<T, R>(items: readonly T[], atOnce: number, work: (item: T) => Promise<R>): Promise<readonly R[]> {
  const results: R[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let index = next++; index < items.length; index = next++) {
      const item = items[index];
      if (item !== undefined) results[index] = await work(item);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return results;
}
