import { describe, expect, it } from 'vitest';
import type { StoredBody } from '../../src/protocol/events.ts';
import { withoutTmux } from '../cli/terminal.ts';
import { FREE, makePlace, withProvider } from '../e2e/program.ts';
import { writeSession } from '../interface/session-store.ts';
import { terminals } from './tmux.ts';

const open = terminals('long');
const USAGE = { input: 1_000, output: 200, cache_read: 500, cache_write: 0 };
/** Of seven events each: 5,005. */
const TURNS = 715;

function turn(index: number): readonly StoredBody[] {
  const call = { call_id: `call_${index}`, tool: 'Bash', input: { command: `cat file-${index}.ts` } };
  return [
    { type: 'turn.started', turn_id: `turn_${index}`, input: [{ type: 'text', text: `Question ${index}` }] },
    { type: 'message.completed', role: 'assistant', content: [{ type: 'text', text: 'I look.' }, { type: 'tool_call', ...call }], usage: USAGE },
    { type: 'tool.requested', ...call },
    { type: 'tool.started', call_id: call.call_id },
    { type: 'tool.completed', call_id: call.call_id, status: 'ok', output: [{ type: 'text', text: 'line\n'.repeat(40) }], duration_ms: 120 },
    { type: 'message.completed', role: 'assistant', content: [{ type: 'text', text: `## Step ${index}\n\n- first \`a${index}\`\n- 中文 **${index}**` }], usage: USAGE },
    { type: 'turn.completed', turn_id: `turn_${index}`, status: 'done', usage: USAGE, text: '' },
  ];
}

describe.skipIf(withoutTmux)('a session of 5,000 events on the screen (needs tmux)', () => {
  it('is shown at its end, goes on, opens and folds its details, and says what is left out', async () => {
    const place = makePlace();
    await withProvider(place, { steps: ['Still here.', 'And again.'] });
    await writeSession(place, 'ses_long', Array.from({ length: TURNS }, (_, index) => turn(index)).flat());
    const terminal = open(place, [...FREE, '--session', 'ses_long'], { columns: 80, rows: 24 });
    await terminal.shows(/Step 714[\s\S]*going on with ses_long: Question 0/);
    await terminal.ready();
    await terminal.send('are you there?');
    await terminal.shows(/Still here\.[\s\S]*done ·/);
    expect(terminal.all()).toMatch(/… \d+ older entries are left out; \/export writes all of them/);
    expect(terminal.all()).not.toContain('Question 1\n');
    terminal.press('C-o');
    await terminal.shows('command: cat file-714.ts');
    terminal.press('C-o');
    await expect.poll(terminal.now).not.toContain('command: cat file-714.ts');
    await terminal.ready();
    terminal.resize(200, 50);
    await expect.poll(terminal.now).toContain('─'.repeat(200));
    await terminal.send('and now?');
    await terminal.shows('And again.');
  });
});
