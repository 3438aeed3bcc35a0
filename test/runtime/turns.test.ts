import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { foldEvents } from '../../src/protocol/fold.ts';
import type { Message } from '../../src/protocol/message.ts';
import { scriptedModel } from '../../src/testing/scripted-model.ts';
import { eventsOf, finish, logOf, makePlace, open, say } from './open.ts';

const bash = (command: string) => ({ calls: [{ tool: 'Bash', input: { command } }] });
const ASKING = { permissions: { mode: 'default' } } as const;

/** All text of a message. */
function textIn(message: Message | undefined): string {
  return JSON.stringify(message?.content ?? '');
}

describe('a session', () => {
  it('goes on turn after turn, in this runtime and in the next', async () => {
    const place = makePlace();
    const model = scriptedModel(['one', 'two']);
    const { runtime } = await open(model, { place });
    const first = await say(runtime, { text: 'first', cwd: place.project });
    expect(first.result).toMatchObject({ status: 'done', text: 'one', open: [] });
    const sessionId = first.result.session_id;
    await say(runtime, { text: 'second', sessionId });
    await runtime.close();
    const next = scriptedModel(['three']);
    const { runtime: later } = await open(next, { place });
    expect((await say(later, { text: 'third', sessionId })).result.text).toBe('three');
    expect(next.requests[0]?.messages.map((message) => message.role)).toEqual(['user', 'assistant', 'user', 'assistant', 'user']);
    expect(next.requests[0]?.system).toBe(model.requests[0]?.system);
    expect(next.requests[0]?.tools).toEqual(model.requests[0]?.tools);
    expect(next.requests[0]?.messages.slice(0, 3)).toEqual(model.requests[1]?.messages);
  });

  it('is what its log says: what was shown with a number is stored just so, and folds to the state', async () => {
    const { runtime, place } = await open(scriptedModel([{ text: 'I look.', ...bash('echo hi') }, 'done']));
    const { result, events } = await say(runtime, { text: 'x', cwd: place.project });
    const log = await logOf(runtime, result.session_id);
    expect(events.filter((event) => 'seq' in event)).toEqual(log);
    expect(await runtime.sessions.state(result.session_id)).toEqual(foldEvents(result.session_id, log));
  });

  it('stores the prompt before the model is asked, and the start of a command before it runs', async () => {
    const place = makePlace();
    const types: string[][] = [];
    const model = scriptedModel([async () => { types.push(await stored()); return bash('true'); }, async () => { types.push(await stored()); return 'done'; }]);
    const { runtime } = await open(model, { place });
    const stored = async (): Promise<string[]> => {
      const [session] = await runtime.sessions.list({ limit: 1 });
      return (await logOf(runtime, session?.session_id ?? '')).map((event) => event.type);
    };
    const { result } = await say(runtime, { text: 'x', cwd: place.project });
    expect(types[0]).toContain('turn.started');
    expect(types[0]).not.toContain('message.completed');
    expect(types[1]?.slice(-4)).toEqual(['message.completed', 'tool.requested', 'tool.started', 'tool.completed']);
    expect(result.status).toBe('done');
  });

  it('is busy while it runs, in this process too', async () => {
    const { runtime, place } = await open(scriptedModel([{ hang: true }]));
    const turn = await runtime.prompt({ text: 'x', cwd: place.project });
    await expect(runtime.prompt({ text: 'y', sessionId: turn.sessionId })).rejects.toMatchObject({ code: 'session_busy' });
    await expect(runtime.configure(turn.sessionId, { mode: 'plan' })).rejects.toMatchObject({ code: 'session_busy' });
    turn.cancel();
    expect((await turn.result).status).toBe('cancelled');
  });

  it('can be listed, forked at a point and removed', async () => {
    const model = scriptedModel(['one', 'two', 'other two']);
    const { runtime, place } = await open(model);
    const { result } = await say(runtime, { text: 'first', cwd: place.project });
    const end = (await logOf(runtime, result.session_id)).at(-1)?.seq ?? 0;
    await say(runtime, { text: 'second', sessionId: result.session_id });
    const fork = await runtime.sessions.fork(result.session_id, end);
    await say(runtime, { text: 'another second', sessionId: fork });
    expect(model.requests[2]?.messages).toHaveLength(3);
    expect(textIn(model.requests[2]?.messages.at(-1))).toContain('another second');
    expect(JSON.stringify(model.requests[2]?.messages.slice(0, 2))).toBe(JSON.stringify(model.requests[1]?.messages.slice(0, 2)));
    expect((await runtime.sessions.state(fork)).parent).toEqual({ session_id: result.session_id, at_seq: end });
    await runtime.sessions.remove(result.session_id);
    await expect(runtime.sessions.get(result.session_id)).rejects.toMatchObject({ code: 'session_not_found' });
    expect((await runtime.sessions.list({ cwd: place.project, limit: 10 })).map((session) => session.session_id)).toEqual([fork]);
  });
});

describe('a turn that runs', () => {
  it('takes a message in at its next step, after the results and without parting calls from them', async () => {
    const place = makePlace();
    const gate = path.join(place.project, 'go');
    const model = scriptedModel([bash(`touch here; while [ ! -e ${gate} ]; do sleep 0.01; done`), 'heard you', 'never asked']);
    const { runtime } = await open(model, { place });
    const turn = await runtime.prompt({ text: 'work', cwd: place.project });
    const whole = finish(turn);
    await expect.poll(() => fs.existsSync(path.join(place.project, 'here'))).toBe(true);
    await turn.steer('and look at b, too');
    fs.writeFileSync(gate, '');
    const { result } = await whole;
    expect(result).toMatchObject({ status: 'done', text: 'heard you' });
    expect(model.requests[1]?.messages.map((message) => message.role)).toEqual(['user', 'assistant', 'tool', 'user']);
    expect(textIn(model.requests[1]?.messages.at(-1))).toContain('and look at b, too');
    await expect(turn.steer('too late')).rejects.toMatchObject({ code: 'turn_ended' });
  });

  it('answers a message that comes in the middle of its last reply', async () => {
    const model = scriptedModel([async () => { await turn.then((running) => running.steer('wait, also this')); return 'first answer'; }, 'second answer']);
    const { runtime, place } = await open(model);
    const turn = runtime.prompt({ text: 'work', cwd: place.project });
    expect((await finish(await turn)).result).toMatchObject({ status: 'done', text: 'second answer' });
    expect(textIn(model.requests[1]?.messages.at(-1))).toContain('wait, also this');
  });

  it('is stopped in a command: the command ends, its call has a result, and the next turn goes on', async () => {
    const place = makePlace();
    const model = scriptedModel([bash('echo $$ > pid; exec sleep 600'), 'fresh start']);
    const { runtime } = await open(model, { place });
    const turn = await runtime.prompt({ text: 'work', cwd: place.project });
    const whole = finish(turn);
    const pid = path.join(place.project, 'pid');
    await expect.poll(() => fs.existsSync(pid) && fs.readFileSync(pid, 'utf8') !== '').toBe(true);
    turn.cancel();
    const { result, events } = await whole;
    expect(result.status).toBe('cancelled');
    expect(eventsOf(events, 'tool.completed').map((event) => event.status)).toEqual(['interrupted']);
    expect(() => process.kill(Number(fs.readFileSync(pid, 'utf8')), 0)).toThrow('ESRCH');
    expect((await say(runtime, { text: 'again', sessionId: result.session_id })).result).toMatchObject({ status: 'done', text: 'fresh start' });
    expect(model.requests[1]?.messages.map((message) => message.role)).toEqual(['user', 'assistant', 'tool', 'user']);
  });

  it('is cancelled and stored when the runtime closes', async () => {
    const place = makePlace();
    const { runtime } = await open(scriptedModel([{ text: 'Half', hang: true }]), { place });
    const turn = await runtime.prompt({ text: 'x', cwd: place.project });
    await runtime.close();
    expect((await turn.result).status).toBe('cancelled');
    const { runtime: later } = await open(scriptedModel([]), { place });
    expect((await later.sessions.get(turn.sessionId)).status).toBe('cancelled');
  });

  it('ends as failed with the reason of the model, and can be tried again', async () => {
    const model = scriptedModel([{ failure: { kind: 'auth', message: 'The key was refused.', retryable: false } }, 'now it works']);
    const { runtime, place } = await open(model);
    const { result } = await say(runtime, { text: 'x', cwd: place.project });
    expect(result).toMatchObject({ status: 'failed', error: { code: 'model_failed', message: 'The key was refused.' } });
    expect((await say(runtime, { text: 'again', sessionId: result.session_id })).result.text).toBe('now it works');
  });
});

describe('waiting for a person', () => {
  it('allow once, allow always for all that the rule covers, deny with a reason', async () => {
    const model = scriptedModel([
      { calls: [{ tool: 'Bash', input: { command: 'touch a' } }, { tool: 'Bash', input: { command: 'touch a' } }, { tool: 'Bash', input: { command: 'rm a' } }] },
      bash('touch a'), 'done',
    ]);
    const { runtime, place } = await open(model, { settings: ASKING });
    const { result } = await say(runtime, { text: 'x', cwd: place.project });
    expect(result.status).toBe('waiting');
    expect(result.open.map(({ call }) => call.input['command'])).toEqual(['touch a', 'touch a', 'rm a']);
    const second = await finish(await runtime.answer({ sessionId: result.session_id, answer: { kind: 'permission', decision: 'allow', scope: 'always' } }));
    expect(second.result.open.map(({ call }) => call.input['command'])).toEqual(['rm a']);
    expect(fs.existsSync(path.join(place.project, 'a'))).toBe(true);
    const third = await finish(await runtime.answer({ sessionId: result.session_id, answer: { kind: 'permission', decision: 'deny', scope: 'once', reason: 'keep it' } }));
    expect(third.result).toMatchObject({ status: 'done', text: 'done' });
    expect(textIn(model.requests[1]?.messages.at(-1))).toContain('keep it');
    expect(model.requests).toHaveLength(3);
  });

  it('costs no process: the answer comes to another runtime, and the options of the turn still hold', async () => {
    const place = makePlace();
    const { runtime } = await open(scriptedModel([bash('touch a')]), { place, settings: ASKING });
    const { result } = await say(runtime, { text: 'x', cwd: place.project, deny: ['Bash(rm:*)'], maxSteps: 2 });
    await runtime.close();
    const model = scriptedModel([bash('rm a'), 'never asked']);
    const { runtime: later } = await open(model, { place, settings: ASKING });
    const answered = await finish(await later.answer({ sessionId: result.session_id, answer: { kind: 'permission', decision: 'allow', scope: 'once' } }));
    expect(answered.result).toMatchObject({ status: 'limit', turn_id: result.turn_id });
    expect(eventsOf(answered.events, 'tool.completed').map((event) => event.status)).toEqual(['ok', 'denied']);
    expect(fs.existsSync(path.join(place.project, 'a'))).toBe(true);
  });

  it('refuses answers that fit nothing (C-R6)', async () => {
    const { runtime, place } = await open(scriptedModel([{ calls: [{ tool: 'AskUserQuestion', input: { question: 'Which?', options: ['a', 'b'] } }] }, 'thanks']), { settings: ASKING });
    const { result } = await say(runtime, { text: 'x', cwd: place.project });
    const allow = { kind: 'permission', decision: 'allow', scope: 'once' } as const;
    const { session_id: sessionId } = result;
    await expect(runtime.answer({ sessionId, answer: allow })).rejects.toMatchObject({ code: 'usage' });
    await expect(runtime.answer({ sessionId, requestId: 'req_other', answer: { kind: 'text', text: 'a' } })).rejects.toMatchObject({ code: 'request_not_open' });
    await expect(runtime.answer({ sessionId: 'ses_none', answer: allow })).rejects.toMatchObject({ code: 'session_not_found' });
    expect((await finish(await runtime.answer({ sessionId, answer: { kind: 'text', text: 'a' } }))).result.text).toBe('thanks');
    await expect(runtime.answer({ sessionId, answer: { kind: 'text', text: 'a' } })).rejects.toMatchObject({ code: 'nothing_to_answer' });
  });
});

describe('configure and compact', () => {
  it('changes the mode for the turns that follow, and keeps it', async () => {
    const place = makePlace();
    const { runtime } = await open(scriptedModel(['one', bash('touch a'), 'done']), { place });
    const { result } = await say(runtime, { text: 'x', cwd: place.project });
    await runtime.configure(result.session_id, { mode: 'dontAsk' });
    const { events } = await say(runtime, { text: 'y', sessionId: result.session_id });
    expect(eventsOf(events, 'tool.completed').map((event) => event.status)).toEqual(['denied']);
    expect((await runtime.sessions.state(result.session_id)).permission_mode).toBe('dontAsk');
  });

  it('puts a summary in the place of what is old, and carries the todo list', async () => {
    const todos = [{ id: '1', subject: 'plant the plum tree', status: 'in_progress' }];
    const model = scriptedModel([{ text: 'old words '.repeat(4000), calls: [{ tool: 'TodoWrite', input: { todos } }] }, 'noted', 'short', 'SUMMARY OF IT', 'after']);
    const { runtime, place } = await open(model);
    const { result } = await say(runtime, { text: 'remember', cwd: place.project });
    await say(runtime, { text: 'more', sessionId: result.session_id });
    const { before, after } = await runtime.compact(result.session_id);
    expect(after).toBeLessThan(before);
    await say(runtime, { text: 'next', sessionId: result.session_id });
    const last = JSON.stringify(model.requests.at(-1)?.messages);
    expect(last).toContain('SUMMARY OF IT');
    expect(last).toContain('plant the plum tree');
    expect(last).not.toContain('old words');
  });
});
