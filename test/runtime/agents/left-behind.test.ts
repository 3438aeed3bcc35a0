import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { scriptedModel, type ScriptedStep } from '../../../src/testing/scripted-model.ts';
import { processesWith } from '../../helpers/processes-with.ts';
import { eventsOf, finish, makePlace, open, ownSkill, say, type Place } from '../open.ts';
import { call, outputs, projectFolder, roles, task, textsOf, writeAgent } from './agents.ts';

const background = (prompt: string) => task({ prompt, run_in_background: true });
const output = (more: object = {}): ScriptedStep => (request) => call('TaskOutput', { task_id: /task_\w+/.exec(textsOf(request))?.[0] ?? 'none', ...more });
const ASK = call('AskUserQuestion', { question: 'Q?' });
const HANGS: ScriptedStep = { hang: true };
const TEXT = { kind: 'text', text: 'A' } as const;

/** A session that another program has begun and left as it stood, with these of its own steps and agents that never end. */
async function leftAlone(place: Place, outer: readonly ScriptedStep[], agents: readonly string[]): Promise<string> {
  const first = await open(scriptedModel(roles(outer, Object.fromEntries(agents.map((name) => [name, [HANGS]])))), { place, service: true });
  const turn = await first.runtime.prompt({ text: 'x', cwd: place.project });
  await expect.poll(async () => (await first.runtime.sessions.list({ limit: 9, agents: true })).filter(({ task_id, status }) => task_id !== undefined && status === 'running').length).toBe(agents.length);
  await pause(100);
  await first.runtime.close();
  return turn.sessionId;
}

describe('agents in the background that the end of a program has cut off', () => {
  it('go on with the turn, no more of them at once than are allowed', async () => {
    const place = makePlace();
    const names = ['ONE', 'TWO', 'THREE'];
    const session = await leftAlone(place, [...names.map(background), HANGS], names);
    let running = 0;
    let most = 0;
    const inner: ScriptedStep = async () => {
      most = Math.max(most, ++running);
      await pause(100);
      running--;
      return 'R';
    };
    const model = scriptedModel(roles([call('Bash', { command: 'sleep 0.5' }), 'end'], Object.fromEntries(names.map((name) => [name, [inner]]))));
    const { runtime } = await open(model, { place, settings: { agents: { parallel: 1 } } });
    const { result } = await finish(await runtime.resume({ sessionId: session }));
    const ended = await Promise.all(runtime.agents.running(session).map((agent) => agent.ended));
    expect([result.status, ended.every(({ status }) => status === 'done'), model.requests.length]).toEqual(['done', true, 5]);
    expect(most).toBe(1);
  });

  it('begin by themselves as they would have: with the skills of their file, and their prompt is nothing that a person has said', async () => {
    const place = makePlace();
    ownSkill(place, 'hidden', 'disable-model-invocation: true\n');
    ownSkill(place, 'usual', '');
    writeAgent(projectFolder(place), 'skilled', 'description: Has a skill.\nskills: usual\n');
    const first = await open(scriptedModel(roles([background('ONE'), task({ prompt: '/hidden TWO', subagent_type: 'skilled', run_in_background: true }), HANGS], { ONE: [HANGS] })), { place, settings: { agents: { parallel: 1 } }, service: true });
    const turn = await first.runtime.prompt({ text: 'x', cwd: place.project });
    await expect.poll(async () => (await first.runtime.sessions.state(turn.sessionId)).agents.size).toBe(2);
    await pause(300);
    await first.runtime.close();
    const { runtime } = await open(scriptedModel(roles([], { TWO: ['R'] })), { place });
    const runs = [...(await runtime.sessions.state(turn.sessionId)).agents.values()];
    const child = runs[1]?.child_id ?? '';
    expect((await runtime.sessions.state(child)).turn?.opened).toBeUndefined();
    const { events, result } = await finish(await runtime.resume({ sessionId: child }));
    expect(result.text).toBe('R');
    expect(eventsOf(events, 'skill.activated').map(({ skill_id, trigger }) => [skill_id, trigger])).toEqual([['user:usual', 'bound']]);
  });

  it('go on with the answer that the turn has waited for', async () => {
    const place = makePlace();
    const session = await leftAlone(place, [background('INNER'), ASK], ['INNER']);
    const { runtime } = await open(scriptedModel(roles([output(), 'end'], { INNER: ['THE RESULT'] })), { place });
    const { events } = await finish(await runtime.answer({ sessionId: session, answer: TEXT }));
    expect(outputs(events).at(-1)).toBe('THE RESULT');
  });

  it('leave no command running when they are answered by themselves and come to their end', async () => {
    const place = makePlace();
    const mark = `left-behind-${Math.random().toString(36).slice(2)}`;
    const model = scriptedModel(roles([background('INNER'), 'end'], { INNER: [call('Bash', { command: `: ${mark}; sleep 300; true`, run_in_background: true }), ASK, 'R'] }));
    const { runtime } = await open(model, { place });
    const { result } = await say(runtime, { text: 'x', cwd: place.project });
    await Promise.all(runtime.agents.running(result.session_id).map(({ ended }) => ended));
    expect(processesWith(mark)).not.toEqual([]);
    const answered = await finish(await runtime.answer({ sessionId: result.session_id, answer: TEXT }));
    expect(answered.result.text).toBe('R');
    expect(processesWith(mark)).toEqual([]);
  });

  it('end without more ado where the store cannot be read any more', async () => {
    const place = makePlace();
    const model = scriptedModel(roles([background('INNER'), 'end'], { INNER: [async () => { await pause(300); return 'R'; }] }));
    const { runtime } = await open(model, { place });
    const { result } = await say(runtime, { text: 'x', cwd: place.project });
    const [agent] = runtime.agents.running(result.session_id);
    for (const file of fs.readdirSync(place.data).filter((name) => /^skillmint\.db(-wal|-shm)?$/.test(name))) fs.writeFileSync(path.join(place.data, file), Buffer.alloc(fs.statSync(path.join(place.data, file)).size, 7));
    expect(await agent?.ended).toMatchObject({ status: 'cancelled', error: { code: 'interrupted', message: expect.stringContaining('skillmint.db') } });
  });
});

describe('what is said of agents', () => {
  it('is not that a call was not run, where its agent has done something before a message took the place of the answer', async () => {
    const place = makePlace();
    const model = scriptedModel(roles([task({ prompt: 'INNER' }), 'end'], { INNER: [call('Bash', { command: 'touch by-agent' }), ASK, 'R'] }));
    const { runtime } = await open(model, { place });
    const { result } = await say(runtime, { text: 'x', cwd: place.project });
    expect(fs.existsSync(path.join(place.project, 'by-agent'))).toBe(true);
    const { events } = await say(runtime, { text: 'y', sessionId: result.session_id });
    expect(outputs(events)).toEqual(['Not finished: the person sent a new message instead of an answer. What it has done so far stays done.']);
  });

  it('is in a fork nothing of those that run for the session it was made from', async () => {
    const place = makePlace();
    const { runtime } = await open(scriptedModel(roles([background('INNER'), 'end', output({ block: false }), 'end'], { INNER: [HANGS] })), { place });
    const { result } = await say(runtime, { text: 'x', cwd: place.project });
    const copy = await runtime.sessions.fork(result.session_id);
    const { events } = await say(runtime, { text: 'y', sessionId: copy });
    expect(outputs(events)[0]).toMatch(/did not end well/);
    expect(runtime.agents.running(result.session_id)).toHaveLength(1);
  });
});

it('a session that is in use is not removed, and neither are its agents', async () => {
  const place = makePlace();
  const { runtime } = await open(scriptedModel(roles([task({ prompt: 'INNER' }), HANGS], { INNER: ['R'] })), { place });
  const turn = await runtime.prompt({ text: 'x', cwd: place.project });
  for await (const event of turn.events) if (event.type === 'tool.completed') break;
  await expect(runtime.sessions.remove(turn.sessionId)).rejects.toMatchObject({ code: 'session_busy' });
  const [run] = (await runtime.sessions.state(turn.sessionId)).agents.values();
  expect((await runtime.sessions.get(run?.child_id ?? '')).status).toBe('done');
  turn.cancel();
  await turn.result;
});
