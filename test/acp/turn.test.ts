import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { makePlace, withProvider } from '../e2e/program.ts';
import { choose, said, startEditor, updatesOf } from './editor.ts';

const ARGS = ['--model', 'fake/m', '--sandbox', 'off'];

describe('a turn in an editor', () => {
  it('says what it can, streams the answer and the thoughts, and tells title, context, cost and usage', async () => {
    const place = makePlace();
    await withProvider(place, { steps: [{ reasoning: 'Let me think.', text: 'Hello there.', usage: { input: 100, output: 20 } }] });
    const editor = await startEditor(place, { args: ARGS, can: { session: { notices: {} } } });
    expect(editor.about).toMatchObject({ protocolVersion: 1, agentInfo: { name: 'skillmint' }, agentCapabilities: { loadSession: true, promptCapabilities: { image: true, embeddedContext: true }, sessionCapabilities: { list: {}, delete: {}, resume: {}, close: {}, fork: {} } } });
    const session = await editor.begin();
    const { stopReason, usage } = await editor.prompt(session, 'Say hello');
    expect({ stopReason, usage }).toEqual({ stopReason: 'end_turn', usage: { totalTokens: 120, inputTokens: 100, outputTokens: 20, cachedReadTokens: 0, cachedWriteTokens: 0 } });
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
});
