import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { HookGroup } from '../../src/config/settings.ts';
import { textOf } from '../../src/protocol/content.ts';
import type { RunningTurn } from '../../src/runtime/runtime.ts';
import { scriptedModel, type ScriptedModel } from '../../src/testing/scripted-model.ts';
import { eventsOf, finish, logOf, makePlace, open, ownSkill, say, writeSkill, type Place } from './open.ts';

type Handler = HookGroup['hooks'][number];

const bash = (command: string) => ({ calls: [{ tool: 'Bash', input: { command } }] });
const hook = (command: string, more: Partial<Handler> = {}): Handler => ({ type: 'command', command, ...more });
const on = (event: string, ...hooks: readonly Handler[]) => ({ hooks: { [event]: [{ hooks }] } });
const says = (answer: object) => hook(`echo '${JSON.stringify(answer)}'`);
const preToolUse = (specific: object) => says({ hookSpecificOutput: { hookEventName: 'PreToolUse', ...specific } });
const ASKING = { permissions: { mode: 'default' } } as const;
const sent = (model: ScriptedModel, index: number): string => JSON.stringify(model.requests[index]?.messages);
/** A process that has ended and that nobody reaped does not count. */
const runs = (pid: string): boolean => spawnSync('ps', ['-o', 'stat=', '-p', pid.trim()], { encoding: 'utf8' }).stdout.trim().replace(/^Z.*/, '') !== '';
const has = (place: Place, file: string): boolean => fs.existsSync(path.join(place.project, file));
const read = (place: Place, file: string): string => fs.readFileSync(path.join(place.project, file), 'utf8');

describe('a PreToolUse hook', () => {
  it('reads the call as JSON, with the folder and without secrets in its environment', async () => {
    const place = makePlace();
    const { runtime } = await open(scriptedModel([bash('true'), 'done']), { place, env: { ANTHROPIC_API_KEY: 'secret-key' }, settings: on('PreToolUse', hook('cat > in.json; env > env.txt')) });
    const { result, events } = await say(runtime, { text: 'x', cwd: place.project });
    expect(JSON.parse(read(place, 'in.json'))).toEqual({
      session_id: result.session_id, cwd: place.project, permission_mode: 'bypassPermissions',
      hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command: 'true' }, tool_use_id: 'call_1_1',
    });
    expect(read(place, 'env.txt')).toContain(`CLAUDE_PROJECT_DIR=${place.project}`);
    expect(read(place, 'env.txt')).not.toContain('secret-key');
    expect(eventsOf(events, 'hook.completed')).toMatchObject([{ event: 'PreToolUse', source: 'settings:flags', index: 0, status: 'ok', exit_code: 0, call_id: 'call_1_1' }]);
  });

  it('denies with exit code 2: the call does not run, and the model reads why', async () => {
    const place = makePlace();
    const model = scriptedModel([bash('touch a'), 'done']);
    const { runtime } = await open(model, { place, settings: on('PreToolUse', hook('echo "no touching" >&2; exit 2')) });
    const { events } = await say(runtime, { text: 'x', cwd: place.project });
    expect(has(place, 'a')).toBe(false);
    expect(eventsOf(events, 'tool.completed')).toMatchObject([{ status: 'denied' }]);
    expect(sent(model, 1)).toContain('no touching');
    expect(eventsOf(events, 'hook.completed')).toMatchObject([{ status: 'blocked', exit_code: 2, decision: 'deny', message: 'no touching' }]);
  });

  it('decides nothing with another exit code, or with output that is no JSON', async () => {
    const place = makePlace();
    const settings = on('PreToolUse', hook('echo bad >&2; exit 1'), hook('echo "some words"; echo "{}"'), hook('echo \'{"suppressOutput": true, "systemMessage": "for the person"}\''));
    const { runtime } = await open(scriptedModel([bash('touch a'), 'done']), { place, settings });
    const { events } = await say(runtime, { text: 'x', cwd: place.project });
    expect(has(place, 'a')).toBe(true);
    expect(eventsOf(events, 'hook.completed').map(({ status, message, decision }) => [status, message, decision])).toEqual([['error', 'exit code 1: bad', undefined], ['ok', undefined, undefined], ['ok', 'for the person', undefined]]);
  });

  it.each([
    ['prints garbage', hook('echo "{ no json"'), 'Its output begins like JSON and is none, so it decided nothing.'],
    ['prints 100 MB', hook('printf "{"; head -c 100000000 /dev/zero | tr "\\0" " "; echo "}"'), 'Its output is too long to be a decision, so it decided nothing.'],
    ['is no program', hook('/no/such/program', { args: [] }), 'It decided nothing: it could not be started'],
    ['names a command that is not there', hook('no-such-guard --strict'), 'exit code 127'],
    ['is killed', hook('kill -9 $$'), 'It decided nothing: it was ended by signal SIGKILL'],
    ['hangs', hook('sleep 600', { timeout: 0.3 }), 'It was ended after its limit of 300 ms and decided nothing.'],
  ])('that %s lets no call pass: a person decides, and where nobody can it is denied', async (_what, broken, message) => {
    const place = makePlace();
    const { runtime } = await open(scriptedModel([bash('touch a'), 'done']), { place, settings: on('PreToolUse', broken, preToolUse({ permissionDecision: 'allow' })) });
    const { result, events } = await say(runtime, { text: 'x', cwd: place.project });
    expect(eventsOf(events, 'hook.completed')[0]).toMatchObject({ decision: 'ask', message: expect.stringContaining(message) });
    expect(result).toMatchObject({ status: 'waiting', open: [{ question: { reason: expect.stringContaining('a hook that watches calls came to no decision'), rules: [] } }] });
    expect(has(place, 'a')).toBe(false);
    await finish(await runtime.answer({ sessionId: result.session_id, answer: { kind: 'permission', decision: 'allow', scope: 'once' } }));
    expect(has(place, 'a')).toBe(true);
    const strict = await open(scriptedModel([bash('touch b'), 'done']), { place, settings: { ...on('PreToolUse', broken), permissions: { mode: 'dontAsk', allow: ['Bash'] } } });
    expect((await say(strict.runtime, { text: 'x', cwd: place.project })).result.status).toBe('done');
    expect(has(place, 'b')).toBe(false);
  }, 30_000);

  it('changes the input, which is checked and decided anew', async () => {
    const place = makePlace();
    const changes = (input: object) => on('PreToolUse', preToolUse({ updatedInput: input }));
    const first = await open(scriptedModel([bash('touch a'), 'done']), { place, settings: changes({ command: 'touch b' }) });
    const { result } = await say(first.runtime, { text: 'x', cwd: place.project });
    expect([has(place, 'a'), has(place, 'b')]).toEqual([false, true]);
    expect((await first.runtime.sessions.state(result.session_id)).messages[1]?.message.content).toMatchObject([{ input: { command: 'touch a' } }]);
    const denied = await open(scriptedModel([bash('touch c'), 'done']), { place, settings: { ...changes({ command: 'rm b' }), permissions: { mode: 'unrestricted', deny: ['Bash(rm:*)'] } } });
    expect(eventsOf((await say(denied.runtime, { text: 'x', cwd: place.project })).events, 'tool.completed')).toMatchObject([{ status: 'denied' }]);
    expect(has(place, 'b')).toBe(true);
    const wrong = await open(scriptedModel([bash('touch c'), 'done']), { place, settings: changes({ commando: 1 }) });
    const { events } = await say(wrong.runtime, { text: 'x', cwd: place.project });
    expect(textOf(eventsOf(events, 'tool.completed')[0]?.output ?? [])).toContain('A hook gave this call an input that cannot be used');
  });

  it('asks: the changed call waits for a person, in another process too, and its hooks do not run again', async () => {
    const place = makePlace();
    const settings = on('PreToolUse', hook(`echo x >> count; echo '${JSON.stringify({ hookSpecificOutput: { permissionDecision: 'ask', permissionDecisionReason: 'look first', updatedInput: { command: 'touch b' } } })}'`));
    const { runtime } = await open(scriptedModel([bash('touch a')]), { place, settings });
    const { result } = await say(runtime, { text: 'x', cwd: place.project });
    expect(result.status).toBe('waiting');
    expect(result.open).toMatchObject([{ call: { input: { command: 'touch b' } }, question: { reason: expect.stringContaining('look first'), rules: [] } }]);
    await runtime.close();
    const { runtime: later } = await open(scriptedModel(['done']), { place, settings });
    await finish(await later.answer({ sessionId: result.session_id, answer: { kind: 'permission', decision: 'allow', scope: 'once' } }));
    expect([has(place, 'a'), has(place, 'b'), read(place, 'count')]).toEqual([false, true, 'x\n']);
  });

  it('asks in vain where nobody may be asked', async () => {
    const place = makePlace();
    const { runtime } = await open(scriptedModel([bash('touch a'), 'done']), { place, settings: { ...on('PreToolUse', preToolUse({ permissionDecision: 'ask' })), permissions: { mode: 'dontAsk', allow: ['Bash'] } } });
    const { events } = await say(runtime, { text: 'x', cwd: place.project });
    expect(eventsOf(events, 'tool.completed')).toMatchObject([{ status: 'denied' }]);
  });

  it('of settings lets a call pass without a question, but not against a deny or ask rule, nor with an input of another hook', async () => {
    const place = makePlace();
    const allow = preToolUse({ permissionDecision: 'allow' });
    const calls = { calls: ['touch a && touch b', 'rm a', 'mv a c'].map((command) => ({ tool: 'Bash', input: { command } })) };
    const { runtime } = await open(scriptedModel([calls, 'done']), { place, settings: { ...on('PreToolUse', allow), permissions: { mode: 'default', deny: ['Bash(rm:*)'], ask: ['Bash(mv:*)'] } } });
    const { result, events } = await say(runtime, { text: 'x', cwd: place.project });
    expect(eventsOf(events, 'tool.completed').map(({ call_id, status }) => [call_id, status]).toSorted()).toEqual([['call_1_1', 'ok'], ['call_1_2', 'denied']]);
    expect(result.open.map(({ call }) => call.input['command'])).toEqual(['mv a c']);
    expect(eventsOf(events, 'hook.completed').every(({ decision }) => decision === 'allow')).toBe(true);
    const other = await open(scriptedModel([bash('touch d'), 'done']), { place, settings: { ...on('PreToolUse', allow, preToolUse({ updatedInput: { command: 'touch e' } })), ...ASKING } });
    expect((await say(other.runtime, { text: 'x', cwd: place.project })).result.status).toBe('waiting');
  });

  it('is for what its matcher and its condition name, by any name of the tool', async () => {
    const place = makePlace();
    const settings = { hooks: { PreToolUse: [
      { matcher: 'run_shell_command', hooks: [hook('echo shell >> log')] },
      { matcher: 'Write|Edit', hooks: [hook('echo edit >> log')] },
      { matcher: '^Ba', hooks: [hook('echo git >> log', { if: 'Bash(git *)' })] },
    ] } };
    const calls = { calls: [{ tool: 'Bash', input: { command: 'true' } }, { tool: 'Bash', input: { command: 'cd . && git --version' } }, { tool: 'Write', input: { file_path: 'n.txt', content: 'x' } }] };
    const { runtime } = await open(scriptedModel([calls, 'done']), { place, settings });
    await say(runtime, { text: 'x', cwd: place.project });
    expect(read(place, 'log').trim().split('\n').toSorted()).toEqual(['edit', 'git', 'shell', 'shell']);
  });

  it('stops the turn with continue: false before anything of the step runs', async () => {
    const place = makePlace();
    const model = scriptedModel([{ calls: [...bash('touch a').calls, ...bash('touch b').calls] }, 'never asked']);
    const { runtime } = await open(model, { place, settings: on('PreToolUse', says({ continue: false, stopReason: 'enough for today' })) });
    const { result, events } = await say(runtime, { text: 'x', cwd: place.project });
    expect(result).toMatchObject({ status: 'failed', error: { code: 'stopped_by_hook', message: 'enough for today' } });
    expect([has(place, 'a'), has(place, 'b'), model.requests.length]).toEqual([false, false, 1]);
    expect(eventsOf(events, 'tool.completed')).toHaveLength(2);
  });

  it('runs beside the others of its event, and an identical command once', async () => {
    const place = makePlace();
    const meet = (own: string, other: string) => hook(`touch ${own}; for i in $(seq 200); do [ -e ${other} ] && exit 0; sleep 0.02; done; exit 2`);
    const settings = on('PreToolUse', meet('one', 'two'), meet('two', 'one'), hook('echo x >> count'), hook('echo x >> count'));
    const { runtime } = await open(scriptedModel([bash('touch a'), 'done']), { place, settings });
    const { events } = await say(runtime, { text: 'x', cwd: place.project });
    expect(eventsOf(events, 'tool.completed')).toMatchObject([{ status: 'ok' }]);
    expect(read(place, 'count')).toBe('x\n');
  });

  it('is ended when its time is over, and nothing of it is left', async () => {
    const place = makePlace();
    const settings = on('PreToolUse', hook('(trap "" TERM; echo $BASHPID > pid; exec sleep 600) & wait; exit 2', { timeout: 0.4 }));
    const { runtime } = await open(scriptedModel([bash('touch a'), 'done']), { place, settings });
    const { events } = await say(runtime, { text: 'x', cwd: place.project });
    expect(eventsOf(events, 'hook.completed')).toMatchObject([{ status: 'timeout' }]);
    expect(has(place, 'a')).toBe(false);
    expect(runs(read(place, 'pid'))).toBe(false);
  });

  it('ends with a turn that is stopped', async () => {
    const place = makePlace();
    const { runtime } = await open(scriptedModel([bash('touch a')]), { place, settings: on('PreToolUse', hook('echo $$ > pid; exec sleep 600')) });
    const turn = await runtime.prompt({ text: 'x', cwd: place.project });
    const whole = finish(turn);
    await expect.poll(() => has(place, 'pid') && read(place, 'pid') !== '').toBe(true);
    turn.cancel();
    const { result, events } = await whole;
    expect(result.status).toBe('cancelled');
    expect(eventsOf(events, 'hook.completed')).toMatchObject([{ status: 'cancelled' }]);
    expect(has(place, 'a')).toBe(false);
    expect(runs(read(place, 'pid'))).toBe(false);
  });
});

describe('hooks that are not on calls and fail', () => {
  const EVENTS = ['SessionStart', 'UserPromptSubmit', 'PostToolUse', 'PreCompact', 'Stop', 'SessionEnd'] as const;

  it.each([
    ['hang', hook('sleep 600', { timeout: 0.3 }), 'timeout'],
    ['print garbage', hook('printf "{\\377\\000 ]"'), 'error'],
    ['print 10 MB', hook('printf "{"; head -c 10000000 /dev/zero | tr "\\0" " "'), 'error'],
    ['are killed', hook('kill -9 $$'), 'error'],
    ['are not there', hook('/no/such/program', { args: [] }), 'error'],
  ])('%s: the session goes on, and each says what was wrong', async (_what, broken, status) => {
    const place = makePlace();
    const settings = { hooks: Object.fromEntries(EVENTS.map((event) => [event, [{ hooks: [broken] }]])) };
    const { runtime } = await open(scriptedModel([bash('touch a'), 'long words '.repeat(5_000), 'again', 'summary']), { place, settings });
    const { result } = await say(runtime, { text: 'x', cwd: place.project });
    expect(result.status).toBe('done');
    expect((await say(runtime, { text: 'y', sessionId: result.session_id })).result.status).toBe('done');
    const { before, after } = await runtime.compact(result.session_id);
    expect(after).toBeLessThan(before);
    await runtime.close();
    const log = await logOf((await open(undefined, { place })).runtime, result.session_id);
    const fired = eventsOf(log, 'hook.completed');
    expect(new Set(fired.map(({ event }) => event))).toEqual(new Set(EVENTS));
    expect(fired.every((event) => event.status === status && event.message !== undefined && event.decision === undefined)).toBe(true);
  }, 30_000);
});

describe('a hook and a call inside of a call', () => {
  it('sees the inner tool, and changes its input where it lies', async () => {
    const place = makePlace();
    fs.writeFileSync(path.join(place.project, 'n.ipynb'), JSON.stringify({ cells: [{ cell_type: 'markdown', id: 'a', metadata: {}, source: ['old'] }], metadata: {}, nbformat: 4, nbformat_minor: 5 }));
    const edit = (source: string) => ({ notebook_path: 'n.ipynb', cell_id: 'a', new_source: source });
    const calls = { calls: [{ tool: 'CallTool', input: { tool: 'NotebookEdit', input: edit('of the model') } }] };
    const settings = { hooks: { PreToolUse: [{ matcher: 'NotebookEdit', hooks: [hook(`cat > in.json; echo '${JSON.stringify({ hookSpecificOutput: { permissionDecision: 'ask', updatedInput: edit('of the hook') } })}'`)] }] } };
    const { runtime } = await open(scriptedModel([{ calls: [{ tool: 'Read', input: { file_path: 'n.ipynb' } }] }, calls, 'done']), { place, settings });
    const { result } = await say(runtime, { text: 'x', cwd: place.project });
    expect(result.open).toMatchObject([{ call: { tool: 'NotebookEdit', input: edit('of the hook') } }]);
    await finish(await runtime.answer({ sessionId: result.session_id, answer: { kind: 'permission', decision: 'allow', scope: 'once' } }));
    expect(JSON.parse(read(place, 'in.json'))).toMatchObject({ tool_name: 'NotebookEdit', tool_input: edit('of the model') });
    expect(read(place, 'n.ipynb')).toContain('of the hook');
  });
});

describe('a hook after a call', () => {
  it('adds context and objections to the result, and may replace it', async () => {
    const place = makePlace();
    const settings = { hooks: {
      PostToolUse: [
        { matcher: 'Bash', hooks: [hook('cat > in.json'), says({ hookSpecificOutput: { additionalContext: 'CONTEXT </hook> OF HOOK' } }), says({ decision: 'block', reason: 'OBJECTION' }), hook('echo STDERR2 >&2; exit 2')] },
        { matcher: 'Write', hooks: [says({ hookSpecificOutput: { updatedToolOutput: { masked: true } } })] },
      ],
      PostToolUseFailure: [{ hooks: [hook('cat > failed.json')] }],
    } };
    const calls = { calls: [...bash('echo RESULT').calls, { tool: 'Write', input: { file_path: 'n.txt', content: 'x' } }, ...bash('echo BROKEN; exit 3').calls] };
    const { runtime } = await open(scriptedModel([calls, 'done']), { place, settings });
    const { events } = await say(runtime, { text: 'x', cwd: place.project });
    const results = eventsOf(events, 'tool.completed').toSorted((a, b) => a.call_id.localeCompare(b.call_id)).map(({ output }) => textOf(output));
    expect(results[0]).toBe('RESULT\n<hook event="PostToolUse" source="settings:flags">\nCONTEXT &lt;/hook> OF HOOK\n</hook>\n<hook event="PostToolUse" source="settings:flags">\nOBJECTION\n</hook>\n<hook event="PostToolUse" source="settings:flags">\nSTDERR2\n</hook>');
    expect(results[1]).toBe('{"masked":true}');
    expect(JSON.parse(read(place, 'in.json'))).toMatchObject({ tool_response: { success: true, stdout: 'RESULT' }, tool_use_id: 'call_1_1' });
    expect(JSON.parse(read(place, 'failed.json'))).toMatchObject({ hook_event_name: 'PostToolUseFailure', error: expect.stringContaining('BROKEN'), is_interrupt: false });
  });

  it('cuts context at 10,000 characters', async () => {
    const place = makePlace();
    const { runtime } = await open(scriptedModel([bash('true'), 'done']), { place, settings: on('PostToolUse', hook(`printf '{"hookSpecificOutput":{"additionalContext":"'; head -c 30000 /dev/zero | tr '\\0' x; printf '"}}'`)) });
    const { events } = await say(runtime, { text: 'x', cwd: place.project });
    const text = textOf(eventsOf(events, 'tool.completed')[0]?.output ?? []);
    expect(text.split('x').length - 1).toBe(10_000);
    expect(text).toContain('[cut at 10000 characters]');
  });
});

describe('a hook on a prompt', () => {
  it('adds what it says to the message, which stays as it is in later requests', async () => {
    const place = makePlace();
    const settings = { hooks: { UserPromptSubmit: [{ hooks: [hook('cat > in.json; echo "TODAY IS MONDAY"'), says({ hookSpecificOutput: { additionalContext: 'AND SUNNY' } })] }], SessionStart: [{ matcher: 'startup', hooks: [hook('echo STARTED')] }, { matcher: 'resume', hooks: [hook('echo RESUMED')] }] } };
    const model = scriptedModel(['one', 'two']);
    const { runtime } = await open(model, { place, settings });
    const { result } = await say(runtime, { text: 'hello', cwd: place.project });
    await say(runtime, { text: 'again', sessionId: result.session_id });
    expect(JSON.parse(read(place, 'in.json'))).toMatchObject({ hook_event_name: 'UserPromptSubmit', prompt: 'again' });
    expect(sent(model, 1).startsWith(sent(model, 0).slice(0, -1))).toBe(true);
    for (const word of ['STARTED', 'TODAY IS MONDAY', 'AND SUNNY']) expect(sent(model, 0)).toContain(word);
    expect(sent(model, 1).split('STARTED')).toHaveLength(2);
    await runtime.close();
    const next = scriptedModel(['three']);
    const { runtime: later } = await open(next, { place, settings });
    await say(later, { text: 'third', sessionId: result.session_id });
    expect(sent(next, 0).split('RESUMED')).toHaveLength(2);
    expect(sent(next, 0).split('STARTED')).toHaveLength(2);
  });

  it('refuses it: the model is not asked, and never reads it', async () => {
    const place = makePlace();
    const model = scriptedModel(['answer']);
    const { runtime } = await open(model, { place, settings: on('UserPromptSubmit', hook('grep -q SECRET && { echo "no secrets here" >&2; exit 2; }; exit 0')) });
    const { result } = await say(runtime, { text: 'my SECRET', cwd: place.project });
    expect(result).toMatchObject({ status: 'failed', text: '', error: { code: 'prompt_blocked', message: 'no secrets here (hook of settings:flags)' } });
    expect(model.requests).toHaveLength(0);
    expect((await say(runtime, { text: 'hello', sessionId: result.session_id })).result.status).toBe('done');
    expect(sent(model, 0)).not.toContain('SECRET');
    expect(JSON.stringify(await logOf(runtime, result.session_id))).toContain('SECRET');
  });
});

describe('a hook on a message that is sent into a turn', () => {
  const guard = on('UserPromptSubmit', hook('read -r input; case "$input" in *SECRET*) echo "no secrets here" >&2; exit 2;; *also*) echo NOTED;; esac'));

  it('refuses it alone, and adds what it says to one that passes', async () => {
    const turn: { running?: RunningTurn } = {};
    const refusals: unknown[] = [];
    const model = scriptedModel([async () => {
      await turn.running?.steer('my SECRET').catch((error: unknown) => refusals.push(error));
      await turn.running?.steer('this also');
      return 'one';
    }, 'two']);
    const { runtime, place } = await open(model, { settings: guard });
    turn.running = await runtime.prompt({ text: 'hello', cwd: place.project });
    const { result, events } = await finish(turn.running);
    expect(refusals).toMatchObject([{ code: 'permission_denied', message: expect.stringContaining('no secrets here (hook of settings:flags)') }]);
    expect(result).toMatchObject({ status: 'done', text: 'two' });
    expect(eventsOf(events, 'message.added')).toMatchObject([{ text: 'this also', note: expect.stringContaining('NOTED') }]);
    expect(eventsOf(events, 'hook.completed').map(({ status, in_turn }) => [status, in_turn])).toEqual([['ok', undefined], ['blocked', true], ['ok', true]]);
    for (const words of ['hello', 'this also', 'NOTED']) expect(sent(model, 1)).toContain(words);
    expect(sent(model, 1)).not.toContain('SECRET');
  });

  it('ends with the turn, and a message that comes too late is told so', async () => {
    const turn: { running?: RunningTurn } = {};
    let late: Promise<unknown> | undefined;
    const slow = on('UserPromptSubmit', hook('grep -q late && sleep 60; exit 0'));
    const model = scriptedModel([async () => {
      late = turn.running?.steer('late').catch((error: unknown) => error);
      return 'one';
    }]);
    const { runtime, place } = await open(model, { settings: slow });
    turn.running = await runtime.prompt({ text: 'hello', cwd: place.project });
    expect((await finish(turn.running)).result.status).toBe('done');
    expect(await late).toMatchObject({ code: 'turn_ended' });
  });
});

describe('a hook on a prompt that calls a skill', () => {
  const guarded = (command: string) => ({ ...on('UserPromptSubmit', hook(command)), permissions: { mode: 'default', ask: ['Skill'] } } as const);

  it('runs once, although the prompt waits for a person before the model is asked', async () => {
    const place = makePlace();
    writeSkill(place, 'tea', { body: 'BODY OF TEA' });
    const model = scriptedModel(['done']);
    const { runtime } = await open(model, { place, settings: guarded('echo x >> count; echo NOTE') });
    const { result } = await say(runtime, { text: '/tea now', cwd: place.project });
    expect(result.status).toBe('waiting');
    await finish(await runtime.answer({ sessionId: result.session_id, answer: { kind: 'permission', decision: 'allow', scope: 'once' } }));
    expect(read(place, 'count')).toBe('x\n');
    expect([sent(model, 0).split('NOTE').length, sent(model, 0).split('BODY OF TEA').length]).toEqual([2, 2]);
  });

  const noTea = on('UserPromptSubmit', hook('grep -q tea && exit 2; exit 0'));

  it.each(['/tea now', 'some $tea now'])('refuses both: nothing of the skill is looked at or run for %s', async (text) => {
    const place = makePlace();
    ownSkill(place, 'tea', '', 'BODY OF TEA\n!`touch ran.txt`');
    const model = scriptedModel(['one', 'two', 'three']);
    const { runtime } = await open(model, { place, settings: noTea });
    const { result, events } = await say(runtime, { text, cwd: place.project });
    expect(result).toMatchObject({ status: 'failed', error: { code: 'prompt_blocked' } });
    expect(events.map(({ type }) => type)).toEqual(['session.started', 'warning', 'turn.started', 'hook.completed', 'turn.completed']);
    await say(runtime, { text: 'hello', sessionId: result.session_id });
    const again = await say(runtime, { text, sessionId: result.session_id });
    expect(again.result.error?.code).toBe('prompt_blocked');
    await say(runtime, { text: 'bye', sessionId: result.session_id });
    for (const words of [text, 'BODY OF TEA', 'The person called']) expect(sent(model, 1)).not.toContain(words);
    expect(has(place, 'ran.txt')).toBe(false);
    expect(eventsOf(await logOf(runtime, result.session_id), 'tool.requested')).toEqual([]);
  });

  it('offers skills with the next prompt that passes, and those that were offered before not again', async () => {
    const place = makePlace();
    writeSkill(place, 'coffee');
    const model = scriptedModel(['one', 'two']);
    const { runtime } = await open(model, { place, settings: noTea });
    const { result } = await say(runtime, { text: 'tea?', cwd: place.project });
    const second = await say(runtime, { text: 'coffee?', sessionId: result.session_id });
    expect(eventsOf(second.events, 'skill.offered').flatMap(({ skills }) => skills.map(({ id }) => id))).toContain('project:coffee');
    await say(runtime, { text: 'tea again?', sessionId: result.session_id });
    const last = await say(runtime, { text: 'coffee again?', sessionId: result.session_id });
    expect(eventsOf(last.events, 'skill.offered')).toEqual([]);
  });
});

describe('a hook on the prompt of a session that is bound to a skill', () => {
  const BODY = 'BODY OF BREWER\n!`echo ran >> ran.txt; echo OUTPUT`';
  const noTea = on('UserPromptSubmit', hook('echo hook >> ran.txt; grep -q tea && { echo "no tea" >&2; exit 2; }; exit 0'));

  it('comes before the commands in its instructions, which do not run for a prompt that it refuses', async () => {
    const place = makePlace();
    ownSkill(place, 'brewer', '', BODY);
    const model = scriptedModel(['one', 'two']);
    const { runtime } = await open(model, { place, settings: noTea });
    const { result, events } = await say(runtime, { text: 'tea', cwd: place.project, skill: 'brewer' });
    expect(result.error?.code).toBe('prompt_blocked');
    expect([read(place, 'ran.txt'), eventsOf(events, 'skill.activated')]).toEqual(['hook\n', []]);
    await runtime.close();
    const { runtime: later } = await open(model, { place, settings: noTea });
    const next = await say(later, { text: 'coffee', sessionId: result.session_id });
    expect(next.result.status).toBe('done');
    expect(read(place, 'ran.txt')).toBe('hook\nhook\nran\n');
    expect(eventsOf(next.events, 'skill.activated')).toMatchObject([{ skill_id: 'user:brewer', trigger: 'bound' }]);
    expect(model.requests[0]?.system).toContain('OUTPUT');
    await say(later, { text: 'more coffee', sessionId: result.session_id });
    expect(read(place, 'ran.txt')).toBe('hook\nhook\nran\nhook\n');
    expect(model.requests[1]?.system).toBe(model.requests[0]?.system);
    const fork = await later.sessions.fork(result.session_id, 1);
    expect(eventsOf((await say(later, { text: 'coffee', sessionId: fork })).events, 'skill.activated')).toHaveLength(1);
  });

  it('finds a skill that was named by its folder again, and says which one is gone', async () => {
    const place = makePlace();
    const folder = path.join(place.project, 'loose');
    fs.mkdirSync(folder);
    fs.writeFileSync(path.join(folder, 'SKILL.md'), '---\nname: loose\ndescription: Loose.\n---\n\nBODY OF LOOSE\n');
    const model = scriptedModel(['one']);
    const { runtime } = await open(model, { place, settings: noTea });
    const { result } = await say(runtime, { text: 'tea', cwd: place.project, skill: './loose' });
    fs.renameSync(folder, `${folder}.gone`);
    await expect(runtime.prompt({ text: 'coffee', sessionId: result.session_id })).rejects.toThrow(/bound to the skill path:loose, which has not been loaded yet\. There is no SKILL\.md/);
    fs.mkdirSync(folder);
    fs.writeFileSync(path.join(folder, 'SKILL.md'), '---\nname: other\ndescription: Other.\n---\n\nBODY OF OTHER\n');
    await expect(runtime.prompt({ text: 'coffee', sessionId: result.session_id })).rejects.toThrow(/In its place there is path:other now/);
    fs.rmSync(folder, { recursive: true });
    fs.renameSync(`${folder}.gone`, folder);
    await say(runtime, { text: 'coffee', sessionId: result.session_id });
    expect(model.requests[0]?.system).toContain('BODY OF LOOSE');
  });

  it('may be one of the skill itself: it refuses before anything else of the skill runs', async () => {
    const place = makePlace();
    ownSkill(place, 'brewer', `hooks:\n  UserPromptSubmit:\n    - hooks:\n        - type: command\n          command: "echo own >> ran.txt; exit 2"\n`, BODY);
    const { runtime } = await open(scriptedModel(['one']), { place });
    const { result, events } = await say(runtime, { text: 'x', cwd: place.project, skill: 'brewer' });
    expect(result.error?.code).toBe('prompt_blocked');
    expect(read(place, 'ran.txt')).toBe('own\n');
    expect(eventsOf(events, 'hook.completed')).toMatchObject([{ source: 'user:brewer', status: 'blocked' }]);
  });

  it.skipIf(!fs.existsSync('/usr/bin/bwrap') && process.env['CI'] !== 'true')('lets files of the skill be used before its instructions are in force, in the sandbox too (needs bubblewrap)', async () => {
    const place = makePlace();
    const file = ownSkill(place, 'brewer', `hooks:\n  UserPromptSubmit:\n    - hooks:\n        - type: command\n          command: ./word.sh\n`, '!`cat ${SKILL_DIR}/word.txt`');
    fs.writeFileSync(path.join(path.dirname(file), 'word.sh'), '#!/bin/sh\necho FROM THE HOOK\n', { mode: 0o755 });
    fs.writeFileSync(path.join(path.dirname(file), 'word.txt'), 'FROM THE COMMAND');
    const model = scriptedModel(['one']);
    const { runtime } = await open(model, { place, settings: { sandbox: 'required' } });
    await say(runtime, { text: 'x', cwd: place.project, skill: 'brewer' });
    expect(sent(model, 0)).toContain('FROM THE HOOK');
    expect(model.requests[0]?.system).toContain('FROM THE COMMAND');
  });
});

describe('a Stop hook', () => {
  it('sends the turn on until it is content', async () => {
    const place = makePlace();
    const model = scriptedModel(['I am done', bash('touch tests-ran'), 'now I am']);
    const { runtime } = await open(model, { place, settings: on('Stop', hook('cat >> in.jsonl; [ -e tests-ran ] || { echo "run the tests" >&2; exit 2; }')) });
    const { result } = await say(runtime, { text: 'x', cwd: place.project });
    expect(result).toMatchObject({ status: 'done', text: 'now I am' });
    expect(sent(model, 1)).toContain('run the tests');
    const inputs = read(place, 'in.jsonl').trim().split('\n').map((line): unknown => JSON.parse(line));
    expect(inputs).toMatchObject([{ stop_hook_active: false, last_assistant_message: 'I am done' }, { stop_hook_active: true, last_assistant_message: 'now I am' }]);
  });

  it('does not keep a turn going for ever', async () => {
    const place = makePlace();
    const model = scriptedModel(['1', '2', '3', '4', 'never asked']);
    const { runtime } = await open(model, { place, settings: on('Stop', says({ decision: 'block', reason: 'go on' })) });
    const { result, events } = await say(runtime, { text: 'x', cwd: place.project });
    expect(result).toMatchObject({ status: 'done', text: '4' });
    expect(eventsOf(events, 'hook.completed')).toHaveLength(3);
    expect(eventsOf(events, 'warning').map(({ code }) => code)).toContain('stop_hooks');
  });
});

describe('hooks of a session', () => {
  it('run once where they say so, in all processes together', async () => {
    const place = makePlace();
    const settings = on('PreToolUse', hook('echo x >> count', { once: true }));
    const two = { calls: [...bash('true').calls, ...bash('echo 2').calls] };
    const { runtime } = await open(scriptedModel([two, 'done']), { place, settings });
    const { result } = await say(runtime, { text: 'x', cwd: place.project });
    await runtime.close();
    const { runtime: later } = await open(scriptedModel([bash('true'), 'done']), { place, settings });
    await say(later, { text: 'y', sessionId: result.session_id });
    expect(read(place, 'count')).toBe('x\n');
  });

  it('may say again what a compaction has taken away', async () => {
    const place = makePlace();
    const settings = { hooks: { SessionStart: [
      { matcher: 'startup|compact', hooks: [hook('cat > start.json; echo "Speak like a pirate."')] },
      { matcher: 'compact', hooks: [hook(`echo '{"continue": false, "hookSpecificOutput": {"additionalContext": "It is Tuesday."}}'`)] },
    ] } };
    const model = scriptedModel(['long words '.repeat(5_000), 'again', 'summary', 'aye']);
    const { runtime } = await open(model, { place, settings });
    const { result } = await say(runtime, { text: 'x', cwd: place.project });
    await say(runtime, { text: 'y', sessionId: result.session_id });
    await runtime.compact(result.session_id);
    expect(JSON.parse(read(place, 'start.json'))).toMatchObject({ hook_event_name: 'SessionStart', source: 'compact' });
    expect((await say(runtime, { text: 'z', sessionId: result.session_id })).result).toMatchObject({ status: 'done', text: 'aye' });
    const [first] = model.requests.at(-1)?.messages ?? [];
    expect(JSON.stringify(first)).toContain('Speak like a pirate.');
    expect(JSON.stringify(first)).toContain('It is Tuesday.');
    expect(JSON.stringify(model.requests.at(-1)?.messages).match(/Speak like a pirate/g)).toHaveLength(1);
  });

  it('may forbid compaction, and learn of the end of the session', async () => {
    const place = makePlace();
    const settings = { hooks: { PreCompact: [{ matcher: 'manual', hooks: [hook('cat > compact.json; echo "not now" >&2; exit 2')] }], SessionEnd: [{ hooks: [hook('cat > end.json')] }] } };
    const { runtime } = await open(scriptedModel(['long words '.repeat(5_000), 'short']), { place, settings });
    const { result } = await say(runtime, { text: 'x', cwd: place.project });
    await say(runtime, { text: 'y', sessionId: result.session_id });
    const { before, after } = await runtime.compact(result.session_id);
    expect(after).toBe(before);
    expect(JSON.parse(read(place, 'compact.json'))).toMatchObject({ trigger: 'manual' });
    expect((await logOf(runtime, result.session_id)).at(-1)).toMatchObject({ type: 'warning', code: 'compaction_blocked', message: expect.stringContaining('not now') });
    await runtime.close();
    expect(JSON.parse(read(place, 'end.json'))).toMatchObject({ hook_event_name: 'SessionEnd', session_id: result.session_id, reason: 'other' });
    const { runtime: later } = await open(scriptedModel([]), { place });
    expect((await logOf(later, result.session_id)).at(-1)).toMatchObject({ type: 'hook.completed', event: 'SessionEnd', status: 'ok' });
  });

  it('come from the person and from trusted projects, and their faults are told', async () => {
    const place = makePlace();
    const file = (folder: string, log: string) => {
      fs.mkdirSync(folder, { recursive: true });
      fs.writeFileSync(path.join(folder, 'config.json'), JSON.stringify({ ...on('PreToolUse', hook(`echo ${log} >> log`), { type: 'http', url: 'http://localhost' }), ...(log === 'user' ? { trustedFolders: trusted } : {}) }));
    };
    let trusted: readonly string[] = [];
    const run = async () => {
      file(place.data, 'user');
      file(path.join(place.project, '.skillmint'), 'project');
      const { runtime } = await open(scriptedModel([bash('true'), 'done']), { place });
      const { events } = await say(runtime, { text: 'x', cwd: place.project });
      await runtime.close();
      return eventsOf(events, 'warning').map(({ message }) => message).join('\n');
    };
    const warnings = await run();
    expect(read(place, 'log')).toBe('user\n');
    expect(warnings).toContain('this folder is not trusted, so hooks does not count');
    expect(warnings).toContain('config.json: the hook 2 of PreToolUse has the type "http", which is not supported');
    trusted = [place.project];
    await run();
    expect(read(place, 'log').split('\n').toSorted()).toEqual(['', 'project', 'user', 'user']);
  });
});
