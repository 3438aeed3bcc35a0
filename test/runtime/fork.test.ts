import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { textOf } from '../../src/protocol/content.ts';
import type { SessionEvent } from '../../src/protocol/events.ts';
import type { Runtime } from '../../src/runtime/runtime.ts';
import { scriptedModel, type ScriptedModel, type ScriptedStep } from '../../src/testing/scripted-model.ts';
import { eventsOf, finish, logOf, makePlace, open, ownSkill, say, writeSkill } from './open.ts';

const load = (skill: string, args?: string) => ({ calls: [{ tool: 'Skill', input: { skill, ...(args === undefined ? {} : { args }) } }] });
const bash = (command: string) => ({ calls: [{ tool: 'Bash', input: { command } }] });
const sent = (model: ScriptedModel, index: number): string => JSON.stringify(model.requests[index]?.messages);
const ask = { calls: [{ tool: 'AskUserQuestion', input: { question: 'Go?' } }] };
const ALLOW = { kind: 'permission', decision: 'allow', scope: 'once' } as const;
const runsOf = async (runtime: Runtime, sessionId: string) => [...(await runtime.sessions.state(sessionId)).agents.values()];
const outputs = (events: readonly SessionEvent[]): readonly string[] => eventsOf(events, 'tool.completed').filter((event) => !event.is_sub_agent).map((event) => textOf(event.output));
const DEFAULT = { permissions: { mode: 'default' } } as const;

describe('context: fork', () => {
  it('runs in a session of its own, bound to the skill, with the request and without the history', async () => {
    const place = makePlace();
    writeSkill(place, 'survey', { frontmatter: 'context: fork\nallowed-tools: Read\n', body: 'BODY OF SURVEY' });
    const model = scriptedModel(['earlier words', load('survey'), bash('touch no.txt'), 'THE RESULT', 'said on']);
    const { runtime } = await open(model, { place });
    const first = await say(runtime, { text: 'SECRET OF BEFORE', cwd: place.project });
    const { result, events } = await say(runtime, { text: 'survey the land', sessionId: first.result.session_id });
    expect(result).toMatchObject({ status: 'done', text: 'said on' });
    const child = model.requests[2];
    expect(child?.system).toContain('BODY OF SURVEY');
    expect(sent(model, 2)).toContain('survey the land');
    expect(sent(model, 2)).not.toContain('SECRET OF BEFORE');
    expect(child?.tools.map((tool) => tool.name)).toEqual(['Read']);
    expect(fs.existsSync(path.join(place.project, 'no.txt'))).toBe(false);
    expect(sent(model, 4)).toContain('THE RESULT');
    expect(sent(model, 4)).not.toContain('BODY OF SURVEY');
    const [started] = eventsOf(events, 'agent.started');
    expect(started).toMatchObject({ agent_type: 'general-purpose', prompt: 'survey the land' });
    expect(eventsOf(events, 'agent.completed')).toMatchObject([{ status: 'done', result: 'THE RESULT' }]);
    const inner = events.filter((event) => event.is_sub_agent);
    expect(inner.length).toBeGreaterThan(3);
    expect(new Set(inner.map((event) => event.agent_id))).toEqual(new Set([started?.task_id]));
    const log = await logOf(runtime, started?.child_id ?? '');
    expect(log[0]).toMatchObject({ type: 'session.started', parent: { session_id: result.session_id } });
  });

  it('asks the person through the call, also in another process, and goes on with the answer', async () => {
    const place = makePlace();
    writeSkill(place, 'worker', { frontmatter: 'context: fork\n', body: 'BODY' });
    const model = scriptedModel([load('worker'), bash('touch one.txt'), { calls: [{ tool: 'AskUserQuestion', input: { question: 'Which colour?' } }] }, 'RESULT', 'end']);
    const { runtime } = await open(model, { place, settings: DEFAULT });
    const first = await say(runtime, { text: 'work', cwd: place.project });
    expect(first.result).toMatchObject({ status: 'waiting', open: [{ question: { kind: 'permission' } }] });
    expect(eventsOf(first.events, 'permission.requested').filter((event) => !event.is_sub_agent)).toMatchObject([{ tool: 'Bash', input: { command: 'touch one.txt' }, reason: expect.stringContaining('the skill worker') }]);
    await runtime.close();
    const later = await open(model, { place, settings: DEFAULT });
    const sessionId = first.result.session_id;
    const second = await finish(await later.runtime.answer({ sessionId, answer: { kind: 'permission', decision: 'allow', scope: 'once' } }));
    expect(second.result).toMatchObject({ status: 'waiting', open: [{ question: { kind: 'question', question: 'Which colour?' } }] });
    expect(fs.existsSync(path.join(place.project, 'one.txt'))).toBe(true);
    const third = await finish(await later.runtime.answer({ sessionId, answer: { kind: 'text', text: 'blue' } }));
    expect(third.result).toMatchObject({ status: 'done', text: 'end' });
    expect(sent(model, 3)).toContain('blue');
    expect(sent(model, 4)).toContain('RESULT');
  });

  it('runs for the person, too, also when only they may call it, and stops with the turn', async () => {
    const place = makePlace();
    writeSkill(place, 'mine', { frontmatter: 'context: fork\ndisable-model-invocation: true\nagent: explore\n', body: 'BODY' });
    const model = scriptedModel(['CHILD RESULT', 'end', { hang: true }]);
    const { runtime } = await open(model, { place });
    const { result, events } = await say(runtime, { text: '/mine look around', cwd: place.project });
    expect(result.text).toBe('end');
    expect(model.requests[0]?.tools.map((tool) => tool.name)).toEqual(['Read', 'Glob', 'Grep']);
    expect(sent(model, 0)).toContain('look around');
    expect(sent(model, 1)).toContain('CHILD RESULT');
    expect(eventsOf(events, 'agent.started')).toMatchObject([{ agent_type: 'explore' }]);
    const turn = await runtime.prompt({ text: '/mine again', sessionId: result.session_id });
    setTimeout(() => turn.cancel(), 200);
    expect((await finish(turn)).result.status).toBe('cancelled');
  });
});

describe('restrictions of the session that starts a fork', () => {
  it('hold in the run, too: the list of the skill that the session is bound to', async () => {
    const place = makePlace();
    ownSkill(place, 'reader', 'allowed-tools: Read, Skill\n');
    writeSkill(place, 'stranger', { frontmatter: 'context: fork\nallowed-tools: Read, Bash\n' });
    const model = scriptedModel([load('stranger'), bash('touch escaped.txt'), 'child', 'end']);
    const { runtime } = await open(model, { place });
    const { events } = await say(runtime, { text: 'x', cwd: place.project, skill: 'reader' });
    expect(model.requests[1]?.tools.map((tool) => tool.name)).toEqual(['Read']);
    expect(eventsOf(events, 'tool.completed').filter((event) => event.is_sub_agent).map((event) => event.status)).toEqual(['denied']);
    expect(fs.readdirSync(place.project)).toEqual(['.agents']);
    const child = eventsOf(events, 'session.started').find((event) => event.parent);
    expect(child).toMatchObject({ tools: ['Read'], restrictions: { allowed: [['Read', 'Skill']] } });
  });

  it('hold in the run, too: what loaded skills restrict and disallow', async () => {
    const place = makePlace();
    writeSkill(place, 'calm', { frontmatter: 'allowed-tools: Read, Skill, Bash, Write\ndisallowed-tools: Bash(touch *)\n' });
    writeSkill(place, 'other', { frontmatter: 'context: fork\n' });
    const edit = { calls: [{ tool: 'Write', input: { file_path: 'w.txt', content: 'x' } }, { tool: 'Glob', input: { pattern: '*' } }] };
    const model = scriptedModel([load('calm'), load('other'), bash('touch escaped.txt'), edit, 'child', 'end']);
    const { runtime } = await open(model, { place, settings: { permissions: { mode: 'unrestricted' }, skills: { allowedTools: 'restrict' } } });
    const { events } = await say(runtime, { text: 'x', cwd: place.project });
    expect(fs.readdirSync(place.project).toSorted()).toEqual(['.agents', 'w.txt']);
    expect(eventsOf(events, 'tool.completed').filter((event) => event.is_sub_agent).map((event) => event.status).toSorted()).toEqual(['denied', 'denied', 'ok']);
    expect(model.requests[2]?.tools.map((tool) => tool.name)).not.toContain('Glob');
  });
});

describe('limits of a fork', () => {
  it.each([{ how: 'flag', maxSteps: 3, maxTurns: 50 }, { how: 'setting', maxSteps: undefined, maxTurns: 3 }])('a skill cannot widen the limit of steps: $how', async ({ maxSteps, maxTurns }) => {
    const place = makePlace();
    writeSkill(place, 'long', { frontmatter: 'context: fork\nmax_iterations: 500\n' });
    const model = scriptedModel([load('long'), ...Array.from({ length: 20 }, (_, index) => bash(`echo ${index}`))]);
    const { runtime } = await open(model, { place, settings: { maxTurns } });
    const { events } = await say(runtime, { text: 'x', cwd: place.project, ...(maxSteps === undefined ? {} : { maxSteps }) });
    expect(eventsOf(events, 'agent.completed')).toMatchObject([{ status: 'limit' }]);
    expect(eventsOf(events, 'message.completed').filter((event) => event.is_sub_agent)).toHaveLength(3);
  });

  const price = { input: 1_000_000, output: 0 };
  const dear = (reply: object) => ({ ...reply, usage: { input: 1 } });

  it.each(['flag', 'setting'])('one budget holds for the turn and its run: %s', async (how) => {
    const place = makePlace();
    writeSkill(place, 'dear', { frontmatter: 'context: fork\n' });
    const model = scriptedModel([dear(load('dear')), ...Array.from({ length: 20 }, (_, index) => dear(bash(`echo ${index}`)))], { price });
    const { runtime } = await open(model, { place, settings: how === 'setting' ? { maxCost: 4 } : {} });
    const { result } = await say(runtime, { text: 'x', cwd: place.project, ...(how === 'flag' ? { maxCostUsd: 4 } : {}) });
    expect(result).toMatchObject({ status: 'limit', cost_usd: 4 });
    expect(model.requests).toHaveLength(4);
  });

  it('runs side by side share the budget', async () => {
    const place = makePlace();
    writeSkill(place, 'dear', { frontmatter: 'context: fork\n' });
    const four = { calls: ['1', '2', '3', '4'].flatMap((args) => load('dear', args).calls) };
    const model = scriptedModel([dear(four), ...Array.from({ length: 80 }, (_, index) => dear(bash(`echo ${index}`)))], { price });
    const { runtime } = await open(model, { place });
    const { result } = await say(runtime, { text: 'x', cwd: place.project, maxCostUsd: 6 });
    expect(result.status).toBe('limit');
    // Each run may be in the middle of one request when the others have used the rest.
    expect(result.cost_usd).toBeLessThanOrEqual(9);
  });
});

describe('the answer to a question of a fork', () => {
  it('goes to the run that asked, even when the skill is gone', async () => {
    const place = makePlace();
    const file = writeSkill(place, 'gone', { frontmatter: 'context: fork\n' });
    const model = scriptedModel([load('gone'), bash('touch one.txt'), 'CHILD RESULT', 'end']);
    const { runtime } = await open(model, { place, settings: DEFAULT });
    const { result } = await say(runtime, { text: 'x', cwd: place.project });
    fs.rmSync(path.dirname(file), { recursive: true });
    const { events } = await finish(await runtime.answer({ sessionId: result.session_id, answer: ALLOW }));
    expect(outputs(events)).toEqual(['CHILD RESULT']);
    expect(fs.existsSync(path.join(place.project, 'one.txt'))).toBe(true);
    expect(await runsOf(runtime, result.session_id)).toMatchObject([{ status: 'done' }]);
  });

  it('takes the result of a run that has ended meanwhile', async () => {
    const place = makePlace();
    writeSkill(place, 'w', { frontmatter: 'context: fork\n' });
    const model = scriptedModel([load('w'), bash('touch one.txt'), 'CHILD RESULT', 'end']);
    const { runtime } = await open(model, { place, settings: DEFAULT });
    const { result } = await say(runtime, { text: 'x', cwd: place.project });
    const [run] = await runsOf(runtime, result.session_id);
    await finish(await runtime.answer({ sessionId: run?.child_id ?? '', answer: ALLOW }));
    const { events } = await finish(await runtime.answer({ sessionId: result.session_id, answer: ALLOW }));
    expect(outputs(events)).toEqual(['CHILD RESULT']);
    expect(eventsOf(events, 'agent.completed')).toMatchObject([{ status: 'done', result: 'CHILD RESULT' }]);
  });

  it('says so and ends the run where it cannot go on', async () => {
    const place = makePlace();
    writeSkill(place, 'w', { frontmatter: 'context: fork\n' });
    const model = scriptedModel([load('w'), bash('touch one.txt'), 'end']);
    const { runtime } = await open(model, { place, settings: DEFAULT });
    const { result } = await say(runtime, { text: 'x', cwd: place.project });
    const [run] = await runsOf(runtime, result.session_id);
    await runtime.sessions.remove(run?.child_id ?? '');
    const { events, result: second } = await finish(await runtime.answer({ sessionId: result.session_id, answer: ALLOW }));
    expect(second).toMatchObject({ status: 'done', text: 'end' });
    expect(outputs(events)[0]).toMatch(/could not go on: There is no session/);
    expect(eventsOf(events, 'agent.completed')).toMatchObject([{ status: 'cancelled' }]);
  });

  it('reaches no run from a copy of the session, and leaves it alone', async () => {
    const place = makePlace();
    writeSkill(place, 'w', { frontmatter: 'context: fork\n' });
    const model = scriptedModel([load('w'), bash('touch one.txt'), 'copy goes on', 'new turn', 'CHILD RESULT', 'end']);
    const { runtime } = await open(model, { place, settings: DEFAULT });
    const { result } = await say(runtime, { text: 'x', cwd: place.project });
    const [answered, left] = [await runtime.sessions.fork(result.session_id), await runtime.sessions.fork(result.session_id)];
    const first = await finish(await runtime.answer({ sessionId: answered, answer: ALLOW }));
    expect(outputs(first.events)[0]).toContain(`belongs to the session ${result.session_id}`);
    expect((await say(runtime, { text: 'never mind', sessionId: left })).result.text).toBe('new turn');
    expect(fs.existsSync(path.join(place.project, 'one.txt'))).toBe(false);
    const { events } = await finish(await runtime.answer({ sessionId: result.session_id, answer: ALLOW }));
    expect(outputs(events)).toEqual(['CHILD RESULT']);
  });

  it('goes to the last run where two calls have had the same id', async () => {
    const place = makePlace();
    writeSkill(place, 'w', { frontmatter: 'context: fork\n' });
    const same = { calls: [{ tool: 'Skill', input: { skill: 'w' }, call_id: 'call_0' }] };
    const model = scriptedModel([same, bash('touch one.txt'), same, bash('touch two.txt'), 'CHILD RESULT', 'end']);
    const { runtime } = await open(model, { place, settings: DEFAULT });
    const { result } = await say(runtime, { text: 'x', cwd: place.project });
    await say(runtime, { text: 'again', sessionId: result.session_id });
    const { events } = await finish(await runtime.answer({ sessionId: result.session_id, answer: ALLOW }));
    expect(outputs(events)).toEqual(['CHILD RESULT']);
    expect(fs.readdirSync(place.project).toSorted()).toEqual(['.agents', 'two.txt']);
  });

  it('is worked on in the mode of now', async () => {
    const place = makePlace();
    writeSkill(place, 'w', { frontmatter: 'context: fork\n' });
    const model = scriptedModel([load('w'), ask, bash('touch late.txt'), 'child', 'end']);
    const { runtime } = await open(model, { place });
    const { result } = await say(runtime, { text: 'x', cwd: place.project });
    await runtime.configure(result.session_id, { mode: 'plan' });
    const { result: second } = await finish(await runtime.answer({ sessionId: result.session_id, answer: { kind: 'text', text: 'ok' } }));
    expect(second.status).toBe('done');
    expect(fs.readdirSync(place.project)).toEqual(['.agents']);
    const [run] = await runsOf(runtime, result.session_id);
    expect((await logOf(runtime, run?.child_id ?? '')).filter((event) => event.type === 'mode.changed')).toMatchObject([{ mode: 'plan' }]);
  });

  it('is worked on under the restrictions of now', async () => {
    const place = makePlace();
    writeSkill(place, 'calm', { frontmatter: 'disallowed-tools: Bash(touch *)\n' });
    writeSkill(place, 'w', { frontmatter: 'context: fork\n' });
    const model = scriptedModel([load('calm'), load('w'), ask, bash('touch late.txt'), 'child', 'end']);
    const { runtime } = await open(model, { place });
    const { result } = await say(runtime, { text: 'x', cwd: place.project });
    await runtime.unloadSkill(result.session_id, 'calm');
    await finish(await runtime.answer({ sessionId: result.session_id, answer: { kind: 'text', text: 'ok' } }));
    expect(fs.existsSync(path.join(place.project, 'late.txt'))).toBe(true);
  });

  it('spares the other questions that an "always" covers, also of other runs, and no others', async () => {
    const place = makePlace();
    for (const name of ['a', 'b']) writeSkill(place, name, { frontmatter: 'context: fork\n', body: `BODY-${name}` });
    const touch = (...names: readonly string[]) => ({ calls: names.flatMap((name) => bash(`touch ${name}.txt`).calls) });
    const step: ScriptedStep = ({ system, messages }) => {
      const isFirst = !JSON.stringify(messages).includes('tool_result');
      if (system.includes('BODY-a')) return isFirst ? touch('x', 'x') : 'RESULT A';
      if (system.includes('BODY-b')) return isFirst ? touch('x', 'y') : 'RESULT B';
      return isFirst ? { calls: [...load('a').calls, ...load('b').calls] } : 'end';
    };
    const { runtime } = await open(scriptedModel(Array.from({ length: 12 }, () => step)), { place, settings: DEFAULT });
    const first = await say(runtime, { text: 'x', cwd: place.project });
    expect(first.result.open).toHaveLength(2);
    const sessionId = first.result.session_id;
    const second = await finish(await runtime.answer({ sessionId, answer: { ...ALLOW, scope: 'always' } }));
    expect(second.result).toMatchObject({ status: 'waiting', open: [{ call: { input: { command: 'touch y.txt' } } }] });
    expect(eventsOf(second.events, 'agent.completed')).toMatchObject([{ result: 'RESULT A' }]);
    const third = await finish(await runtime.answer({ sessionId, answer: ALLOW }));
    expect(third.result).toMatchObject({ status: 'done', text: 'end' });
    expect(fs.readdirSync(place.project).toSorted()).toEqual(['.agents', 'x.txt', 'y.txt']);
  });
});

describe('a new message instead of an answer', () => {
  it('ends the run, its commands and its open calls', async () => {
    const place = makePlace();
    writeSkill(place, 'w', { frontmatter: 'context: fork\n' });
    const background = { calls: [{ tool: 'Bash', input: { command: 'echo $$ > pid.txt; exec sleep 60', run_in_background: true } }] };
    const wait = { calls: [{ tool: 'Bash', input: { command: 'until [ -s pid.txt ]; do sleep 0.05; done' } }] };
    const counted = (reply: object) => ({ ...reply, usage: { input: 7 } });
    const model = scriptedModel([load('w'), counted(background), counted(wait), counted(ask), 'new answer']);
    const { runtime } = await open(model, { place });
    const { result } = await say(runtime, { text: 'x', cwd: place.project });
    const pid = Number(fs.readFileSync(path.join(place.project, 'pid.txt'), 'utf8'));
    expect(() => process.kill(pid, 0)).not.toThrow();
    const { result: second, events } = await say(runtime, { text: 'never mind', sessionId: result.session_id });
    expect(second.text).toBe('new answer');
    expect(eventsOf(events, 'agent.completed')).toMatchObject([{ status: 'cancelled', usage: { input: 21 } }]);
    const [run] = await runsOf(runtime, result.session_id);
    const childId = run?.child_id ?? '';
    expect(run?.status).toBe('cancelled');
    expect((await runtime.sessions.state(childId)).turn?.status).toBe('cancelled');
    await expect(runtime.answer({ sessionId: childId, answer: { kind: 'text', text: 'late' } })).rejects.toMatchObject({ code: 'nothing_to_answer' });
    await expect.poll(() => isAlive(pid)).toBe(false);
  });
});

it('a turn that is stopped ends the runs that wait, too', async () => {
  const place = makePlace();
  for (const name of ['a', 'b']) writeSkill(place, name, { frontmatter: 'context: fork\n', body: `BODY-${name}` });
  const step: ScriptedStep = ({ system }) => {
    if (system.includes('BODY-a')) return ask;
    return system.includes('BODY-b') ? { hang: true } : { calls: [...load('a').calls, ...load('b').calls] };
  };
  const { runtime } = await open(scriptedModel(Array.from({ length: 3 }, () => step)), { place });
  const turn = await runtime.prompt({ text: 'x', cwd: place.project });
  const watched: SessionEvent[] = [];
  for await (const event of turn.events) {
    watched.push(event);
    if (event.type === 'question.asked' && !event.is_sub_agent) turn.cancel();
  }
  expect((await turn.result).status).toBe('cancelled');
  expect(eventsOf(watched, 'agent.completed')).toMatchObject([{ status: 'cancelled' }, { status: 'cancelled' }]);
  expect(await runsOf(runtime, turn.sessionId)).toMatchObject([{ status: 'cancelled' }, { status: 'cancelled' }]);
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
