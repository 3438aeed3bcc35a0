import fs from 'node:fs';
import { describe, expect, it } from 'vitest';
import { textOf } from '../../src/protocol/content.ts';
import { scriptedModel } from '../../src/testing/scripted-model.ts';
import { eventsOf, makePlace, open, say, type Place } from './open.ts';

const call = (tool: string, input: { readonly [key: string]: string | number | boolean }) => ({ calls: [{ tool, input }] });

/** What became of one call, and what the model was told. */
async function outcome(place: Place, tool: string, input: Parameters<typeof call>[1], permissions: object): Promise<{ readonly status: string; readonly started: number; readonly text: string }> {
  const { runtime } = await open(scriptedModel([call(tool, input), 'done']), { place, settings: { permissions } });
  const { result, events } = await say(runtime, { text: 'x', cwd: place.project });
  const [completed] = eventsOf(events, 'tool.completed');
  return { status: completed?.status ?? result.status, started: eventsOf(events, 'tool.started').length, text: completed ? textOf(completed.output) : '' };
}

describe('calls that cannot be made as they are (C-R9)', () => {
  it.each([
    ['a tool that does not exist', 'Teleport', { command: 'touch a' }, 'There is no tool named Teleport'],
    ['a tool with the name of something inherited', 'constructor', { command: 'touch a' }, 'There is no tool named constructor'],
    ['an argument that is missing', 'Bash', {}, 'command'],
    ['an argument of another type', 'Bash', { command: 'touch a', timeout: 'soon' }, 'timeout'],
    ['an argument that does not exist', 'Bash', { command: 'touch a', sudo: true }, 'sudo'],
  ])('%s: an error for the model, and nothing runs, even where nothing asks', async (_name, tool, input, says) => {
    const place = makePlace();
    const { status, started, text } = await outcome(place, tool, input, { mode: 'unrestricted' });
    expect([status, started, text]).toEqual(['error', 0, expect.stringContaining(says)]);
    expect(fs.readdirSync(place.project)).toEqual([]);
  });

  it.each(['bash', 'BASH', 'bAsH', ' Bash ', 'run_shell_command'])('%j is Bash by another name: the rules for Bash hold, and an allow rule in other letters grants nothing', async (name) => {
    const place = makePlace();
    const input = { command: 'touch a' };
    expect((await outcome(place, name, input, { mode: 'default' })).status).toBe('waiting');
    expect((await outcome(place, name, input, { mode: 'unrestricted', deny: ['Bash(touch:*)'] })).status).toBe('denied');
    expect((await outcome(place, name, input, { mode: 'unrestricted', deny: ['bash'] })).status).toBe('denied');
    expect((await outcome(place, name, input, { mode: 'default', allow: ['BASH(touch:*)'] })).status).toBe('waiting');
    expect(fs.readdirSync(place.project)).toEqual([]);
  });
});
