import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { scriptedModel } from '../../../src/testing/scripted-model.ts';
import { eventsOf, makePlace, open, ownSkill, say } from '../open.ts';
import { call, innerStatuses, outputs, projectFolder, roles, task, writeAgent } from './agents.ts';

const touch = (name: string) => call('Bash', { command: `touch ${name}` });
const write = (name: string) => call('Write', { file_path: name, content: 'x' });

describe('rights of a sub-agent', () => {
  it('are those of plan mode, where the session is in it', async () => {
    const place = makePlace();
    writeAgent(projectFolder(place), 'bold', 'description: Bold.\npermissionMode: acceptEdits\n');
    const model = scriptedModel(roles([task({ prompt: 'INNER', subagent_type: 'bold' }), 'end'], { INNER: [write('a.txt'), touch('b.txt'), 'done'] }));
    const { runtime } = await open(model, { place, settings: { permissions: { mode: 'plan' } } });
    const { events } = await say(runtime, { text: 'x', cwd: place.project });
    expect(innerStatuses(events)).toEqual(['denied', 'denied']);
    expect(fs.readdirSync(place.project)).toEqual(['.claude']);
  });

  it('are no more than what skills of the session leave', async () => {
    const place = makePlace();
    ownSkill(place, 'reader', 'allowed-tools: Read, Task\n');
    const model = scriptedModel(roles([task({ prompt: 'INNER', allowed_tools: ['Bash', 'Read'] }), 'end'], { INNER: [touch('a.txt'), write('b.txt'), 'done'] }));
    const { runtime } = await open(model, { place });
    const { events } = await say(runtime, { text: 'x', cwd: place.project, skill: 'reader' });
    expect(model.requests[1]?.tools.map(({ name }) => name)).toEqual(['Read']);
    expect(innerStatuses(events)).toEqual(['denied', 'denied']);
    expect(fs.readdirSync(place.project)).toEqual([]);
  });

  it('are narrowed by the call, which gives none', async () => {
    const place = makePlace();
    const model = scriptedModel(roles([task({ prompt: 'INNER', subagent_type: 'explore', allowed_tools: ['Bash', 'Glob'] }), task({ prompt: 'SECOND', allowed_tools: [] }), 'end'], { INNER: [touch('a.txt'), 'done'], SECOND: [touch('b.txt'), 'done'] }));
    const { runtime } = await open(model, { place });
    const { events } = await say(runtime, { text: 'x', cwd: place.project });
    expect(model.requests[1]?.tools.map(({ name }) => name)).toEqual(['Glob']);
    expect(innerStatuses(events)).toEqual(['denied', 'denied']);
    expect(fs.readdirSync(place.project)).toEqual([]);
  });

  it('keep the deny rules of settings and of the turn', async () => {
    const place = makePlace();
    const model = scriptedModel(roles([task({ prompt: 'INNER' }), 'end'], { INNER: [touch('a.txt'), write('b.txt'), 'done'] }));
    const { runtime } = await open(model, { place, settings: { permissions: { mode: 'unrestricted', deny: ['Bash(touch:*)'] } } });
    const { events } = await say(runtime, { text: 'x', cwd: place.project, deny: ['Write'] });
    expect(innerStatuses(events)).toEqual(['denied', 'denied']);
    expect(fs.readdirSync(place.project)).toEqual([]);
  });

  it('follow the mode dontAsk of a file, in which nothing is asked', async () => {
    const place = makePlace();
    writeAgent(projectFolder(place), 'quiet', 'description: Quiet.\npermissionMode: dontAsk\n');
    const model = scriptedModel(roles([task({ prompt: 'INNER', subagent_type: 'quiet' }), 'end'], { INNER: [touch('a.txt'), 'done'] }));
    const { runtime } = await open(model, { place, settings: { permissions: { mode: 'default' } } });
    const { events, result } = await say(runtime, { text: 'x', cwd: place.project });
    expect(result.status).toBe('done');
    expect(innerStatuses(events)).toEqual(['denied']);
  });

  it.each([
    { deny: 'Task', type: 'plan', denied: true },
    { deny: 'Task(explore)', type: 'EXPLORE', denied: true },
    { deny: 'Agent(explore)', type: 'explorer', denied: true },
    { deny: 'Task(general-purpose)', type: undefined, denied: true },
    { deny: 'Task(explore)', type: 'plan', denied: false },
  ])('rules on Task hold however the type is written: $deny for $type', async ({ deny, type, denied }) => {
    const place = makePlace();
    const model = scriptedModel(roles([task({ prompt: 'INNER', ...(type === undefined ? {} : { subagent_type: type }) }), 'end'], { INNER: ['ran'] }));
    const { runtime } = await open(model, { place, settings: { permissions: { mode: 'unrestricted', deny: [deny] } } });
    const { events } = await say(runtime, { text: 'x', cwd: place.project });
    expect(eventsOf(events, 'agent.started')).toHaveLength(denied ? 0 : 1);
    expect(outputs(events)[0]).toMatch(denied ? /denies it/ : /^ran$/);
  });

  it('do not grow with a later change of the file', async () => {
    const place = makePlace();
    const file = writeAgent(projectFolder(place), 'reader', 'description: Reads.\ntools: Read\n');
    const widen = () => {
      fs.writeFileSync(file, '---\ndescription: Reads.\n---\n\nNEW TEXT\n');
      return touch('a.txt');
    };
    const model = scriptedModel(roles([task({ prompt: 'INNER', subagent_type: 'reader' }), 'end'], { INNER: [widen, 'done'] }));
    const { runtime } = await open(model, { place });
    const { events } = await say(runtime, { text: 'x', cwd: place.project });
    expect(innerStatuses(events)).toEqual(['denied']);
    const [run] = (await runtime.sessions.state(eventsOf(events, 'agent.started')[0]?.session_id ?? '')).agents.values();
    await say(runtime, { text: 'more', sessionId: run?.child_id ?? '' });
    const last = model.requests.at(-1);
    expect(last?.tools.map(({ name }) => name)).toEqual(['Read']);
    expect(last?.system).not.toContain('NEW TEXT');
    expect(fs.existsSync(path.join(place.project, 'a.txt'))).toBe(false);
  });
});
