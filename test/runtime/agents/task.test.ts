import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { scriptedModel } from '../../../src/testing/scripted-model.ts';
import { eventsOf, finish, logOf, makePlace, open, ownSkill, say, writeSkill } from '../open.ts';
import { call, outputs, roles, task, textsOf } from './agents.ts';

const toolNames = (request: { readonly tools: readonly { readonly name: string }[] } | undefined) => request?.tools.map(({ name }) => name) ?? [];

describe('Task', () => {
  it('runs in a session of its own, without history and skills of the one that calls, and gives the last message', async () => {
    const place = makePlace();
    ownSkill(place, 'secret', '', 'BODY OF THE PARENT');
    const model = scriptedModel(['earlier words', call('Skill', { skill: 'secret' }), task({ prompt: 'count the files', description: 'count' }), 'THE RESULT', 'end']);
    const { runtime } = await open(model, { place });
    const first = await say(runtime, { text: 'SECRET OF BEFORE', cwd: place.project });
    const { result, events } = await say(runtime, { text: 'go', sessionId: first.result.session_id });
    expect(result).toMatchObject({ status: 'done', text: 'end' });
    const child = model.requests[3];
    expect(textsOf(child)).toContain('count the files');
    for (const hidden of ['SECRET OF BEFORE', 'BODY OF THE PARENT', 'earlier words']) expect(JSON.stringify(child)).not.toContain(hidden);
    expect(textsOf(child)).toContain('The skill secret.');
    expect(toolNames(child)).toEqual(toolNames(model.requests[0]).filter((name) => !name.startsWith('Task')));
    expect(outputs(events).at(-1)).toBe('THE RESULT');
    const [started] = eventsOf(events, 'agent.started');
    expect(started).toMatchObject({ agent_type: 'general-purpose', prompt: 'count the files', description: 'count' });
    expect(eventsOf(events, 'agent.completed')).toMatchObject([{ task_id: started?.task_id, status: 'done', result: 'THE RESULT' }]);
    const done = eventsOf(events, 'tool.completed').filter((event) => !event.is_sub_agent).at(-1);
    expect(done?.details).toMatchObject({ task_id: started?.task_id, child_id: started?.child_id, usage: { input: 0 } });
    expect(new Set(events.filter((event) => event.is_sub_agent).map((event) => event.agent_id))).toEqual(new Set([started?.task_id]));
    const log = await logOf(runtime, started?.child_id ?? '');
    expect(log[0]).toMatchObject({ type: 'session.started', parent: { session_id: result.session_id }, agent: { type: 'general-purpose', depth: 1, max_steps: 10 } });
  });

  it.each([
    { type: 'explore', tools: ['Read', 'Glob', 'Grep'], steps: 5 },
    { type: 'Explore', tools: ['Read', 'Glob', 'Grep'], steps: 5 },
    { type: 'plan', tools: ['Read', 'Glob', 'Grep', 'Bash'], steps: 10 },
    { type: 'GENERAL_PURPOSE', tools: undefined, steps: 10 },
  ])('$type has its tools and its limit of steps, and its last output is passed on', async ({ type, tools, steps }) => {
    const place = makePlace();
    const look = (n: number) => ({ text: `WORDS ${n}`, ...call('Glob', { pattern: `*${n}` }) });
    const model = scriptedModel(roles([task({ prompt: 'INNER', subagent_type: type }), 'end'], { INNER: Array.from({ length: 20 }, (_, n) => look(n)) }));
    const { runtime } = await open(model, { place });
    const { events, result } = await say(runtime, { text: 'x', cwd: place.project });
    expect(result.status).toBe('done');
    if (tools) expect(toolNames(model.requests[1])).toEqual(tools);
    expect(eventsOf(events, 'message.completed').filter((event) => event.is_sub_agent)).toHaveLength(steps);
    expect(outputs(events)[0]).toMatch(new RegExp(`reached its limit: .*${steps} steps[^]*Its last output: WORDS ${steps - 1}`));
    expect(eventsOf(events, 'agent.completed')).toMatchObject([{ status: 'limit' }]);
  });

  it('lets plan run commands that only show something', async () => {
    const place = makePlace();
    fs.writeFileSync(path.join(place.project, 'a.txt'), 'here');
    const inner = [call('Bash', { command: 'cat a.txt' }), call('Bash', { command: 'touch b.txt' }), call('Bash', { command: 'cat a.txt > c.txt' }), call('Write', { file_path: 'd.txt', content: 'x' }), 'PLAN'];
    const model = scriptedModel(roles([task({ prompt: 'INNER', subagent_type: 'plan' }), 'end'], { INNER: inner }));
    const { runtime } = await open(model, { place });
    const { events } = await say(runtime, { text: 'x', cwd: place.project });
    expect(eventsOf(events, 'tool.completed').filter((event) => event.is_sub_agent).map((event) => event.status)).toEqual(['ok', 'denied', 'denied', 'denied']);
    expect(fs.readdirSync(place.project)).toEqual(['a.txt']);
  });

  it('takes names of tools and arguments as other programs write them', async () => {
    const place = makePlace();
    const model = scriptedModel(roles([{ calls: [{ tool: 'Agent', input: { prompt: 'INNER', agent_type: 'explorer' } }, { tool: 'task', input: { message: 'INNER', agent: 'explore' } }, { tool: 'spawn_agent', input: { task: 'INNER' } }] }, 'end'], { INNER: ['one', 'two', 'three'] }));
    const { runtime } = await open(model, { place });
    const { events } = await say(runtime, { text: 'x', cwd: place.project });
    expect(eventsOf(events, 'agent.started').map((event) => event.agent_type).toSorted()).toEqual(['explore', 'explore', 'general-purpose']);
    expect([...outputs(events)].toSorted()).toEqual(['one', 'three', 'two']);
  });

  it.each([
    { input: { prompt: 'x', subagent_type: 'explor' }, says: /no agent "explor"\. Did you mean explore\? Agents: general-purpose, explore, plan\./ },
    { input: { prompt: 'x', subagent_type: 'zzz' }, says: /no agent "zzz"\. Agents: general-purpose, explore, plan\./ },
    { input: { prompt: '  ' }, says: /prompt is empty/ },
    { input: { subagent_type: 'explore' }, says: /prompt/ },
    { input: { prompt: 'x', allowed_tools: 'Read' }, says: /^(?!.*failed)/ },
  ])('answers $input', async ({ input, says }) => {
    const place = makePlace();
    const { runtime } = await open(scriptedModel([task(input), 'next', 'next']), { place });
    const { events, result } = await say(runtime, { text: 'x', cwd: place.project });
    expect(outputs(events)[0]).toMatch(says);
    expect(result.status).toBe('done');
  });

  it('tells how a run failed', async () => {
    const place = makePlace();
    const model = scriptedModel([task({ prompt: 'x' }), { failure: { kind: 'bad_response', message: 'the server is gone', retryable: false } }, 'end']);
    const { runtime } = await open(model, { place });
    const { events, result } = await say(runtime, { text: 'x', cwd: place.project });
    expect(outputs(events)[0]).toMatch(/run of the agent general-purpose did not end well \(failed\): .*the server is gone/);
    expect(eventsOf(events, 'agent.completed')).toMatchObject([{ status: 'failed' }]);
    expect(result.text).toBe('end');
  });

  it('keeps sub-agents from starting sub-agents, and lets them load a skill that would fork', async () => {
    const place = makePlace();
    writeSkill(place, 'forked', { frontmatter: 'context: fork\n', body: 'BODY OF FORKED' });
    const model = scriptedModel(roles([task({ prompt: 'INNER' }), 'end'], { INNER: [task({ prompt: 'deeper' }), call('Skill', { skill: 'forked' }), 'done'] }));
    const { runtime } = await open(model, { place });
    const { events } = await say(runtime, { text: 'x', cwd: place.project });
    expect(eventsOf(events, 'agent.started')).toHaveLength(1);
    const inner = eventsOf(events, 'tool.completed').filter((event) => event.is_sub_agent);
    expect(JSON.stringify(inner[0]?.output)).toContain('agents.maxDepth');
    expect(JSON.stringify(inner[1]?.output)).toContain('BODY OF FORKED');
  });

  it('goes as deep as the setting says, with questions passed up and answers passed down', async () => {
    const place = makePlace();
    const model = scriptedModel(roles([task({ prompt: 'MIDDLE' }), 'end'], {
      MIDDLE: [task({ prompt: 'LOWEST' }), (request) => `MIDDLE GOT ${textsOf(request).includes('LOW RESULT')}`],
      LOWEST: [call('Bash', { command: 'touch low.txt' }), task({ prompt: 'deeper' }), 'LOW RESULT'],
    }));
    const { runtime } = await open(model, { place, settings: { agents: { maxDepth: 2 }, permissions: { mode: 'default' } } });
    const first = await say(runtime, { text: 'x', cwd: place.project });
    expect(first.result).toMatchObject({ status: 'waiting', open: [{ question: { reason: expect.stringContaining('the agent general-purpose') } }] });
    const { events, result } = await finish(await runtime.answer({ sessionId: first.result.session_id, answer: { kind: 'permission', decision: 'allow', scope: 'once' } }));
    expect(result.text).toBe('end');
    expect(outputs(events)).toEqual(['MIDDLE GOT true']);
    expect(fs.existsSync(path.join(place.project, 'low.txt'))).toBe(true);
    expect([...eventsOf(first.events, 'agent.started'), ...eventsOf(events, 'agent.started')]).toHaveLength(2);
    expect(new Set(events.flatMap((event) => event.agent_id ?? [])).size).toBe(2);
  });

  it('is not there where sub-agents are switched off', async () => {
    const place = makePlace();
    const model = scriptedModel([task({ prompt: 'x' }), 'end']);
    const { runtime } = await open(model, { place, settings: { agents: { maxDepth: 0 } } });
    const { events } = await say(runtime, { text: 'x', cwd: place.project });
    expect(toolNames(model.requests[0])).not.toContain('Task');
    expect(outputs(events)[0]).toContain('agents.maxDepth');
  });
});
