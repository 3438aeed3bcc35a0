import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { HookGroup } from '../../src/config/settings.ts';
import { textOf } from '../../src/protocol/content.ts';
import { scriptedModel, type ScriptedStep } from '../../src/testing/scripted-model.ts';
import { eventsOf, finish, makePlace, open, ownSkill, say, writeSkill, type Place } from './open.ts';

const bash = (command: string) => ({ calls: [{ tool: 'Bash', input: { command } }] });
const load = (skill: string) => ({ calls: [{ tool: 'Skill', input: { skill } }] });
const group = (command: string, matcher?: string): HookGroup => ({ hooks: [{ type: 'command', command }], ...(matcher === undefined ? {} : { matcher }) });
const has = (place: Place, file: string): boolean => fs.existsSync(path.join(place.project, file));
const lines = (place: Place, file: string): readonly unknown[] => fs.readFileSync(path.join(place.project, file), 'utf8').trim().split('\n').map((line): unknown => JSON.parse(line));

/** A place with a skill that runs as a sub-agent, of the kind `agent`. */
function withFork(agent = 'general-purpose'): Place {
  const place = makePlace();
  ownSkill(place, 'forked', `context: fork\nagent: ${agent}\n`);
  return place;
}

describe('hooks of settings and a sub-agent', () => {
  it('learn of its beginning and its end, for the kinds that they name', async () => {
    const place = withFork('explore');
    const hooks = {
      SubagentStart: [group('cat >> start.jsonl; echo \'{"hookSpecificOutput":{"additionalContext":"FOR THE AGENT"}}\'', 'explore'), group('touch wrong', 'plan')],
      SubagentStop: [group('cat >> stop.jsonl', 'explore|plan'), group('touch wrong', 'general-purpose')],
    };
    const model = scriptedModel([load('forked'), 'looked around', 'done']);
    const { result, events } = await say((await open(model, { place, settings: { hooks } })).runtime, { text: 'x', cwd: place.project });
    expect(result.status).toBe('done');
    const facts = { session_id: result.session_id, agent_id: expect.stringMatching(/^task_/), agent_type: 'explore', cwd: place.project };
    expect(lines(place, 'start.jsonl')).toMatchObject([{ ...facts, hook_event_name: 'SubagentStart' }]);
    expect(lines(place, 'stop.jsonl')).toMatchObject([{ ...facts, hook_event_name: 'SubagentStop', stop_hook_active: false, last_assistant_message: 'looked around' }]);
    expect(has(place, 'wrong')).toBe(false);
    expect(JSON.stringify(model.requests[1]?.messages)).toContain('FOR THE AGENT');
    expect(JSON.stringify(model.requests[2]?.messages)).not.toContain('FOR THE AGENT');
    expect(eventsOf(events, 'hook.completed').map(({ event, is_sub_agent }) => [event, is_sub_agent])).toEqual([['SubagentStart', true], ['SubagentStop', true]]);
  });

  it('send it on with a reason, and not for ever', async () => {
    const place = withFork();
    const model = scriptedModel([load('forked'), '1', '2', '3', '4', 'done']);
    const { events } = await say((await open(model, { place, settings: { hooks: { SubagentStop: [group('cat >> stop.jsonl; echo "say it better" >&2; exit 2')] } } })).runtime, { text: 'x', cwd: place.project });
    expect(lines(place, 'stop.jsonl')).toMatchObject([{ stop_hook_active: false }, { stop_hook_active: true }, { stop_hook_active: true }]);
    expect(JSON.stringify(model.requests[2]?.messages)).toContain('say it better');
    const [first] = eventsOf(events, 'tool.completed').filter(({ is_sub_agent }) => !is_sub_agent);
    expect(textOf(first?.output ?? [])).toBe('4');
  });

  it('watch its calls, and know whose they are', async () => {
    const place = withFork();
    const hooks = { PreToolUse: [group('cat >> calls.jsonl; exit 2', 'Bash')] };
    const { result } = await say((await open(scriptedModel([load('forked'), bash('touch made'), 'tried', 'done']), { place, settings: { hooks } })).runtime, { text: 'x', cwd: place.project });
    expect(result.status).toBe('done');
    expect(has(place, 'made')).toBe(false);
    expect(lines(place, 'calls.jsonl')).toMatchObject([{ tool_name: 'Bash', session_id: result.session_id, agent_id: expect.stringMatching(/^task_/), agent_type: 'general-purpose' }]);
  });

  it('of a project that is not trusted never run', async () => {
    const place = withFork();
    fs.mkdirSync(path.join(place.project, '.skillmint'));
    fs.writeFileSync(path.join(place.project, '.skillmint/config.json'), JSON.stringify({ hooks: { SubagentStart: [group('touch ran')], SubagentStop: [group('touch ran')], PreToolUse: [group('touch ran')] } }));
    await say((await open(scriptedModel([load('forked'), bash('true'), 'x', 'done']), { place })).runtime, { text: 'x', cwd: place.project });
    expect(has(place, 'ran')).toBe(false);
  });
});

describe('hooks of a skill that is active where a sub-agent is started', () => {
  const guard = (command: string): string => `hooks:\n  PreToolUse:\n    - matcher: Bash\n      hooks:\n        - type: command\n          command: ${JSON.stringify(command)}\n  Stop:\n    - hooks:\n        - type: command\n          command: "echo stop >> stops"\n`;

  it('watch the sub-agent\'s calls, too; its Stop hooks are for the session\'s own end', async () => {
    const place = withFork();
    const folder = path.dirname(ownSkill(place, 'guard', guard('./check.sh')));
    fs.writeFileSync(path.join(folder, 'check.sh'), '#!/bin/sh\ncat >> calls.jsonl; echo "not here" >&2; exit 2\n', { mode: 0o755 });
    const model = scriptedModel([load('guard'), load('forked'), bash('touch made'), 'tried', 'done']);
    const { result } = await say((await open(model, { place })).runtime, { text: 'x', cwd: place.project });
    expect(result.status).toBe('done');
    expect(has(place, 'made')).toBe(false);
    expect(JSON.stringify(model.requests[3]?.messages)).toContain('not here (hook of user:guard)');
    expect(lines(place, 'calls.jsonl')).toMatchObject([{ agent_type: 'general-purpose' }]);
    expect(fs.readFileSync(path.join(place.project, 'stops'), 'utf8')).toBe('stop\n');
  });

  it('watch an agent in the background that a person answers by itself, also in another process', async () => {
    const place = withFork();
    const folder = path.dirname(ownSkill(place, 'guard', guard('./check.sh')));
    fs.writeFileSync(path.join(folder, 'check.sh'), '#!/bin/sh\necho "not here" >&2; exit 2\n', { mode: 0o755 });
    const ask = { calls: [{ tool: 'AskUserQuestion', input: { question: 'Q?' } }] };
    const outer = scriptedModel([load('guard'), { calls: [{ tool: 'Task', input: { prompt: 'INNER', run_in_background: true } }] }, ...Array.from({ length: 2 }, (): ScriptedStep => (request) => (JSON.stringify(request.messages[0]).includes('INNER') ? ask : 'end'))]);
    const first = await open(outer, { place });
    const { result } = await say(first.runtime, { text: 'x', cwd: place.project });
    await Promise.all(first.runtime.agents.running(result.session_id).map(({ ended }) => ended));
    await first.runtime.close();
    const inner = scriptedModel([bash('touch made'), 'tried']);
    const { runtime } = await open(inner, { place });
    const answered = await finish(await runtime.answer({ sessionId: result.session_id, answer: { kind: 'text', text: 'A' } }));
    expect(answered.result.text).toBe('tried');
    expect(JSON.stringify(inner.requests[1]?.messages)).toContain('not here (hook of user:guard)');
    expect(has(place, 'made')).toBe(false);
  });

  it('never run while the skill is not trusted', async () => {
    const place = withFork();
    writeSkill(place, 'guard', { frontmatter: guard('touch ran') });
    const model = scriptedModel([load('guard'), load('forked'), bash('true'), 'x', 'done']);
    await say((await open(model, { place })).runtime, { text: 'x', cwd: place.project });
    expect(has(place, 'ran')).toBe(false);
  });
});
