import fs from 'node:fs';
import path from 'node:path';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { isObject } from '../../src/protocol/json.ts';
import type { FakeCall, FakeReply, FakeRequest } from '../../src/testing/fake-provider/script.ts';
import { eventsOf, exported, FREE, makePlace, run, start, withProvider, writeSkill, type Place, type Printed } from './program.ts';
import { faultsOf, inParallel } from './twenty-turns.ts';

const WORKFLOW = `# Building with a plan

1. Ask the person what only they can know.
2. Write the plan to docs/plan.md.
3. Hand each task to a sub-agent; tasks that do not depend on each other at the same time.
4. Run the tests. Read what they say before you claim that it works.`;

const TESTS = `sleep 0.2
grep -q "$(cat parts/one.txt)" whole.txt && grep -q "$(cat parts/two.txt)" whole.txt && grep -q 'Greeting:' docs/plan.md && echo "3 tests passed" > report.txt
cat report.txt`;

interface Made {
  readonly call: FakeCall;
  readonly result: string;
}

/** The calls of a conversation, each with its result. */
function callsOf({ body }: FakeRequest): readonly Made[] {
  const messages = (Array.isArray(body['messages']) ? body['messages'] : []).filter(isObject);
  const results = new Map(messages.flatMap((message) => (message['role'] === 'tool' ? [[message['tool_call_id'], JSON.stringify(message['content'])] as const] : [])));
  return messages.flatMap((message) => (Array.isArray(message['tool_calls']) ? message['tool_calls'].filter(isObject) : [])).map((made) => {
    const called = isObject(made['function']) ? made['function'] : {};
    return { call: { name: String(called['name']), input: JSON.parse(String(called['arguments'])) }, result: results.get(made['id']) ?? '' };
  });
}

/** A call of the plan counts as made when its result is known; a model that works with care makes it again otherwise. */
function missing(plan: readonly FakeCall[], made: readonly Made[]): readonly FakeCall[] {
  return plan.filter((call) => !made.some((one) => JSON.stringify(one.call) === JSON.stringify(call) && !/outcome is unknown|Not run|did not end well/.test(one.result)));
}

const task = (which: string): FakeCall => ({ name: 'Task', input: { prompt: `TASK ${which}`, description: which } });
const write = (file: string, content: string): FakeCall => ({ name: 'Write', input: { file_path: file, content } });
const bash = (command: string): FakeCall => ({ name: 'Bash', input: { command } });
const read = (file: string): FakeCall => ({ name: 'Read', input: { file_path: file } });

const OF_TASK: Readonly<Record<string, readonly (readonly FakeCall[])[]>> = {
  one: [[write('parts/one.txt', 'the first part\n')], [bash('sleep 0.2; test -s parts/one.txt && echo one is fine')]],
  two: [[write('parts/two.txt', 'the second part\n')], [bash('sleep 0.2; test -s parts/two.txt && echo two is fine')]],
  three: [[bash('cat parts/one.txt parts/two.txt > whole.txt')], [read('whole.txt')]],
};

/** Does what the skill says, from wherever the conversation stands. */
function model(request: FakeRequest): FakeReply {
  const made = callsOf(request);
  const which = /TASK (\w+)/.exec(JSON.stringify(request.body['messages']).split('"role":"assistant"')[0] ?? '')?.[1];
  const answer = /[a-z]+/.exec(made.find(({ call, result }) => call.name === 'AskUserQuestion' && result !== '')?.result ?? '')?.[0] ?? '';
  const plan = which === undefined ? [
    [{ name: 'Skill', input: { skill: 'building' } }],
    [{ name: 'AskUserQuestion', input: { question: 'Which greeting?', options: ['hello', 'welcome'] } }],
    [write('docs/plan.md', `# Plan\n\nGreeting: ${answer}\n\n1. one\n2. two\n3. three\n`)],
    [task('one'), task('two')],
    [task('three')],
    [bash('sh run-tests.sh')],
    [read('report.txt')],
  ] : OF_TASK[which] ?? [];
  const next = plan.map((calls) => missing(calls, made)).find((calls) => calls.length > 0);
  if (next) return { calls: next };
  return { text: which === undefined ? `Built with "${answer}": ${/\d tests passed/.exec(made.at(-1)?.result ?? '')?.[0] ?? 'nothing was verified'}.` : `Task ${which} is done.` };
}

type Moment = (event: Printed, isAgent: boolean) => boolean;

/** What is there when the work is done. */
interface Outcome {
  readonly files: Readonly<Record<string, string>>;
  readonly text: string;
  readonly kills: number;
  readonly faults: readonly string[];
}

/** Builds with the skill; the program is killed at each of the moments, one after the other, and the question is answered from another process. */
async function build(moments: readonly Moment[]): Promise<Outcome> {
  const place = makePlace();
  fs.writeFileSync(path.join(place.project, 'run-tests.sh'), TESTS);
  writeSkill(path.join(place.project, '.agents/skills'), { name: 'building', description: 'Builds something with a plan and sub-agents.', body: WORKFLOW });
  const left = [...moments];
  let aimed = false;
  // What the program has said before its request is read first; once it is to be killed the model is silent, so that it cannot come to its end before.
  const step = async (request: FakeRequest): Promise<FakeReply> => {
    await sleep(50);
    await setImmediate();
    return aimed ? { fault: { kind: 'hang', afterBytes: 0 } } : model(request);
  };
  await withProvider(place, { steps: Array.from({ length: 80 }, () => step) });
  let kills = 0;
  let session = '';
  const go = async (args: readonly string[]): Promise<void> => {
    aimed = false;
    const program = start(place, [...args, '--output', 'stream-json'], {
      onLine: (line) => {
        const [event] = eventsOf(`${line}\n`);
        if (!event) return;
        if (event['is_sub_agent'] !== true) session ||= event.session_id;
        if (aimed || !left[0]?.(event, event['is_sub_agent'] === true)) return;
        aimed = true;
        left.shift();
        setTimeout(() => program.child.kill('SIGKILL'), 20);
      },
    });
    const ended = await program.ended;
    if (ended.signal === 'SIGKILL') kills += 1;
    else expect([0, 3], ended.stderr).toContain(ended.code);
  };
  await go(['run', 'Build it with the skill building.', ...FREE]);
  for (let status = await statusOf(place, session); status !== 'done'; status = await statusOf(place, session)) await go(status === 'waiting' ? ['answer', session, 'welcome'] : ['run', '--session', session]);
  const log = await exported(place, session);
  return { files: filesBelow(place.project), text: String(log.at(-1)?.['text']), kills, faults: faultsOf([], log) };
}

async function statusOf(place: Place, session: string): Promise<string> {
  const { stdout } = await run(place, ['sessions', 'show', session, '--json']);
  return String(JSON.parse(stdout).status);
}

function filesBelow(folder: string): Readonly<Record<string, string>> {
  const files = fs.readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
  return Object.fromEntries(files.toSorted().map((file) => [path.relative(folder, file), fs.readFileSync(file, 'utf8')]));
}

const starts = (tool: string, agent: boolean): Moment => {
  const calls = new Set<unknown>();
  return (event, isAgent) => {
    if (isAgent === agent && event.type === 'tool.requested' && event['tool'] === tool) calls.add(event['call_id']);
    return event.type === 'tool.started' && isAgent === agent && calls.has(event['call_id']);
  };
};
const happens = (type: string, agent = false): Moment => (event, isAgent) => event.type === type && isAgent === agent;

/** Pairs of moments at which the program is killed. */
const PAIRS = (): Readonly<Record<string, readonly Moment[]>> => ({
  'in the command of a sub-agent, and in the tests': [starts('Bash', true), starts('Bash', false)],
  'while it writes the plan, and between two sub-agents': [starts('Write', false), happens('agent.completed')],
  'before it asks, and when a sub-agent has begun': [happens('skill.activated'), happens('agent.started')],
  'with the answer, and at the reply of a sub-agent': [happens('question.answered'), happens('message.completed', true)],
});

it('a skill that asks, plans, hands tasks to sub-agents, tests and verifies comes to the same when it is killed twice and answered from another process', { timeout: 240_000 }, async () => {
  const whole = await build([]);
  expect(whole).toMatchObject({ text: 'Built with "welcome": 3 tests passed.', kills: 0, faults: [] });
  expect(Object.keys(whole.files)).toEqual(['.agents/skills/building/SKILL.md', 'docs/plan.md', 'parts/one.txt', 'parts/two.txt', 'report.txt', 'run-tests.sh', 'whole.txt']);
  const cut = await inParallel(Object.entries(PAIRS()), 2, async ([when, moments]) => ({ when, ...(await build(moments)) }));
  expect(cut).toEqual(Object.keys(PAIRS()).map((when) => ({ ...whole, when, kills: 2 })));
});
