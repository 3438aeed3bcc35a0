import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { textOf } from '../../src/protocol/content.ts';
import { scriptedModel } from '../../src/testing/scripted-model.ts';
import { eventsOf, logOf, makePlace, open, say, writeSkill, type Place } from './open.ts';

const bash = (command: string) => ({ calls: [{ tool: 'Bash', input: { command } }] });
const load = (skill: string) => ({ calls: [{ tool: 'Skill', input: { skill } }] });
const read = (place: Place, file: string): string => (fs.existsSync(path.join(place.project, file)) ? fs.readFileSync(path.join(place.project, file), 'utf8') : '');

/** A hook of a skill in frontmatter, by default one that notes each Bash call in the project. */
function hooks(command = 'echo "$(basename "$SKILL_DIR")" >> log', event = 'PreToolUse', more = ''): string {
  return `hooks:\n  ${event}:\n    - matcher: ${event.includes('Tool') ? 'Bash' : "'*'"}\n      hooks:\n        - type: command\n          command: ${JSON.stringify(command)}\n${more}`;
}

/** A skill in the person's own folder, which is trusted. */
function ownSkill(place: Place, name: string, frontmatter: string): string {
  const folder = path.join(place.home, '.agents/skills', name);
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(path.join(folder, 'SKILL.md'), `---\nname: ${name}\ndescription: The skill ${name}.\n${frontmatter}---\n\nBODY OF ${name}\n`);
  return folder;
}

describe('hooks of a skill', () => {
  it('are in force from its activation on, for later turns and in the next process', async () => {
    const place = makePlace();
    ownSkill(place, 'guard', hooks());
    const { runtime } = await open(scriptedModel([bash('true'), load('guard'), bash('true'), 'one', bash('true'), 'two']), { place });
    const { result } = await say(runtime, { text: 'x', cwd: place.project });
    expect(read(place, 'log')).toBe('guard\n');
    await say(runtime, { text: 'y', sessionId: result.session_id });
    expect(read(place, 'log')).toBe('guard\nguard\n');
    await runtime.close();
    const { runtime: later } = await open(scriptedModel([bash('true'), 'three']), { place });
    await say(later, { text: 'z', sessionId: result.session_id });
    expect(read(place, 'log')).toBe('guard\nguard\nguard\n');
  });

  it('are not doubled by loading it again', async () => {
    const place = makePlace();
    ownSkill(place, 'guard', hooks());
    const { runtime } = await open(scriptedModel([load('guard'), load('guard'), bash('true'), 'one']), { place });
    const { events } = await say(runtime, { text: 'x', cwd: place.project });
    expect(eventsOf(events, 'skill.activated')).toHaveLength(2);
    expect(read(place, 'log')).toBe('guard\n');
    expect(eventsOf(events, 'hook.completed')).toMatchObject([{ source: 'user:guard', index: 0, event: 'PreToolUse' }]);
  });

  it('end with its unloading', async () => {
    const place = makePlace();
    ownSkill(place, 'guard', hooks());
    const { runtime } = await open(scriptedModel([load('guard'), 'one', bash('true'), 'two', load('guard'), bash('echo 2'), 'three']), { place });
    const { result } = await say(runtime, { text: 'x', cwd: place.project });
    await runtime.unloadSkill(result.session_id, 'guard');
    await say(runtime, { text: 'y', sessionId: result.session_id });
    expect(read(place, 'log')).toBe('');
    await say(runtime, { text: 'z', sessionId: result.session_id });
    expect(read(place, 'log')).toBe('guard\n');
  });

  it('never run while it is not trusted', async () => {
    const place = makePlace();
    writeSkill(place, 'stranger', { frontmatter: hooks() });
    const { runtime } = await open(scriptedModel([load('stranger'), bash('true'), 'one']), { place });
    const { result, events } = await say(runtime, { text: 'x', cwd: place.project });
    const bound = await open(scriptedModel([bash('true'), 'one']), { place });
    await say(bound.runtime, { text: 'x', cwd: place.project, skill: 'stranger' });
    expect(read(place, 'log')).toBe('');
    expect(eventsOf(events, 'hook.completed')).toEqual([]);
    expect(eventsOf(events, 'warning').map(({ message }) => message).join()).toContain('hooks');
    expect(JSON.stringify(await logOf(runtime, result.session_id))).not.toContain('"hooks":[');
  });

  it('die when its content is no longer what was trusted, even in the middle of a turn', async () => {
    const place = makePlace();
    writeSkill(place, 'team', { frontmatter: hooks() });
    const folder = path.join(place.project, '.agents/skills/team');
    const { runtime } = await open(scriptedModel([load('team'), 'one']), { place });
    const first = await say(runtime, { text: 'x', cwd: place.project });
    const digest = eventsOf(first.events, 'skill.activated')[0]?.digest ?? '';
    await runtime.close();
    fs.writeFileSync(path.join(place.data, 'trust.json'), JSON.stringify({ version: 1, skills: [{ id: 'project:team', folder, digests: [digest], trustedAt: new Date(0).toISOString(), files: {}, claims: {} }] }));
    const change = { calls: [{ tool: 'Write', input: { file_path: path.join(folder, 'extra.sh'), content: 'x' } }] };
    const { runtime: later } = await open(scriptedModel([load('team'), bash('true'), change, bash('true'), bash('echo 3'), 'two']), { place });
    const { events } = await say(later, { text: 'y', cwd: place.project });
    expect(read(place, 'log')).toBe('team\n');
    expect(eventsOf(events, 'hook.completed').map(({ status, message }) => [status, message])).toEqual([
      ['ok', undefined],
      ['skipped', 'The skill project:team is not trusted (changed since it was trusted), so its hooks do not run.'],
    ]);
  });

  it('do not run while it cannot be said what is trusted', async () => {
    const place = makePlace();
    writeSkill(place, 'team', { frontmatter: hooks() });
    const folder = path.join(place.project, '.agents/skills/team');
    const trust = path.join(place.data, 'trust.json');
    const first = await open(scriptedModel([load('team'), 'one']), { place });
    const digest = eventsOf((await say(first.runtime, { text: 'x', cwd: place.project })).events, 'skill.activated')[0]?.digest ?? '';
    fs.writeFileSync(trust, JSON.stringify({ version: 1, skills: [{ id: 'project:team', folder, digests: [digest], trustedAt: new Date(0).toISOString(), files: {}, claims: {} }] }));
    const { runtime } = await open(scriptedModel([load('team'), 'one', bash('true'), 'two']), { place });
    const { result } = await say(runtime, { text: 'x', cwd: place.project });
    fs.writeFileSync(trust, '{ broken');
    const { events } = await say(runtime, { text: 'y', sessionId: result.session_id });
    expect(read(place, 'log')).toBe('');
    expect(eventsOf(events, 'hook.completed')).toMatchObject([{ status: 'skipped', message: expect.stringContaining('trust.json') }]);
  });

  it('do not run from a folder that the agent can change, unless that content is trusted', async () => {
    const place = makePlace();
    ownSkill(place, 'guard', hooks());
    const first = await open(scriptedModel([load('guard'), 'one', bash('true'), 'two']), { place });
    const { result } = await say(first.runtime, { text: 'x', cwd: place.project });
    const other = await open(scriptedModel([load('guard'), bash('true'), 'one']), { place });
    const inside = await say(other.runtime, { text: 'x', cwd: place.project, addDirs: [place.home] });
    expect(eventsOf(inside.events, 'hook.completed')).toEqual([]);
    await say(first.runtime, { text: 'y', sessionId: result.session_id });
    expect(read(place, 'log')).toBe('guard\n');
  });

  it('run its own files, with the folders of skill and project in the environment', async () => {
    const place = makePlace();
    const folder = ownSkill(place, 'guard', hooks('./scripts/check.sh "$CLAUDE_PROJECT_DIR"'));
    fs.mkdirSync(path.join(folder, 'scripts'));
    fs.writeFileSync(path.join(folder, 'scripts/check.sh'), '#!/bin/sh\nprintf "%s\\n" "$1" "$CLAUDE_SKILL_DIR" "$SKILL_DIR" "$CLAUDE_PLUGIN_ROOT" "$PWD" > env.txt\n', { mode: 0o755 });
    const { runtime } = await open(scriptedModel([bash('true'), 'one']), { place, settings: { permissions: { mode: 'unrestricted' } } });
    await say(runtime, { text: 'x', cwd: place.project, skill: 'guard' });
    expect(read(place, 'env.txt').trim().split('\n')).toEqual([place.project, folder, folder, folder, place.project]);
  });

  it('approve only what a rule could, inside of the workspace', async () => {
    const place = makePlace();
    const allow = `echo '{"hookSpecificOutput":{"permissionDecision":"allow"}}'`;
    ownSkill(place, 'eager', `${hooks(allow)}    - matcher: Write\n      hooks:\n        - ${JSON.stringify(allow)}\n`);
    const write = (file: string) => ({ tool: 'Write', input: { file_path: file, content: 'x' } });
    const calls = { calls: [...bash('touch a').calls, ...bash('touch *.b').calls, write('n.txt'), write('.mcp.json'), write(path.join(place.home, 'out.txt'))] };
    const { runtime } = await open(scriptedModel([calls, 'done']), { place, settings: { permissions: { mode: 'default' } } });
    const { result } = await say(runtime, { text: 'x', cwd: place.project, skill: 'eager' });
    expect(result.open.map(({ call }) => call.call_id)).toEqual(['call_1_2', 'call_1_4', 'call_1_5']);
    expect([read(place, 'n.txt'), fs.existsSync(path.join(place.project, 'a'))]).toEqual(['x', true]);
  });

  it('run once where they say so, also after the skill was loaded again', async () => {
    const place = makePlace();
    ownSkill(place, 'guard', hooks(undefined, 'PreToolUse', '          once: true\n'));
    const { runtime } = await open(scriptedModel([load('guard'), bash('true'), load('guard'), bash('echo 2'), 'one']), { place });
    await say(runtime, { text: 'x', cwd: place.project });
    expect(read(place, 'log')).toBe('guard\n');
  });

  it('that cannot run are told of, and do not keep the others from running', async () => {
    const place = makePlace();
    ownSkill(place, 'mixed', `${hooks()}  Notification:\n    - hooks:\n        - type: command\n          command: x\n  Stop:\n    - hooks:\n        - type: prompt\n          prompt: x\n`);
    const { runtime } = await open(scriptedModel([load('mixed'), bash('true'), 'one']), { place });
    const { events } = await say(runtime, { text: 'x', cwd: place.project });
    expect(eventsOf(events, 'warning').filter(({ code }) => code === 'hooks').map(({ message }) => message)).toEqual([
      'Skill user:mixed: hooks of the event Notification are not supported; they never run.',
      'Skill user:mixed: the hook 1 of Stop has the type "prompt", which is not supported; it never runs.',
    ]);
    expect(read(place, 'log')).toBe('mixed\n');
  });

  it('start with a session that is bound to it, and hold its turn until they are content', async () => {
    const place = makePlace();
    ownSkill(place, 'bound', `${hooks('echo "FROM THE START"', 'SessionStart')}  Stop:\n    - hooks:\n        - command: "[ -e checked ] || { echo 'check first' >&2; exit 2; }"\n`);
    const model = scriptedModel(['done?', bash('touch checked'), 'done']);
    const { runtime } = await open(model, { place });
    const { result } = await say(runtime, { text: 'x', cwd: place.project, skill: 'bound' });
    expect(JSON.stringify(model.requests[0]?.messages)).toContain('FROM THE START');
    expect(JSON.stringify(model.requests[1]?.messages)).toContain('check first');
    expect(result).toMatchObject({ status: 'done', text: 'done' });
  });

  it('end with the run of a forked skill, whose calls alone they see', async () => {
    const place = makePlace();
    ownSkill(place, 'forked', `context: fork\n${hooks()}  Stop:\n    - hooks:\n        - command: "cat >> stop.jsonl"\n`);
    const settings = { hooks: { Stop: [{ hooks: [{ type: 'command', command: 'echo stop >> settings.log' }] }], UserPromptSubmit: [{ hooks: [{ type: 'command', command: 'echo prompt >> settings.log' }] }] } };
    const { runtime } = await open(scriptedModel([load('forked'), bash('echo inside'), 'child done', bash('echo outside'), 'done']), { place, settings });
    const { result, events } = await say(runtime, { text: 'x', cwd: place.project });
    expect(result).toMatchObject({ status: 'done', text: 'done' });
    expect(read(place, 'log')).toBe('forked\n');
    expect(JSON.parse(read(place, 'stop.jsonl'))).toMatchObject({ hook_event_name: 'SubagentStop', session_id: result.session_id, agent_id: expect.stringMatching(/^task_/), last_assistant_message: 'child done' });
    expect(read(place, 'settings.log')).toBe('prompt\nstop\n');
    expect(textOf(eventsOf(events, 'tool.completed').find(({ call_id }) => call_id === 'call_1_1')?.output ?? [])).toContain('child done');
  });
});

describe('hooks of a skill and the sandbox', () => {
  it.skipIf(!fs.existsSync('/usr/bin/bwrap') && process.env['CI'] !== 'true')('run inside, while those of settings run outside (needs bubblewrap)', async () => {
    const place = makePlace();
    const secret = path.join(place.home, 'secret.txt');
    fs.writeFileSync(secret, 'SECRET');
    const look = (log: string) => `cat ${secret} > ${log} 2>/dev/null || echo hidden > ${log}`;
    ownSkill(place, 'curious', hooks(look('skill.txt')));
    const settings = { sandbox: 'required', hooks: { PreToolUse: [{ hooks: [{ type: 'command', command: look('settings.txt') }] }] } } as const;
    const { runtime } = await open(scriptedModel([bash('true'), 'done']), { place, settings });
    const { events } = await say(runtime, { text: 'x', cwd: place.project, skill: 'curious' });
    expect(eventsOf(events, 'hook.completed').map(({ status }) => status)).toEqual(['ok', 'ok']);
    expect([read(place, 'skill.txt'), read(place, 'settings.txt')]).toEqual(['hidden\n', 'SECRET']);
  });

  it('do not run without one that nobody has consented to', async () => {
    const place = makePlace();
    ownSkill(place, 'guard', `${hooks('echo x >> log', 'UserPromptSubmit')}  Stop:\n    - hooks: ["echo y >> log"]\n`);
    const { runtime } = await open(scriptedModel(['one', 'two']), { place });
    const { result } = await say(runtime, { text: 'x', cwd: place.project, skill: 'guard' });
    expect(read(place, 'log')).toBe('x\ny\n');
    const { events } = await say(runtime, { text: 'y', sessionId: result.session_id, tools: 'none' });
    expect(read(place, 'log')).toBe('x\ny\n');
    expect(eventsOf(events, 'hook.completed')).toMatchObject([{ status: 'skipped', message: expect.stringContaining('run in the sandbox') }]);
  });
});
