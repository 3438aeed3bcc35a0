import fs from 'node:fs';
import path from 'node:path';
import type { McpServer } from '@agentclientprotocol/sdk';
import { describe, expect, it } from 'vitest';
import { exported, makePlace, withProvider, writeSkill, type Place } from '../e2e/program.ts';
import { ownServer } from '../mcp/servers.ts';
import { choose, said, startEditor, until, updatesOf, type TestEditor } from './editor.ts';

const ARGS = ['--model', 'fake/m', '--sandbox', 'off'];
const task = { calls: [{ name: 'Task', input: { prompt: 'Make the file', subagent_type: 'general-purpose' } }] };
const touch = { calls: [{ name: 'Bash', input: { command: 'touch made' } }] };
const made = (place: Place): boolean => fs.existsSync(path.join(place.project, 'made'));

/** How the turns of a session ended. */
async function ends(place: Place, session: string): Promise<readonly unknown[]> {
  return (await exported(place, session)).filter(({ type }) => type === 'turn.completed').map((event) => event['status']);
}

describe('cancel in an editor', () => {
  it('ends a turn whose sub-agent asks, and nothing of it runs', async () => {
    const place = makePlace();
    await withProvider(place, { steps: [task, touch, 'Something else.'] });
    const editor = await startEditor(place, { args: ARGS, permission: () => new Promise(() => undefined) });
    const session = await editor.begin();
    const turn = editor.prompt(session, 'Have it made');
    await until(() => editor.asked.length > 0);
    await editor.agent.notify('session/cancel', { sessionId: session });
    expect(await turn).toEqual({ stopReason: 'cancelled' });
    expect((await editor.prompt(session, 'Something else')).stopReason).toBe('end_turn');
    expect([said(editor).includes('Something else.'), made(place)]).toEqual([true, false]);
    await editor.leave();
  });

  it('ends a turn whose sub-agent works', async () => {
    const place = makePlace();
    await withProvider(place, { steps: [task, { calls: [{ name: 'Bash', input: { command: 'echo begun; sleep 30; touch made' } }] }, 'Never said.'] });
    const editor = await startEditor(place, { args: [...ARGS, '--permission-mode', 'unrestricted'] });
    const session = await editor.begin();
    const turn = editor.prompt(session, 'Have it made');
    await until(() => JSON.stringify(updatesOf(editor, 'tool_call_update')).includes('echo begun'));
    await editor.agent.notify('session/cancel', { sessionId: session });
    expect(await turn).toEqual({ stopReason: 'cancelled' });
    expect(updatesOf(editor, 'tool_call_update').at(-1)?.status).toBe('failed');
    expect(await editor.leave()).toEqual({ code: 0, signal: null, stderr: '' });
    expect([await ends(place, session), made(place)]).toEqual([['cancelled'], false]);
  });

  it('is also that the editor takes its prompt back', async () => {
    const place = makePlace();
    await withProvider(place, { steps: [{ text: 'This is a long answer. '.repeat(20), fault: { kind: 'hang', afterBytes: 1_000 } }, 'The next one.'] });
    const editor = await startEditor(place, { args: ARGS });
    const session = await editor.begin();
    const back = new AbortController();
    const turn = editor.agent.request('session/prompt', { sessionId: session, prompt: [{ type: 'text', text: 'Tell me' }] }, { cancellationSignal: back.signal });
    await until(() => said(editor).includes('a long answer'));
    back.abort();
    expect(await turn.catch(({ code }: { readonly code?: number }) => code)).toEqual({ stopReason: 'cancelled' });
    expect((await editor.prompt(session, 'And now?')).stopReason).toBe('end_turn');
    await editor.leave();
    expect(await ends(place, session)).toEqual(['cancelled', 'done']);
  });
});

describe('two sessions of an editor', () => {
  it('go on beside each other: one asks while the other answers, and each cancel is for its own', async () => {
    const place = makePlace();
    await withProvider(place, { steps: [touch, 'Answered.', 'Made.'] });
    let allow: (() => void) | undefined;
    const editor = await startEditor(place, { args: ARGS, permission: () => new Promise((resolve) => { allow = () => resolve(choose('allow_once')()); }) });
    const [asking, other] = [await editor.begin(), await editor.begin()];
    const turn = editor.prompt(asking, 'Make it');
    await until(() => allow !== undefined);
    expect((await editor.prompt(other, 'Answer')).stopReason).toBe('end_turn');
    await editor.agent.notify('session/cancel', { sessionId: other });
    allow?.();
    expect((await turn).stopReason).toBe('end_turn');
    const words = (session: string): string => said({ updates: editor.updates.filter(({ sessionId }) => sessionId === session) });
    expect([words(asking).includes('Made.'), words(other).includes('Answered.'), words(other).includes('Made.'), made(place)]).toEqual([true, true, false, true]);
    await editor.leave();
  });

  it('of one folder keep the MCP servers that each was given', async () => {
    const place = makePlace();
    const { command = '', args = [] } = ownServer(place.root, {});
    const mcpServers: McpServer[] = [{ name: 'own', command, args: [...args], env: [] }];
    const provider = await withProvider(place, { steps: [{ calls: [{ name: 'CallTool', input: { tool: 'mcp__own__work', input: {} } }] }, 'Done.', { calls: [{ name: 'CallTool', input: { tool: 'mcp__own__work', input: {} } }] }, 'None.'] });
    const answers = ['approve', 'allow_once'];
    const editor = await startEditor(place, { args: ARGS, permission: () => choose(answers.shift() ?? 'allow_once')() });
    const { sessionId } = await editor.agent.request('session/new', { cwd: place.project, mcpServers });
    const other = await editor.begin();
    await editor.prompt(sessionId, 'Work');
    expect(provider.requests[1]?.text).toContain('done');
    await editor.agent.request('session/close', { sessionId });
    await editor.prompt(other, 'Work');
    expect(provider.requests[3]?.text).not.toContain('"done"');
    expect(editor.asked.length).toBe(2);
    await editor.leave();
  });
});

describe('commands of an editor', () => {
  it('are told anew when a skill comes or goes, without a turn', async () => {
    const place = makePlace();
    await withProvider(place, { steps: ['Hello.'] });
    const editor: TestEditor = await startEditor(place, { args: ARGS });
    await editor.begin();
    const names = (): readonly string[] => updatesOf(editor, 'available_commands_update').at(-1)?.availableCommands.map(({ name }) => name) ?? [];
    await until(() => names().includes('compact'));
    const folder = path.join(place.project, '.skillmint', 'skills');
    writeSkill(folder, { name: 'greeting', body: 'Greet.\n' });
    await until(() => names().includes('greeting'));
    fs.rmSync(folder, { recursive: true });
    await until(() => !names().includes('greeting'));
    expect(await editor.leave()).toEqual({ code: 0, signal: null, stderr: '' });
  }, 40_000);
});
