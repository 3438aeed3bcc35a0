import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { isObject } from '../../src/protocol/json.ts';
import { ONE_PERSON } from '../../src/runtime/database/backend.ts';
import { SESSION_MIGRATIONS } from '../../src/sessions/migrations.ts';
import { sqliteSessions } from '../../src/sessions/sqlite-sessions.ts';
import { postgresSessions } from '../../src/sessions/postgres-sessions.ts';
import type { SessionStore } from '../../src/sessions/store.ts';
import { openPostgres } from '../../src/store/postgres/postgres.ts';
import { openSqlite } from '../../src/store/sqlite.ts';
import type { FakeCall, FakeReply, FakeRequest } from '../../src/testing/fake-provider/script.ts';
import { eventsOf, FREE, makePlace, run, start, withProvider, writeSettings, writeSkill, type Ended, type Place, type Printed, type Running } from '../e2e/program.ts';
import { faultsOf } from '../e2e/twenty-turns.ts';
import { processesWith } from '../helpers/processes-with.ts';

/** Small, so that the conversation has to be compacted. */
const CONTEXT = 8_000;
const MOST_TRIES = 8;
/** A process that outlives the program must be gone by then, ms. */
const GONE_MS = 2_000;

/** Where the program is killed; counted over all processes that work on the turn. */
export type KillPoint =
  /** With a line of its output. */
  | { readonly kind: 'event boundary'; readonly at: number }
  /** Some time after a call has begun. */
  | { readonly kind: 'inside tool'; readonly at: number; readonly afterMs: number }
  /** Some time after an event of a sub-agent. */
  | { readonly kind: 'inside sub-agent'; readonly at: number; readonly afterMs: number }
  /** Some time after a summary was asked for. */
  | { readonly kind: 'inside compaction'; readonly at: number; readonly afterMs: number }
  | { readonly kind: 'random moment'; readonly afterMs: number };

/** What there is to count in a turn that nobody kills. */
export interface TurnFigures {
  readonly lines: number;
  readonly tools: number;
  readonly agentLines: number;
  readonly summaries: number;
  readonly ms: number;
}

/** What came of one kill and of going on after it. */
export interface Attempt {
  readonly point: KillPoint | undefined;
  readonly killed: boolean;
  readonly reopened: boolean;
  readonly lost: number;
  readonly twice: number;
  readonly left: number;
  readonly figures: TurnFigures;
  /** What is wrong with it; nothing should be. */
  readonly faults: readonly string[];
  /** Lines that commands appended to a file outside of the store. */
  readonly written: readonly string[];
  readonly text: unknown;
}

/** Lines that the commands of a turn append when nobody kills it. */
export const ALL_LINES = ['alpha', 'beta', 'gamma', 'inner four', 'inner one', 'inner three', 'inner two'];

const messagesOf = ({ body }: FakeRequest): readonly Record<string, unknown>[] => (Array.isArray(body['messages']) ? body['messages'].filter(isObject) : []);

/** A model that goes on from wherever the conversation stands, also after a compaction. */
function stepOf(mark: string, onSummary: () => void): (request: FakeRequest) => FakeReply {
  const bash = (command: string, more: object = {}): FakeCall => ({ name: 'Bash', input: { command: `: ${mark}; ${command}`, ...more } });
  const append = (line: string): FakeCall => bash(`echo ${line} >> log.txt && sleep 0.05`);
  const steps: readonly FakeReply[] = [
    { calls: [{ name: 'Write', input: { file_path: 'a.md', content: 'some text' } }, append('alpha')] },
    { calls: [bash('sleep 300 & sleep 301', { run_in_background: true }), { name: 'Task', input: { prompt: 'INNER four', run_in_background: true } }] },
    { calls: [{ name: 'Task', input: { prompt: 'INNER one', description: 'one' } }, { name: 'Task', input: { prompt: 'INNER two' } }, { name: 'Skill', input: { skill: 'helper', args: 'INNER three' } }] },
    { calls: [{ name: 'Read', input: { file_path: 'a.md' } }, { name: 'BashOutput', input: { bash_id: 'bash_1' } }, { name: 'TaskOutput' }] },
    { calls: [append('beta')], usage: { input: CONTEXT - 1_000, output: 10 } },
    { calls: [{ name: 'AskUserQuestion', input: { question: 'Which colour?', options: ['red', 'blue'] } }] },
    { calls: [append('gamma')] },
  ];
  return (request) => {
    const messages = messagesOf(request);
    const whole = JSON.stringify(messages);
    if (request.body['tools'] === undefined) {
      onSummary();
      return { text: `Up to STEP ${lastStep(whole)} all is done. ${'Notes. '.repeat(20)}` };
    }
    const inner = /INNER (\w+)/.exec(JSON.stringify(messages.find(({ role }) => role === 'user')))?.[1];
    if (inner !== undefined) {
      const made = messages.filter((message) => Array.isArray(message['tool_calls'])).length;
      return [{ calls: [append(`inner ${inner}`)] }, { calls: [{ name: 'Read', input: { file_path: 'a.md' } }] }][made] ?? { text: `RESULT ${inner}` };
    }
    const next = lastStep(whole) + 1;
    const step = steps[next];
    const task = /as task (task_\w+)/.exec(whole)?.[1] ?? 'none';
    return step ? { ...step, calls: (step.calls ?? []).map((call) => (call.name === 'TaskOutput' ? { ...call, input: { task_id: task } } : call)), text: `STEP ${next}` } : { text: 'All of it is done.' };
  };
}

function lastStep(text: string): number {
  return Math.max(-1, ...[...text.matchAll(/STEP (-?\d+)/g)].map((match) => Number(match[1])));
}

/** Runs the turn in a fresh place, with its sessions in a file or in the database of that URL, kills it at the point, goes on with it to its end, and looks at what is left. */
export async function killAndGoOn(point: KillPoint | undefined, database?: string): Promise<Attempt> {
  const made = makePlace();
  const place = database === undefined ? made : { ...made, env: { ...made.env, SKILLMINT_DATABASE: database } };
  const mark = `long-turn-${Math.random().toString(36).slice(2)}`;
  const killer = killerOf(point);
  const provider = await withProvider(place, { steps: Array.from({ length: 90 }, () => stepOf(mark, killer.onSummary)) });
  writeSettings(place, { providers: { fake: { api: 'openai-chat', baseUrl: provider.url, apiKey: 'sk-fake-key', models: [{ id: 'm', contextWindow: CONTEXT, maxOutput: 2_000 }] } } });
  writeSkill(path.join(place.project, '.agents/skills'), { name: 'helper', frontmatter: 'context: fork\n' });
  const began = performance.now();
  const shown: Printed[] = [];
  const faults: string[] = [];
  let left = 0;
  const next = async (args: readonly string[]): Promise<Ended> => {
    const ended = await killer.start(place, [...args, '--output', 'stream-json']);
    shown.push(...eventsOf(ended.stdout));
    if (ended.signal !== 'SIGKILL') return ended;
    await sleep(GONE_MS);
    left += processesWith(mark).length;
    return ended;
  };
  await next(['run', `Do the long work. ${'It has to be done with care. '.repeat(280)}`, ...FREE]);
  const session = shown[0]?.session_id ?? '';
  const status = await untilDone({ place, session, next });
  const ms = performance.now() - began;
  const reopened = session === '' || status === 'done';
  if (!reopened) faults.push(`the turn is ${status}`);
  if (session !== '') {
    const after = await run(place, ['run', 'and now', '--session', session, ...FREE]);
    if (after.code !== 0) faults.push(`the next message ended with ${after.code}: ${after.stderr}`);
  }
  const logs = await allLogs(place);
  const text = firstTurn(logs.get(session) ?? []).findLast((event) => event.type === 'turn.completed')?.['text'];
  const lost = shown.filter((event) => event.seq !== undefined && !isStored(event, logs));
  for (const [id, log] of logs) faults.push(...faultsOf([], log).map((fault) => `${id === session ? 'session' : 'sub-agent'}: ${fault}`));
  faults.push(...lost.map((event) => `lost: ${JSON.stringify(event).slice(0, 160)}`));
  const written = linesOf(place);
  const twice = written.length - new Set(written).size;
  if (twice > 0) faults.push(`written twice: ${written.join(', ')}`);
  if (left > 0) faults.push(`${left} processes were left`);
  return { point, killed: killer.hasKilled(), reopened, lost: lost.length, twice, left, text, written, figures: { ...killer.seen(), ms }, faults: faults.map((fault) => `${JSON.stringify(point)}: ${fault}`) };
}

/** Answers what the session waits for and goes on with what was cut off, each in a process of its own. Resolves to what the session is then. */
async function untilDone({ place, session, next }: { readonly place: Place; readonly session: string; readonly next: (args: readonly string[]) => Promise<Ended> }): Promise<string> {
  for (let tries = 0; session !== '' && tries < MOST_TRIES; tries++) {
    const { status } = JSON.parse((await run(place, ['sessions', 'show', session, '--json'])).stdout);
    if (status === 'waiting') await next(['answer', session, 'blue']);
    else if (status === 'interrupted') await next(['run', '--session', session]);
    else return String(status);
  }
  return 'never done';
}

interface Killer {
  readonly start: (place: Place, args: readonly string[]) => Promise<Ended>;
  readonly onSummary: () => void;
  readonly hasKilled: () => boolean;
  readonly seen: () => Omit<TurnFigures, 'ms'>;
}

/** Kills one of the programs that it starts, once, when the point is reached. */
function killerOf(point: KillPoint | undefined): Killer {
  const seen = { lines: 0, tools: 0, agentLines: 0, summaries: 0 };
  let current: Running | undefined;
  let isAimed = false;
  let killed = false;
  const shoot = (afterMs: number): void => {
    if (isAimed) return;
    isAimed = true;
    const kill = (): void => void current?.child.kill('SIGKILL');
    if (afterMs === 0) kill();
    else setTimeout(kill, afterMs);
  };
  const onLine = (line: string): void => {
    const [event] = eventsOf(`${line}\n`);
    const isAgent = event?.['is_sub_agent'] === true;
    if (point?.kind === 'random moment' && seen.lines === 0) shoot(point.afterMs);
    if (point?.kind === 'event boundary' && seen.lines === point.at) shoot(0);
    if (point?.kind === 'inside tool' && event?.type === 'tool.started' && seen.tools === point.at) shoot(point.afterMs);
    if (point?.kind === 'inside sub-agent' && isAgent && seen.agentLines === point.at) shoot(point.afterMs);
    seen.lines += 1;
    if (event?.type === 'tool.started') seen.tools += 1;
    if (isAgent) seen.agentLines += 1;
  };
  return {
    async start(place, args) {
      current = start(place, args, { onLine });
      const ended = await current.ended;
      killed ||= ended.signal === 'SIGKILL';
      return ended;
    },
    onSummary() {
      if (point?.kind === 'inside compaction' && seen.summaries === point.at) shoot(point.afterMs);
      seen.summaries += 1;
    },
    hasKilled: () => killed,
    seen: () => ({ ...seen }),
  };
}

/** The stored events of every session of the place. */
async function allLogs(place: Place): Promise<ReadonlyMap<string, readonly Printed[]>> {
  const opened = await openLogs(place);
  if (!opened) return new Map();
  const { store } = opened;
  const logs = new Map<string, readonly Printed[]>();
  for (const { session_id: id } of await store.list({ limit: 100, agents: true })) {
    const lines: string[] = [];
    for await (const event of store.read(id)) lines.push(`${JSON.stringify(event)}\n`);
    if (lines.length > 0) logs.set(id, eventsOf(lines.join('')));
  }
  await opened.close();
  return logs;
}

async function openLogs(place: Place): Promise<{ readonly store: SessionStore; readonly close: () => Promise<void> } | undefined> {
  const url = place.env['SKILLMINT_DATABASE'];
  if (url !== undefined) {
    const db = await openPostgres(url);
    return { store: postgresSessions({ db, tenant: ONE_PERSON, isAlive: () => false, sleep }), close: () => db.close() };
  }
  const file = path.join(place.data, 'skillmint.db');
  if (!fs.existsSync(file)) return undefined;
  const store = sqliteSessions(openSqlite(file, SESSION_MIGRATIONS), { now: () => Date.now(), isAlive: () => false });
  return { store, close: () => store.close() };
}

function firstTurn(log: readonly Printed[]): readonly Printed[] {
  const second = log.findIndex((event, index) => event.type === 'turn.started' && log.slice(0, index).some(({ type }) => type === 'turn.started'));
  return second < 0 ? log : log.slice(0, second);
}

/** An event of a sub-agent is shown with its task, which its own log does not repeat. */
function isStored(event: Printed, logs: ReadonlyMap<string, readonly Printed[]>): boolean {
  const { agent_id: _task, is_sub_agent: _sub, ...own } = event;
  const stored = logs.get(event.session_id)?.find(({ seq }) => seq === event.seq);
  return isDeepStrictEqual(stored, own) || isDeepStrictEqual(stored, event);
}

function linesOf(place: Place): readonly string[] {
  const file = path.join(place.project, 'log.txt');
  return fs.existsSync(file) ? fs.readFileSync(file, 'utf8').split('\n').filter(Boolean) : [];
}
