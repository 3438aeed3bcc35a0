import { describe, expect, it } from 'vitest';
import { visibleWidth } from '@mariozechner/pi-tui';
import { transcriptView } from '../../src/cli/interactive/screen/transcript-view.ts';
import { statusLines, shortFolder } from '../../src/cli/interactive/screen/status-line.ts';
import { todoLines } from '../../src/cli/interactive/screen/panels.ts';
import { timeAgo } from '../../src/cli/interactive/time-ago.ts';
import type { SessionEvent, StoredBody, TransientBody } from '../../src/protocol/events.ts';
import { NO_USAGE } from '../../src/protocol/usage.ts';

const same = (text: string): string => text;
const PLAIN = { dim: same, bold: same, red: same, green: same, yellow: same, cyan: same };

const WHERE = { session_id: 's', time: '2026-01-01T00:00:00Z' };

function isTransient(body: StoredBody | TransientBody): body is TransientBody {
  return body.type === 'text.delta' || body.type === 'reasoning.delta' || body.type === 'tool.delta';
}

/** A view that has heard these events. */
function viewOf(bodies: readonly (StoredBody | TransientBody)[]) {
  const view = transcriptView(PLAIN);
  for (const [seq, body] of bodies.entries()) {
    const event: SessionEvent = isTransient(body) ? { ...body, ...WHERE } : { ...body, ...WHERE, seq: seq + 1 };
    view.apply(event);
  }
  return view;
}

const HOSTILE = ['\u001b]0;t\u0007', '\u009b5A', '\r\n\u0008', '\u202e', 'a'.repeat(300), '中'.repeat(150), '👩‍👩‍👧‍👦'.repeat(60), '\t'.repeat(30), '&#27;[2J', '\u001b_pi:c\u0007', '<b>x</b>', '[x](http://a/\u001b[31m)'];

describe('the view of a conversation', () => {
  it.each([8, 20, 40, 80, 200])('no line is wider than %i columns or holds what steers a terminal, whatever it shows', (width) => {
    for (const text of [...HOSTILE, HOSTILE.join(' '), `\`\`\`${HOSTILE[0]}\n${HOSTILE.join('\n')}\n\`\`\``, `| ${HOSTILE.join(' | ')} |\n|${'---|'.repeat(HOSTILE.length)}\n| x |`, `> - ${HOSTILE.join('\n> - ')}`, `# ${HOSTILE.join('')}`]) {
      const view = viewOf([
        { type: 'turn.started', turn_id: 't', input: [{ type: 'text', text }] },
        { type: 'reasoning.delta', text },
        { type: 'text.delta', text },
        { type: 'message.completed', role: 'assistant', content: [{ type: 'reasoning', text, provider: 'p' }, { type: 'text', text }] },
        { type: 'tool.requested', call_id: 'c', tool: text, input: { command: text, [text]: text } },
        { type: 'tool.started', call_id: 'c' },
        { type: 'tool.delta', call_id: 'c', text },
        { type: 'agent.started', task_id: 'k', agent_type: text, prompt: text, child_id: 'x', call_id: 'c' },
        { type: 'tool.completed', call_id: 'c', status: 'error', output: [{ type: 'text', text }], details: { diff: `@@ -1 +1 @@\n-${text}\n+${text}` } },
        { type: 'warning', code: 'w', message: text },
        { type: 'turn.completed', turn_id: 't', status: 'failed', usage: NO_USAGE, text, error: { code: 'e', message: text } },
      ]);
      for (const _open of [false, true]) {
        for (const line of view.render(width)) {
          expect(visibleWidth(line)).toBeLessThanOrEqual(width);
          expect(line.replace(/\u001b\[\d*m/g, '')).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202e]/);
        }
        view.toggleDetails();
      }
    }
  });

  it('a text that grows is shown as the whole would be', () => {
    const text = '# Head\n\nSome **words** here.\n\n```ts\nconst a = 1;\n\nconst b = 2;\n```\n\n- one\n- two\n\n  more\n\n| a | b |\n|---|---|\n| 1 | 2 |\n';
    const grown = viewOf(Array.from(text).map((char) => ({ type: 'text.delta', text: char })));
    const whole = viewOf([{ type: 'message.completed', role: 'assistant', content: [{ type: 'text', text }] }]);
    expect(grown.render(60)).toEqual(whole.render(60));
  });

  it('leaves out the oldest entries of a long conversation, and says so', () => {
    const turn = (i: number): readonly StoredBody[] => [{ type: 'turn.started', turn_id: `t${i}`, input: [{ type: 'text', text: `message ${i}` }] }, { type: 'message.completed', role: 'assistant', content: [{ type: 'text', text: `answer ${i}` }] }];
    const lines = viewOf(Array.from({ length: 1_000 }, (_, i) => turn(i)).flat()).render(80);
    expect(lines.length).toBeLessThan(2_000);
    expect(lines[0]).toMatch(/older entries are left out/);
    expect(lines.join('\n')).toContain('answer 999');
    expect(lines.join('\n')).not.toContain('message 3\n');
  });
});

describe('the lines around it', () => {
  it('the status takes one line or two', () => {
    const status = { model: 'a/b', folder: '~/work', mode: 'default', sandbox: 'isolated', tokens: 50_000, window: 200_000, costUsd: 0.5 };
    expect(statusLines(status, 100)).toEqual(['a/b · default · sandbox: isolated · ~/work · 25 % context · $0.5000']);
    expect(statusLines(status, 40)).toHaveLength(2);
    expect(statusLines(status, 20)).toEqual(['a/b · default', 'sandbox: isolated', '~/work', '25 % context', '$0.5000']);
    expect(statusLines({ ...status, tokens: 0, costUsd: 0, model: '', sandbox: '' }, 100)).toEqual(['default · ~/work']);
    expect([shortFolder('/home/a/x', '/home/a'), shortFolder('/home/ab', '/home/a')]).toEqual(['~/x', '/home/ab']);
  });

  it('a long todo list is shown around what is being done, and none once all is done', () => {
    const todo = (i: number, status: 'pending' | 'in_progress' | 'completed') => ({ id: String(i), subject: `task ${i}`, status });
    const lines = todoLines([...Array.from({ length: 10 }, (_, i) => todo(i, 'completed')), todo(10, 'in_progress'), ...Array.from({ length: 10 }, (_, i) => todo(11 + i, 'pending'))], PLAIN);
    expect(lines.slice(1)).toEqual(['todo 10/21', '  ☑ task 9', '  ◐ task 10', '  ☐ task 11', '  ☐ task 12', '  ☐ task 13', '  ☐ task 14']);
    expect(todoLines([todo(1, 'completed')], PLAIN)).toEqual([]);
  });

  it('says how long ago something was', () => {
    const now = Date.parse('2026-01-10T12:00:00Z');
    expect(['2026-01-10T11:59:50Z', '2026-01-10T11:30:00Z', '2026-01-10T09:00:00Z', '2026-01-07T12:00:00Z'].map((time) => timeAgo(time, now))).toEqual(['just now', '30 min ago', '3 h ago', '3 d ago']);
  });
});
