import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { SessionEvent } from '../../../src/protocol/events.ts';
import { scriptedModel, type ScriptedStep } from '../../../src/testing/scripted-model.ts';
import { eventsOf, finish, makePlace, open, say } from '../open.ts';
import { call, outputs, projectFolder, roles, task, textsOf, writeAgent } from './agents.ts';

const ALLOW = { kind: 'permission', decision: 'allow', scope: 'once' } as const;
const DEFAULT = { permissions: { mode: 'default' } } as const;
const background = (prompt: string, more = {}) => ({ prompt, run_in_background: true, ...more });
const touch = (name: string) => call('Bash', { command: `touch ${name}` });
/** Calls TaskOutput for the task that a result of the request names. */
const output = (more: object = {}): ScriptedStep => (request) => call('TaskOutput', { task_id: /task_\w+/.exec(textsOf(request))?.[0] ?? 'none', ...more });
const gate = () => {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { open: () => open(), step: (reply: ScriptedStep): ScriptedStep => async (request, index) => {
    await opened;
    return typeof reply === 'function' ? reply(request, index) : reply;
  } };
};

describe('a sub-agent in the background', () => {
  it('runs beside the turn; TaskOutput says how it stands, and gives its result', async () => {
    const place = makePlace();
    const held = gate();
    const opening: ScriptedStep = (request, index) => {
      held.open();
      return typeof wait === 'function' ? wait(request, index) : wait;
    };
    const wait = output();
    const model = scriptedModel(roles([task(background('INNER')), output({ block: false }), opening, 'end'], { INNER: [held.step('THE RESULT')] }));
    const { runtime } = await open(model, { place });
    const { events, result } = await say(runtime, { text: 'x', cwd: place.project });
    expect(result).toMatchObject({ status: 'done', text: 'end', open: [] });
    const [started] = eventsOf(events, 'agent.started');
    expect(started).toMatchObject({ background: true });
    expect(outputs(events)).toEqual([expect.stringContaining(`as task ${started?.task_id}`), 'running', 'THE RESULT']);
    expect(eventsOf(events, 'agent.completed')).toMatchObject([{ task_id: started?.task_id, status: 'done', result: 'THE RESULT' }]);
    expect(JSON.stringify(model.requests.at(-1)?.messages)).not.toContain('<agent_ended>');
    expect(runtime.agents.running(result.session_id)).toEqual([]);
  });

  it('that ends while the turn runs is told to the model before its next request, once', async () => {
    const place = makePlace();
    const model = scriptedModel(roles([task(background('INNER')), call('Bash', { command: 'sleep 0.4' }), call('Glob', { pattern: 'a' }), output(), 'end'], { INNER: ['THE RESULT'] }));
    const { runtime } = await open(model, { place });
    const { events, result } = await say(runtime, { text: 'x', cwd: place.project });
    const third = model.requests.filter((request) => textsOf(request).includes('<agent_ended>'));
    expect(textsOf(third[0]).split('has ended: done').length).toBe(2);
    expect(textsOf(third.at(-1)).split('<agent_ended>').length).toBe(2);
    expect(outputs(events).at(-1)).toBe('THE RESULT');
    expect(eventsOf(events, 'agent.completed')).toHaveLength(1);
    expect(result.text).toBe('end');
  });

  it('goes on after the turn, and the next turn is told of its end', async () => {
    const place = makePlace();
    const held = gate();
    const model = scriptedModel(roles([task(background('INNER')), 'first end', output(), 'second end'], { INNER: [held.step('THE RESULT')] }));
    const { runtime } = await open(model, { place });
    const first = await say(runtime, { text: 'x', cwd: place.project });
    const sessionId = first.result.session_id;
    expect(first.result.text).toBe('first end');
    const [running] = runtime.agents.running(sessionId);
    expect(running).toMatchObject({ agent_type: 'general-purpose' });
    held.open();
    expect(await running?.ended).toMatchObject({ status: 'done', text: 'THE RESULT' });
    const second = await say(runtime, { text: 'and now', sessionId });
    expect(textsOf(model.requests[3])).toMatch(/background agent general-purpose \(task_\w+\) has ended: done/);
    expect(outputs(second.events)).toEqual(['THE RESULT']);
    const usage = (await runtime.sessions.state(sessionId)).agents.values().next().value;
    expect(usage).toMatchObject({ status: 'done', background: true });
  });

  it('ends with the turn that is stopped, also when it was started in an earlier one', async () => {
    const place = makePlace();
    const model = scriptedModel(roles([task(background('ONE')), 'end', task(background('TWO')), { hang: true }, 'after'], { ONE: [call('Bash', { command: 'sleep 60' })], TWO: [{ hang: true }] }));
    const { runtime } = await open(model, { place });
    const { result } = await say(runtime, { text: 'x', cwd: place.project });
    const turn = await runtime.prompt({ text: 'y', sessionId: result.session_id });
    setTimeout(() => turn.cancel(), 400);
    const began = Date.now();
    await finish(turn);
    await expect.poll(() => runtime.agents.running(result.session_id).length).toBe(0);
    expect(Date.now() - began).toBeLessThan(2_400);
    await say(runtime, { text: 'z', sessionId: result.session_id });
    expect([...(await runtime.sessions.state(result.session_id)).agents.values()].map(({ status }) => status)).toEqual(['cancelled', 'cancelled']);
    expect(textsOf(model.requests.at(-1)).match(/has ended: cancelled/g)).toHaveLength(2);
  });

  it('ends with the runtime, and another one reads what became of it', async () => {
    const place = makePlace();
    const model = scriptedModel(roles([task(background('INNER')), 'end', output(), 'told'], { INNER: [{ text: 'SO FAR', ...call('Glob', { pattern: 'x' }) }, { hang: true }] }));
    const first = await open(model, { place });
    const { result } = await say(first.runtime, { text: 'x', cwd: place.project });
    await expect.poll(() => model.requests.length).toBe(4);
    await first.runtime.close();
    const { runtime } = await open(model, { place });
    const { events } = await say(runtime, { text: 'y', sessionId: result.session_id });
    expect(outputs(events)[0]).toMatch(/did not end well \(cancelled\)[^]*SO FAR/);
  });

  it('is one whose file says so', async () => {
    const place = makePlace();
    writeAgent(projectFolder(place), 'slow', 'description: Slow.\nbackground: true\nisolation: container\n');
    const model = scriptedModel(roles([task({ prompt: 'INNER', subagent_type: 'slow' }), output(), 'end'], { INNER: ['THE RESULT'] }));
    const { runtime } = await open(model, { place });
    const { events } = await say(runtime, { text: 'x', cwd: place.project });
    expect(outputs(events)).toEqual([expect.stringContaining('in the background'), 'THE RESULT']);
    expect(eventsOf(events, 'warning').map(({ message }) => message).join()).toContain('does not count: the isolation container');
  });

  it('waits for a place like any other', async () => {
    const place = makePlace();
    let running = 0;
    let most = 0;
    const inner: ScriptedStep = async () => {
      most = Math.max(most, ++running);
      await pause(50);
      running--;
      return 'RESULT';
    };
    const model = scriptedModel(roles([task(...Array.from({ length: 6 }, (_, n) => background(`INNER ${n}`)), { prompt: 'INNER last' }), 'end'], { INNER: Array.from({ length: 7 }, () => inner) }));
    const { runtime } = await open(model, { place, settings: { agents: { parallel: 2 } } });
    const { result } = await say(runtime, { text: 'x', cwd: place.project });
    await Promise.all(runtime.agents.running(result.session_id).map(({ ended }) => ended));
    expect(most).toBe(2);
    expect(model.requests).toHaveLength(9);
  });
});

describe('a background agent that needs a person', () => {
  const begin = async (outer: readonly ScriptedStep[]) => {
    const place = makePlace();
    const model = scriptedModel(roles([task(background('INNER')), ...outer], { INNER: [touch('one.txt'), 'THE RESULT'] }));
    const { runtime } = await open(model, { place, settings: DEFAULT });
    return { place, model, runtime };
  };
  const slow = call('Glob', { pattern: '*' });

  it('waits without holding up the turn, is listed with its end, and is answered through the session', async () => {
    const { place, runtime, model } = await begin([slow, 'end', output(), 'told']);
    const turn = await runtime.prompt({ text: 'x', cwd: place.project });
    const shown: SessionEvent[] = [];
    for await (const event of turn.events) shown.push(event);
    const result = await turn.result;
    expect(result.status).toBe('done');
    await Promise.all(runtime.agents.running(result.session_id).map(({ ended }) => ended));
    const [waiting] = await runtime.agents.waiting(result.session_id);
    expect(waiting).toMatchObject({ agent: { agent_type: 'general-purpose' }, call: { tool: 'Bash', input: { command: 'touch one.txt' } } });
    const requestId = waiting?.question.request_id ?? '';
    const other = await open(model, { place, settings: DEFAULT });
    const answered = await finish(await other.runtime.answer({ sessionId: result.session_id, requestId, answer: ALLOW }));
    expect(answered.result).toMatchObject({ status: 'done', text: 'THE RESULT', session_id: waiting?.agent?.session_id });
    expect(fs.existsSync(path.join(place.project, 'one.txt'))).toBe(true);
    await expect(runtime.answer({ sessionId: result.session_id, requestId, answer: ALLOW })).rejects.toMatchObject({ code: 'request_not_open' });
    const { events } = await say(runtime, { text: 'more', sessionId: result.session_id });
    expect(outputs(events)).toEqual(['THE RESULT']);
    expect(await runtime.agents.waiting(result.session_id)).toEqual([]);
  });

  it('asks through the call of TaskOutput that waits for it', async () => {
    const { place, runtime } = await begin([output(), 'end']);
    const { result } = await say(runtime, { text: 'x', cwd: place.project });
    expect(result).toMatchObject({ status: 'waiting', open: [{ call: { tool: 'Bash' }, question: { reason: expect.stringContaining('the agent general-purpose') } }, { agent: {} }] });
    const { events, result: second } = await finish(await runtime.answer({ sessionId: result.session_id, answer: ALLOW }));
    expect(second).toMatchObject({ status: 'done', text: 'end', open: [] });
    expect(outputs(events)).toEqual(['THE RESULT']);
    expect(eventsOf(events, 'agent.completed')).toHaveLength(1);
    expect(fs.existsSync(path.join(place.project, 'one.txt'))).toBe(true);
  });

  it('says so to TaskOutput that does not wait', async () => {
    const { place, runtime } = await begin([async (request, index) => {
      await pause(300);
      const step = output({ block: false });
      return typeof step === 'function' ? step(request, index) : step;
    }, 'end']);
    const { events, result } = await say(runtime, { text: 'x', cwd: place.project });
    expect(outputs(events)[1]).toMatch(/^waiting: the agent general-purpose needs the person/);
    expect(result).toMatchObject({ status: 'done', open: [{ agent: { agent_type: 'general-purpose' } }] });
  });

  it('has no more rights than the session by the time of the answer', async () => {
    const { place, runtime } = await begin([slow, 'end']);
    const { result } = await say(runtime, { text: 'x', cwd: place.project });
    await Promise.all(runtime.agents.running(result.session_id).map(({ ended }) => ended));
    await runtime.configure(result.session_id, { mode: 'plan' });
    await finish(await runtime.answer({ sessionId: result.session_id, answer: ALLOW }));
    expect(fs.existsSync(path.join(place.project, 'one.txt'))).toBe(false);
  });
});

describe('TaskOutput', () => {
  it.each([
    { steps: [call('TaskOutput', { task_id: 'task_no' })], says: /no task task_no: this session has started no sub-agents/ },
    { steps: [task({ prompt: 'INNER' }), call('TaskOutput', { task_id: 'nonsense', block: false })], says: /no task nonsense\. Known: task_\w+\./ },
    { steps: [call('TaskOutput', {})], says: /task_id/ },
  ])('of an id that is not known: $says', async ({ steps, says }) => {
    const place = makePlace();
    const { runtime } = await open(scriptedModel(roles([...steps, 'end'], { INNER: ['r'] })), { place });
    const { events, result } = await say(runtime, { text: 'x', cwd: place.project });
    expect(outputs(events).at(-1)).toMatch(says);
    expect(result.status).toBe('done');
  });

  it('gives the result of a task that has ended in the foreground, too, also by the id of its session', async () => {
    const place = makePlace();
    const byChild: ScriptedStep = async () => {
      const [{ session_id: sessionId } = { session_id: '' }] = await runtime.sessions.list({ limit: 1, agents: true });
      return call('TaskOutput', { task_id: sessionId });
    };
    const model = scriptedModel(roles([task({ prompt: 'INNER' }), byChild, 'end'], { INNER: ['THE RESULT'] }));
    const { runtime } = await open(model, { place });
    const { events } = await say(runtime, { text: 'x', cwd: place.project });
    expect(outputs(events)[0]).toBe('THE RESULT');
    expect(eventsOf(events, 'agent.completed')).toHaveLength(1);
  });
});

describe('KillShell', () => {
  const stop = (tool: string, argument: string): ScriptedStep => (request) => call(tool, { [argument]: /task_\w+/.exec(textsOf(request))?.[0] ?? 'none' });

  it.each([
    { what: 'that runs', inner: [call('Bash', { command: 'sleep 60' })], says: /was ended/, status: 'cancelled' },
    { what: 'that waits for a person', inner: [call('AskUserQuestion', { question: 'Q?' })], says: /was ended/, status: 'cancelled' },
    { what: 'that has ended', inner: ['THE RESULT'], says: /had ended before/, status: 'done' },
  ])('ends a task $what', async ({ inner, says, status }) => {
    const place = makePlace();
    const model = scriptedModel(roles([task(background('INNER')), call('Bash', { command: 'sleep 0.4' }), stop('KillShell', 'shell_id'), stop('TaskStop', 'task_id'), output(), 'end'], { INNER: inner }));
    const { runtime } = await open(model, { place });
    const { events, result } = await say(runtime, { text: 'x', cwd: place.project });
    const [, , first, second] = outputs(events);
    expect(first).toMatch(says);
    expect(second).toMatch(/had ended before/);
    expect(result).toMatchObject({ text: 'end', open: [] });
    expect(runtime.agents.running(result.session_id)).toEqual([]);
    expect([...(await runtime.sessions.state(result.session_id)).agents.values()].map((run) => run.status)).toEqual([status]);
    expect(eventsOf(events, 'agent.completed')).toHaveLength(1);
  });

  it('says that it knows no such id', async () => {
    const place = makePlace();
    const { runtime } = await open(scriptedModel([call('KillShell', { shell_id: 'task_no' }), 'end']), { place });
    expect(outputs((await say(runtime, { text: 'x', cwd: place.project })).events)).toEqual([expect.stringContaining('no background command task_no')]);
  });
});

describe('a background agent in another process', () => {
  it('is waited for by TaskOutput, and its end is stored once', async () => {
    const place = makePlace();
    const held = gate();
    const inner = scriptedModel(roles([task(background('INNER')), 'end'], { INNER: [held.step('THE RESULT')] }));
    const first = await open(inner, { place });
    const { result } = await say(first.runtime, { text: 'x', cwd: place.project });
    const outer = scriptedModel([output({ block: false }), output(), 'told']);
    const { runtime } = await open(outer, { place });
    setTimeout(() => held.open(), 700);
    const { events } = await say(runtime, { text: 'y', sessionId: result.session_id });
    expect(outputs(events)).toEqual(['running', 'THE RESULT']);
    expect(eventsOf(events, 'agent.completed')).toMatchObject([{ status: 'done' }]);
  });
});

describe('sessions of sub-agents', () => {
  it('are listed when they are asked for, and removed with the one that has started them', async () => {
    const place = makePlace();
    const model = scriptedModel(roles([task({ prompt: 'INNER' }), 'end'], { INNER: ['RESULT'] }));
    const { runtime } = await open(model, { place });
    const { result } = await say(runtime, { text: 'x', cwd: place.project });
    const copy = await runtime.sessions.fork(result.session_id);
    const ids = async (agents: boolean) => (await runtime.sessions.list({ limit: 10, agents })).map(({ session_id }) => session_id);
    expect((await ids(false)).toSorted()).toEqual([copy, result.session_id].toSorted());
    const [child] = (await runtime.sessions.list({ limit: 10, agents: true })).filter(({ task_id }) => task_id !== undefined);
    expect(child).toMatchObject({ parent_id: result.session_id, status: 'done' });
    await runtime.sessions.remove(copy);
    expect(await ids(true)).toHaveLength(2);
    await runtime.sessions.remove(result.session_id);
    expect(await ids(true)).toEqual([]);
  });
});
