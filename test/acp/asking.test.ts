import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { exported, makePlace, withProvider, type Place } from '../e2e/program.ts';
import { choose, said, startEditor, until, updatesOf } from './editor.ts';

const ARGS = ['--model', 'fake/m', '--sandbox', 'off'];
const write = (place: Place, name: string) => ({ calls: [{ name: 'Write', input: { file_path: path.join(place.project, name), content: 'new\n' } }] });
const question = { calls: [{ name: 'AskUserQuestion', input: { question: 'Which colour?', options: ['red', 'blue'] } }] };

/** What the model was told last. */
const lastRequest = (provider: { readonly requests: readonly { readonly text: string }[] }): string => provider.requests.at(-1)?.text ?? '';

describe('consent in an editor', () => {
  it('is kept as a rule with always, and a refusal reaches the model', async () => {
    const place = makePlace();
    const provider = await withProvider(place, { steps: [
      { calls: [{ name: 'Bash', input: { command: 'touch made' } }] }, { calls: [{ name: 'Bash', input: { command: 'touch made' } }] },
      write(place, 'b.txt'), 'Done.',
    ] });
    const answers = ['allow_always', 'reject_once'];
    const editor = await startEditor(place, { args: ARGS, permission: () => choose(answers.shift() ?? '')() });
    const session = await editor.begin();
    expect((await editor.prompt(session, 'Work')).stopReason).toBe('end_turn');
    expect(editor.asked.map(({ toolCall }) => toolCall.name)).toEqual(['Bash', 'Write']);
    expect(editor.asked[0]?.options[1]?.name).toContain('touch made');
    expect(JSON.stringify(editor.asked[0]?.toolCall.content)).toContain('touch made');
    expect(fs.existsSync(path.join(place.project, 'b.txt'))).toBe(false);
    expect(updatesOf(editor, 'tool_call_update').at(-1)).toMatchObject({ status: 'failed' });
    expect(lastRequest(provider)).toMatch(/did not allow|denied|refused|rejected/i);
    await editor.leave();
  });

  it('is refused, with the reason, where the editor cannot ask or answers nonsense', async () => {
    const place = makePlace();
    const provider = await withProvider(place, { steps: [write(place, 'b.txt'), 'Done.', write(place, 'b.txt'), 'Done.'] });
    const mute = await startEditor(place, { args: ARGS });
    expect((await mute.prompt(await mute.begin(), 'Write it')).stopReason).toBe('end_turn');
    expect(lastRequest(provider)).toContain('Nobody could be asked: the editor did not take the request');
    await mute.leave();
    const odd = await startEditor(place, { args: ARGS, permission: choose('anything') });
    expect((await odd.prompt(await odd.begin(), 'Write it')).stopReason).toBe('end_turn');
    expect(lastRequest(provider)).toContain('an option that was not offered');
    expect(fs.existsSync(path.join(place.project, 'b.txt'))).toBe(false);
    await odd.leave();
  });

  it('is not waited for once the person stops the turn, and the next message begins a new one', async () => {
    const place = makePlace();
    await withProvider(place, { steps: [write(place, 'b.txt'), 'Something else.'] });
    const editor = await startEditor(place, { args: ARGS, permission: () => new Promise(() => undefined) });
    const session = await editor.begin();
    const turn = editor.prompt(session, 'Write it');
    await until(() => editor.asked.length > 0);
    await editor.agent.notify('session/cancel', { sessionId: session });
    expect((await turn).stopReason).toBe('cancelled');
    expect((await editor.prompt(session, 'Something else')).stopReason).toBe('end_turn');
    expect(said(editor)).toContain('Something else.');
    await editor.leave();
    expect((await exported(place, session)).filter(({ type }) => type === 'turn.completed').map((event) => event['status'])).toEqual(['waiting', 'cancelled', 'done']);
  });

  it('of a plan sets the mode, and modes and options are told', async () => {
    const place = makePlace();
    await withProvider(place, { steps: [{ calls: [{ name: 'ExitPlanMode', input: { plan: '# The plan\n\nDo it.' } }] }, 'Planned.'] });
    const editor = await startEditor(place, { args: ARGS, permission: choose('allow_once') });
    const { sessionId, modes, configOptions } = await editor.agent.request('session/new', { cwd: place.project, mcpServers: [] });
    expect(modes?.currentModeId).toBe('default');
    expect(modes?.availableModes.map(({ id }) => id)).toEqual(['default', 'acceptEdits', 'plan', 'dontAsk', 'unrestricted']);
    expect(configOptions?.map(({ id, category }) => [id, category])).toEqual([['mode', 'mode'], ['model', 'model'], ['effort', 'thought_level']]);
    await editor.agent.request('session/set_mode', { sessionId, modeId: 'plan' });
    expect(updatesOf(editor, 'current_mode_update').at(-1)).toMatchObject({ currentModeId: 'plan' });
    await editor.prompt(sessionId, 'Plan it');
    expect(JSON.stringify(editor.asked[0]?.toolCall.content)).toContain('The plan');
    expect(editor.asked[0]?.toolCall.kind).toBe('switch_mode');
    expect(updatesOf(editor, 'current_mode_update').at(-1)).toMatchObject({ currentModeId: 'default' });
    const set = await editor.agent.request('session/set_config_option', { sessionId, configId: 'effort', value: 'high' });
    expect(set.configOptions.find(({ id }) => id === 'effort')).toMatchObject({ currentValue: 'high' });
    await expect(editor.agent.request('session/set_mode', { sessionId, modeId: 'none' })).rejects.toThrow('There is no permission mode "none"');
    await expect(editor.agent.request('session/set_config_option', { sessionId, configId: 'model', value: 'nobody/none' })).rejects.toThrow('nobody');
    await editor.leave();
  });
});

describe('a question in an editor', () => {
  it('is a form where the editor fills in forms', async () => {
    const place = makePlace();
    const provider = await withProvider(place, { steps: [question, 'Blue it is.'] });
    const editor = await startEditor(place, { args: ARGS, can: { elicitation: { form: {} } }, elicitation: () => ({ action: 'accept', content: { answer1: 'blue' } }) });
    expect((await editor.prompt(await editor.begin(), 'Ask me')).stopReason).toBe('end_turn');
    expect(lastRequest(provider)).toContain('blue');
    expect(said(editor)).toContain('Blue it is.');
    await editor.leave();
  });

  it('stands as text when the person closes the form, and the next message answers it', async () => {
    const place = makePlace();
    const provider = await withProvider(place, { steps: [question, 'Blue it is.'] });
    const editor = await startEditor(place, { args: ARGS, can: { elicitation: { form: {} } }, elicitation: () => ({ action: 'cancel' }) });
    const session = await editor.begin();
    expect((await editor.prompt(session, 'Ask me')).stopReason).toBe('end_turn');
    expect(said(editor)).toContain('**Which colour?**');
    await editor.prompt(session, '2');
    expect(lastRequest(provider)).toContain('blue');
    await editor.leave();
  });

  it('is a choice where it has options and the editor has no forms', async () => {
    const place = makePlace();
    const provider = await withProvider(place, { steps: [question, 'Red it is.'] });
    const editor = await startEditor(place, { args: ARGS, permission: choose('option1') });
    expect((await editor.prompt(await editor.begin(), 'Ask me')).stopReason).toBe('end_turn');
    expect(editor.asked[0]?.options.map(({ name }) => name)).toEqual(['red', 'blue', 'Answer in my own words']);
    expect(lastRequest(provider)).toContain('red');
    await editor.leave();
  });

  it('is text where the editor can do neither, and the next message answers it', async () => {
    const place = makePlace();
    const provider = await withProvider(place, { steps: [question, 'Blue it is.'] });
    const editor = await startEditor(place, { args: ARGS });
    const session = await editor.begin();
    expect((await editor.prompt(session, 'Ask me')).stopReason).toBe('end_turn');
    expect(said(editor)).toContain('**Which colour?**\n\n1. red\n2. blue');
    expect((await editor.prompt(session, '2')).stopReason).toBe('end_turn');
    expect(lastRequest(provider)).toContain('blue');
    expect(said(editor)).toContain('Blue it is.');
    await editor.leave();
    expect((await exported(place, session)).find(({ type }) => type === 'question.answered')).toMatchObject({ answer: 'blue' });
  });
});
