import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { scriptedModel, type ScriptedModel } from '../../src/testing/scripted-model.ts';
import { eventsOf, finish, logOf, makePlace, open, ownSkill, say, writeSkill } from './open.ts';

const load = (skill: string) => ({ calls: [{ tool: 'Skill', input: { skill } }] });
const bash = (command: string) => ({ calls: [{ tool: 'Bash', input: { command } }] });
const sent = (model: ScriptedModel, index: number): string => JSON.stringify(model.requests[index]?.messages);
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
    expect(model.requests[0]?.tools.map((tool) => tool.name)).toEqual(['Read', 'Glob', 'Grep', 'LS']);
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
