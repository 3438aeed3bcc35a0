import { describe, expect, it } from 'vitest';
import { resolveModel } from '../../src/model/resolve.ts';
import type { ToolCallPart } from '../../src/protocol/content.ts';
import type { Message } from '../../src/protocol/message.ts';
import { collect, deltas, options, replyIn, requestOf, toolSpec } from './support.ts';

const TOOLS = ['Skill', 'Bash', 'Read'].map(toolSpec);
const model = resolveModel('demo/demo', options());

const said = (text: string): Message => ({ role: 'user', content: [{ type: 'text', text }] });

/** Plays a whole turn against given results; the calls that were made, and the last text. */
async function play(prompt: string, results: Readonly<Record<string, string>>, more: { readonly error?: string } = {}): Promise<{ readonly calls: readonly ToolCallPart[]; readonly first: string; readonly last: string }> {
  const messages: Message[] = [said(prompt)];
  const calls: ToolCallPart[] = [];
  let first = '';
  for (;;) {
    const events = await collect(model, requestOf(messages, { tools: TOOLS }));
    const text = deltas(events, 'text.delta');
    first ||= text;
    const { content } = replyIn(events);
    messages.push({ role: 'assistant', content });
    const call = content.find((part) => part.type === 'tool_call');
    if (!call) return { calls, first, last: text };
    calls.push(call);
    messages.push({ role: 'tool', content: [{ type: 'tool_result', call_id: call.call_id, tool: call.tool, content: [{ type: 'text', text: results[call.tool] ?? '' }], is_error: more.error === call.tool }] });
  }
}

const RESULTS = {
  Skill: '<skill name="orders-report" folder="/opt/skill mint/skills/orders-report">\nRun scripts/report.mjs\n</skill>',
  Bash: 'wrote 2 files',
  Read: '     1→# Orders\n     2→\n     3→Orders: 1,204\n     4→Revenue: 88,410.50 EUR\n     5→![chart](chart.svg)\n',
};

describe('the demo model', () => {
  it('says what it is first, and drives the tools one after the other', async () => {
    const { calls, first, last } = await play('Use orders-report: turn data/orders.csv into a report, write it to out/q3.', RESULTS);
    expect(first.split('\n')[0]).toMatch(/scripted demo model.*not a real.*ANTHROPIC_API_KEY/);
    expect(calls.map(({ tool, input }) => [tool, input])).toEqual([
      ['Skill', { skill: 'orders-report' }],
      ['Bash', { command: 'node "/opt/skill mint/skills/orders-report/scripts/report.mjs" data/orders.csv out/q3', description: 'Make the report of the orders' }],
      ['Read', { file_path: 'out/q3/report.md' }],
    ]);
    expect(last).toContain('Orders: 1,204\nRevenue: 88,410.50 EUR');
    expect(last).toContain('out/q3/report.html');
    expect(last).not.toContain('chart.svg');
  });

  it('takes the script\'s own path where the skill names it, and quotes only what needs it', async () => {
    const { calls } = await play('orders-report for "my data/orders $1.csv" please', { ...RESULTS, Skill: 'files:\n- /s/orders-report/scripts/report.mjs' });
    expect(calls[1]?.input['command']).toBe('node /s/orders-report/scripts/report.mjs "my data/orders \\$1.csv" report');
  });

  it('hands the folder over as the skill says', async () => {
    const skill = '<skill name="orders-report" folder="/s/orders-report">\nnode scripts/report.mjs ORDERS.csv --out FOLDER';
    const { calls } = await play('orders-report: turn d/orders.csv into a report in d/report', { ...RESULTS, Skill: skill });
    expect(calls[1]?.input['command']).toBe('node /s/orders-report/scripts/report.mjs d/orders.csv --out d/report');
  });

  it('stops with the reason when a step fails', async () => {
    const { calls, last } = await play('orders-report of a.csv', { ...RESULTS, Bash: 'Denied by the person.' }, { error: 'Bash' });
    expect(calls).toHaveLength(2);
    expect(last).toContain('Denied by the person.');
  });

  it('begins anew with the next request of a file', async () => {
    const messages: Message[] = [said('orders-report of a.csv'), { role: 'assistant', content: [{ type: 'text', text: 'The report is ready.' }] }, said('now b.csv')];
    const { content } = replyIn(await collect(model, requestOf(messages, { tools: TOOLS })));
    expect(content[1]).toMatchObject({ tool: 'Skill' });
  });

  it('answers anything else with how to set a key', async () => {
    for (const request of [requestOf([said('hello')], { tools: TOOLS }), requestOf([said('orders-report of a.csv')], { tools: [] })]) {
      const events = await collect(model, request);
      expect(events.length).toBeGreaterThan(20);
      expect(deltas(events, 'text.delta')).toMatch(/ANTHROPIC_API_KEY[^]*OPENAI_API_KEY[^]*DEEPSEEK_API_KEY[^]*--model demo\/demo/);
    }
  });

  it('stops when it is aborted', async () => {
    expect((await collect(model, requestOf([said('hello')]), AbortSignal.abort())).at(-1)).toMatchObject({ type: 'failed', failure: { kind: 'aborted' } });
  });
});
