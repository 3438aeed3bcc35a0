import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { localHost } from '../../src/host/local-host.ts';
import { textOf } from '../../src/protocol/content.ts';
import type { SessionEvent } from '../../src/protocol/events.ts';
import type { JsonObject } from '../../src/protocol/json.ts';
import type { PermissionMode } from '../../src/protocol/permission.ts';
import { scriptedModel } from '../../src/testing/scripted-model.ts';
import { eventsOf, finish, makePlace, open, ownSkill, say, writeSkill } from './open.ts';

const through = (tool: string, input: JsonObject = {}) => ({ calls: [{ tool: 'CallTool', input: { tool, input } }] });
const bash = (command: string) => ({ calls: [{ tool: 'Bash', input: { command } }] });
const enter = through('EnterPlanMode');
const exit = (plan = 'First look, then build.') => through('ExitPlanMode', { plan });
const ASKING = { permissions: { mode: 'default' } } as const;
const ALLOW = { kind: 'permission', decision: 'allow', scope: 'once' } as const;
const DENY = { kind: 'permission', decision: 'deny', scope: 'once' } as const;
const results = (events: readonly SessionEvent[]): readonly string[] => eventsOf(events, 'tool.completed').map((event) => `${event.status}: ${textOf(event.output)}`);
const modes = (events: readonly SessionEvent[]): readonly string[] => eventsOf(events, 'mode.changed').map((event) => event.mode);

describe('plan mode of the model', () => {
  it('begins with the consent of the person, changes nothing, shows its plan, and ends with the mode of before', async () => {
    const place = makePlace();
    const model = scriptedModel([enter, bash('touch early'), exit('1. touch late'), { calls: [{ tool: 'Write', input: { file_path: 'late', content: 'x' } }] }, 'done']);
    const { runtime } = await open(model, { place, settings: ASKING });
    const first = await say(runtime, { text: 'build it', cwd: place.project });
    const sessionId = first.result.session_id;
    expect(first.result).toMatchObject({ status: 'waiting', open: [{ call: { tool: 'EnterPlanMode' } }] });
    const second = await finish(await runtime.answer({ sessionId, answer: ALLOW }));
    expect(modes(second.events)).toEqual(['plan']);
    expect(second.result).toMatchObject({ status: 'waiting', open: [{ call: { tool: 'ExitPlanMode', input: { plan: '1. touch late' } }, question: { rules: [], mode: 'acceptEdits' } }] });
    expect(results(second.events)[1]).toMatch(/^denied: plan mode is on/);
    expect(fs.readdirSync(place.project)).toEqual([]);
    const third = await finish(await runtime.answer({ sessionId, answer: ALLOW }));
    expect(modes(third.events)).toEqual(['default']);
    expect(results(third.events)[0]).toContain('accepted the plan');
    // In the mode of before a change is a question again.
    expect(third.result).toMatchObject({ status: 'waiting', open: [{ call: { tool: 'Write' } }] });
  });

  it('ends in acceptEdits where the person says "always", also in another process', async () => {
    const place = makePlace();
    const { runtime } = await open(scriptedModel([exit()]), { place, settings: ASKING });
    const { result } = await say(runtime, { text: 'build it', cwd: place.project, mode: 'plan' });
    await runtime.close();
    const model = scriptedModel([{ calls: [{ tool: 'Write', input: { file_path: 'late', content: 'x' } }] }, 'done']);
    const { runtime: later } = await open(model, { place, settings: ASKING });
    const { result: second, events } = await finish(await later.answer({ sessionId: result.session_id, answer: { ...ALLOW, scope: 'always' } }));
    expect([second.status, second.turn_id]).toEqual(['done', result.turn_id]);
    expect(modes(events)).toEqual(['acceptEdits']);
    expect(eventsOf(events, 'permission.resolved')).toMatchObject([{ scope: 'always' }]);
    expect(fs.existsSync(path.join(place.project, 'late'))).toBe(true);
    expect((await later.sessions.state(result.session_id)).always).toEqual([]);
  });

  it('stays on when the plan is refused, and what the person says is the result', async () => {
    const place = makePlace();
    const model = scriptedModel([exit('first plan'), exit('second plan'), bash('touch early'), 'still planning']);
    const { runtime } = await open(model, { place, settings: ASKING });
    const { result } = await say(runtime, { text: 'x', cwd: place.project, mode: 'plan' });
    const sessionId = result.session_id;
    const second = await finish(await runtime.answer({ sessionId, answer: { ...DENY, reason: 'use SQLite' } }));
    expect(results(second.events)).toEqual(['denied: The person did not accept the plan and says: use SQLite\nPlan mode stays on: change the plan and show it again.']);
    expect(second.result.open).toMatchObject([{ call: { input: { plan: 'second plan' } } }]);
    const third = await finish(await runtime.answer({ sessionId, answer: DENY }));
    expect(third.result).toMatchObject({ status: 'done', text: 'still planning' });
    expect((await runtime.sessions.state(sessionId)).permission_mode).toBe('plan');
    expect(fs.readdirSync(place.project)).toEqual([]);
  });

  it.each<[PermissionMode, string]>([['default', 'waiting'], ['acceptEdits', 'waiting'], ['unrestricted', 'done'], ['dontAsk', 'done']])('begins in the mode %s as what asks does there: the turn is %s', async (mode, status) => {
    const { runtime, place } = await open(scriptedModel([enter, 'on']), { settings: ASKING });
    const { result, events } = await say(runtime, { text: 'x', cwd: place.project, mode });
    expect(result.status).toBe(status);
    expect(modes(events)).toEqual(mode === 'unrestricted' ? ['plan'] : []);
    if (mode === 'dontAsk') expect(results(events)[0]).toContain('dontAsk denies what would ask');
  });

  it('goes back to the mode that was in force, and offers no lower one', async () => {
    const { runtime, place } = await open(scriptedModel([enter, exit(), 'built']));
    const { result } = await say(runtime, { text: 'x', cwd: place.project });
    expect(result.open[0]?.question).not.toHaveProperty('mode');
    const { events } = await finish(await runtime.answer({ sessionId: result.session_id, answer: { ...ALLOW, scope: 'always' } }));
    expect(modes(events)).toEqual(['unrestricted']);
  });

  it('is entered and left once', async () => {
    const { runtime, place } = await open(scriptedModel([exit(), enter, enter, 'done']));
    const { events } = await say(runtime, { text: 'x', cwd: place.project });
    expect(results(events)).toEqual([expect.stringMatching(/^denied: plan mode is not on/), expect.stringMatching(/^ok: Plan mode is on/), 'denied: plan mode is on already']);
  });
});

describe('the way out of plan mode', () => {
  it('cannot be opened by rules, hooks or a skill', async () => {
    const place = makePlace();
    ownSkill(place, 'eager', 'allowed-tools: ExitPlanMode\n');
    const hook = { hooks: { PreToolUse: [{ matcher: '.*', hooks: [{ type: 'command', command: `echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow"}}'` }] }] } } as const;
    const model = scriptedModel([{ calls: [{ tool: 'Skill', input: { skill: 'eager' } }] }, exit(), 'never']);
    const { runtime } = await open(model, { place, settings: { permissions: { mode: 'default', allow: ['ExitPlanMode'] }, ...hook } });
    const { result } = await say(runtime, { text: 'x', cwd: place.project, mode: 'plan', allow: ['ExitPlanMode'] });
    expect(result).toMatchObject({ status: 'waiting', open: [{ call: { tool: 'ExitPlanMode' } }] });
  });

  it('is closed to a sub-agent, which cannot enter it either', async () => {
    const place = makePlace();
    writeSkill(place, 'sub', { frontmatter: 'context: fork\n' });
    const model = scriptedModel([{ calls: [{ tool: 'Skill', input: { skill: 'sub' } }] }, exit(), bash('touch escaped'), 'child', 'end']);
    const { runtime } = await open(model, { place });
    const { events, result } = await say(runtime, { text: 'x', cwd: place.project, mode: 'plan' });
    expect(result.status).toBe('done');
    expect(results(events.filter((event) => event.is_sub_agent))).toEqual([expect.stringContaining('a sub-agent works in the mode of the session that started it'), expect.stringContaining('plan mode is on')]);
    expect(modes(events)).toEqual([]);
    expect(fs.existsSync(path.join(place.project, 'escaped'))).toBe(false);
  });

  it('refuses an empty plan, and is there in a session that is bound to a skill with a list of tools', async () => {
    const place = makePlace();
    ownSkill(place, 'narrow', 'allowed-tools: Read\n');
    const direct = { calls: [{ tool: 'ExitPlanMode', input: { plan: 'p' } }] };
    const { runtime } = await open(scriptedModel([exit(''), direct]), { place });
    const { result, events } = await say(runtime, { text: 'x', cwd: place.project, mode: 'plan', skill: 'narrow' });
    expect(results(events)[0]).toMatch(/^error: .*plan/);
    expect(result).toMatchObject({ status: 'waiting', open: [{ call: { tool: 'ExitPlanMode' } }] });
  });
});

describe('what the model is told', () => {
  it('with each message in plan mode, and once when the person has ended it; the tools stay the same', async () => {
    const model = scriptedModel(['one', 'two', 'three', 'four']);
    const { runtime, place } = await open(model, { settings: ASKING });
    const { result } = await say(runtime, { text: 'x', cwd: place.project, mode: 'plan' });
    const { session_id: sessionId } = result;
    await say(runtime, { text: 'y', sessionId });
    await runtime.configure(sessionId, { mode: 'default' });
    await say(runtime, { text: 'z', sessionId });
    await say(runtime, { text: 'last', sessionId });
    const said = (index: number): string => JSON.stringify(model.requests[index]?.messages.at(-1));
    expect([said(0), said(1)].map((text) => text.includes('Plan mode is on'))).toEqual([true, true]);
    expect(said(0)).toContain('ExitPlanMode');
    expect(said(2)).toContain('Plan mode is off');
    expect(said(3)).not.toContain('lan mode');
    expect(new Set(model.requests.map(({ tools }) => JSON.stringify(tools))).size).toBe(1);
    expect(model.requests[3]?.messages.slice(0, 6)).toEqual([...(model.requests[2]?.messages ?? []), expect.anything()].slice(0, 6));
  });

  it('finds the way in through FindTools', async () => {
    const { runtime, place } = await open(scriptedModel([{ calls: [{ tool: 'FindTools', input: { query: 'plan before changing' } }] }, 'ok']));
    const { events } = await say(runtime, { text: 'x', cwd: place.project });
    expect(results(events)[0]).toContain('- EnterPlanMode: ');
  });
});

it('an answer counts also weeks later', async () => {
  const place = makePlace();
  const { runtime } = await open(scriptedModel([exit()]), { place, settings: ASKING });
  const { result } = await say(runtime, { text: 'x', cwd: place.project, mode: 'plan' });
  await runtime.close();
  const host = localHost();
  const later = { ...host, clock: { ...host.clock, now: () => Date.now() + 40 * 24 * 3_600_000 } };
  const { runtime: second } = await open(scriptedModel(['built']), { place, settings: ASKING, host: later });
  expect((await finish(await second.answer({ sessionId: result.session_id, answer: ALLOW }))).result).toMatchObject({ status: 'done', turn_id: result.turn_id });
});
