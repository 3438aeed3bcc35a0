import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { makePlace, withProvider } from '../e2e/program.ts';
import { choose, said, startEditor, until, updatesOf, type TestEditor } from './editor.ts';

const ARGS = ['--model', 'fake/m', '--sandbox', 'off'];

describe('a turn in an editor', () => {
  it('says what it can, streams the answer and the thoughts, and tells title, context, cost and usage', async () => {
    const place = makePlace();
    await withProvider(place, { steps: [{ reasoning: 'Let me think.', text: 'Hello there.', usage: { input: 100, output: 20 } }] });
    const editor = await startEditor(place, { args: ARGS, can: { session: { notices: {} } } });
    expect(editor.about).toMatchObject({ protocolVersion: 1, agentInfo: { name: 'skillmint' }, agentCapabilities: { loadSession: true, promptCapabilities: { image: true, embeddedContext: true }, sessionCapabilities: { list: {}, delete: {}, resume: {}, close: {}, additionalDirectories: {} } } });
    const session = await editor.begin();
    expect(await editor.prompt(session, 'Say hello')).toEqual({ stopReason: 'end_turn' });
    expect(said(editor)).toBe('Hello there.');
    expect(updatesOf(editor, 'agent_message_chunk').length).toBeGreaterThan(1);
    expect(said(editor, 'agent_thought_chunk')).toBe('Let me think.');
    expect(updatesOf(editor, 'notice')).toMatchObject([{ severity: 'warning', title: expect.stringContaining('The sandbox is off') }]);
    expect(updatesOf(editor, 'session_info_update').at(-1)).toMatchObject({ title: 'Say hello' });
    expect(updatesOf(editor, 'usage_update').at(-1)).toMatchObject({ used: 120, size: 200_000, cost: { currency: 'USD' } });
    expect(await editor.leave()).toEqual({ code: 0, signal: null, stderr: '' });
  });

  it('asks for consent, shows the change as old and new text, output of commands and the plan', async () => {
    const place = makePlace();
    const file = path.join(place.project, 'a.txt');
    fs.writeFileSync(file, 'one\ntwo\nthree\n');
    await withProvider(place, { steps: [
      { calls: [{ name: 'TodoWrite', input: { todos: [{ id: '1', subject: 'Change the file', status: 'in_progress' }] } }, { name: 'Read', input: { file_path: file } }] },
      { calls: [{ name: 'Edit', input: { file_path: file, old_string: 'two', new_string: 'TWO' } }] },
      { calls: [{ name: 'Bash', input: { command: 'echo "from the command"' } }] },
      'Done.',
    ] });
    const editor = await startEditor(place, { args: ARGS, permission: choose('allow_once') });
    const session = await editor.begin();
    expect((await editor.prompt(session, 'Change it')).stopReason).toBe('end_turn');
    expect(fs.readFileSync(file, 'utf8')).toBe('one\nTWO\nthree\n');
    expect(updatesOf(editor, 'plan').at(-1)).toMatchObject({ entries: [{ content: 'Change the file', status: 'in_progress', priority: 'medium' }] });
    const [edit] = editor.asked;
    expect(edit?.toolCall).toMatchObject({ kind: 'edit', status: 'pending', locations: [{ path: file }], rawInput: { old_string: 'two' } });
    expect(edit?.toolCall.content).toContainEqual({ type: 'diff', path: file, oldText: 'two', newText: 'TWO' });
    expect(edit?.options.map(({ kind }) => kind)).toEqual(['allow_once', 'allow_always', 'reject_once']);
    const calls = updatesOf(editor, 'tool_call');
    expect(calls.map(({ name, kind }) => [name, kind])).toEqual([['TodoWrite', 'think'], ['Read', 'read'], ['Edit', 'edit'], ['Bash', 'execute']]);
    expect(calls[2]?.toolCallId).toBe(edit?.toolCall.toolCallId);
    const ends = updatesOf(editor, 'tool_call_update').filter(({ status }) => status === 'completed');
    expect(ends.find(({ toolCallId }) => toolCallId === calls[2]?.toolCallId)).toMatchObject({ content: [{ type: 'diff', path: file, oldText: 'one\ntwo\nthree\n', newText: 'one\nTWO\nthree\n' }], locations: [{ path: file, line: 2 }] });
    expect(JSON.stringify(ends.find(({ toolCallId }) => toolCallId === calls[3]?.toolCallId)?.content)).toContain('from the command');
    expect(said(editor)).toContain('Done.');
    await editor.leave();
  });

  it('shows what sub-agents do in the card of their call, and refuses another mode meanwhile', async () => {
    const place = makePlace();
    const editors: TestEditor[] = [];
    const refused: unknown[] = [];
    await withProvider(place, { steps: [
      { calls: [{ name: 'Task', input: { description: 'Look around', prompt: 'List the folder', subagent_type: 'explore' } }] },
      async () => {
        const [{ agent, updates } = { agent: undefined, updates: [] }] = editors;
        await agent?.request('session/set_mode', { sessionId: updates[0]?.sessionId ?? '', modeId: 'plan' }).catch((error: unknown) => refused.push(error));
        return { calls: [{ name: 'Glob', input: { pattern: '*.md' } }] };
      },
      'There is nothing.', 'Nothing there.',
    ] });
    const editor = await startEditor(place, { args: ARGS, permission: choose('allow_once') });
    editors.push(editor);
    await editor.prompt(await editor.begin(), 'Look');
    expect(refused).toMatchObject([{ message: expect.stringContaining('runs a turn') }]);
    const [task, ...others] = updatesOf(editor, 'tool_call');
    expect([task?.name, task?.kind, others]).toEqual(['Task', 'think', []]);
    const last = updatesOf(editor, 'tool_call_update').at(-1);
    expect(last).toMatchObject({ toolCallId: task?.toolCallId, status: 'completed' });
    expect(JSON.stringify(last?.content)).toContain('✓ Glob *.md');
    expect(JSON.stringify(last?.content)).toContain('There is nothing.');
    expect(said(editor)).toContain('Nothing there.');
    await editor.leave();
  });

  it('stops with session/cancel in the middle of an answer, with what waits behind it, and tells why one has failed', async () => {
    const place = makePlace();
    await withProvider(place, { steps: [{ text: 'This is the beginning of a long answer that never ends. '.repeat(20), fault: { kind: 'hang', afterBytes: 2_000 } }, { status: 401, body: { error: { message: 'no such key' } } }] });
    const editor = await startEditor(place, { args: ARGS });
    const session = await editor.begin();
    const turns = [editor.prompt(session, 'Tell me'), editor.prompt(session, 'And then')];
    await until(() => said(editor).includes('the beginning'));
    await editor.agent.notify('session/cancel', { sessionId: session });
    expect((await Promise.all(turns)).map(({ stopReason }) => stopReason)).toEqual(['cancelled', 'cancelled']);
    await expect(editor.prompt(session, 'Again')).rejects.toThrow('no such key');
    await editor.leave();
  });
});
