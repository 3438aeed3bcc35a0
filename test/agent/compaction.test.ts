import { describe, expect, it } from 'vitest';
import { compactHistory } from '../../src/agent/compaction.ts';
import { textOf } from '../../src/protocol/content.ts';
import type { Message } from '../../src/protocol/message.ts';
import { call, failure, Harness, ok, reply, tool, type Script } from './harness.ts';

const LONG = 'word '.repeat(800);
const reader = tool('Reader', () => ok(LONG));
const isSummary = (message: Message | undefined): boolean => message?.role === 'user' && textOf(message.content).includes('<earlier_conversation>');

/** Every call of the messages has its result right behind it, and no result stands alone. */
function expectPairs(messages: readonly Message[]): void {
  messages.forEach((message, i) => {
    const calls = message.role === 'assistant' ? message.content.flatMap((part) => (part.type === 'tool_call' ? [part.call_id] : [])) : [];
    const next = messages[i + 1];
    const results = next?.role === 'tool' ? next.content.map((part) => part.call_id) : [];
    expect(results).toEqual(calls);
  });
}

function turnsOf(n: number, from = 0): Script[] {
  return Array.from({ length: n }, (_, i) => [reply('', [call(`c${from + i}`, 'Reader', { i: from + i })], { input: 10 }), reply(`answer ${from + i}`, [], { input: 10 })]).flat();
}

describe('compaction', () => {
  it('replaces the older part by a summary from the configured share on, pairs kept whole', async () => {
    const run = new Harness([], [reader], { contextWindow: 10_000 });
    for (let i = 0; i < 6; i++) {
      run.script(reply('', [call(`c${i}`, 'Reader', { i })], { input: 1_300 * (i + 1) }));
      if (run.state.context.tokens > 4_500) run.script(reply('SUMMARY OF IT'));
      run.script(reply(`answer ${i}`, [], { input: 1_300 * (i + 1) }));
      await run.turn(`prompt ${i}`);
      if (run.of('context.compacted').length > 0) break;
    }
    const [compacted] = run.of('context.compacted');
    expect(compacted?.summary).toBe('SUMMARY OF IT');
    expect(compacted?.after_tokens).toBeLessThan(compacted?.before_tokens ?? 0);
    const after = run.requests.at(-1)?.messages ?? [];
    expect(isSummary(after[0])).toBe(true);
    expectPairs(after);
  });

  it('carries the current request, the todo list and active skills over', async () => {
    const run = new Harness([...turnsOf(3), failure('overflow', 'prompt is too long'), reply('SUMMARY'), reply('fits')], [reader]);
    for (let i = 0; i < 3; i++) await run.turn(`prompt ${i}`);
    run.record([
      { type: 'todos.updated', todos: [{ id: '1', subject: 'paint the fence', status: 'in_progress' }] },
      { type: 'skill.activated', skill_id: 'user:painter', trigger: 'model', digest: 'sha256:0', path: '/s/SKILL.md', folder: '/s', body: '<skill>PAINTER BODY</skill>' },
    ]);
    await run.turn('the request');
    const first = run.requests.at(-1)?.messages[0];
    const text = first?.role === 'user' ? textOf(first.content) : '';
    expect(text).toContain('SUMMARY');
    expect(text).toContain('paint the fence');
    expect(text).toContain('PAINTER BODY');
    expect(run.last).toMatchObject({ status: 'done', text: 'fits' });
  });

  it('compacts once on overflow; a second overflow is a clear error (C-V9)', async () => {
    const run = new Harness([...turnsOf(3), failure('overflow', 'prompt is too long'), reply('SUMMARY'), failure('overflow', 'prompt is too long')], [reader]);
    for (let i = 0; i < 3; i++) await run.turn(`prompt ${i}`);
    await run.turn('go');
    expect(run.of('context.compacted')).toHaveLength(1);
    expect(run.last).toMatchObject({ status: 'failed', error: { code: 'context_overflow' } });
    expect(run.last.error?.message).toContain('even after compaction');
  });

  it('counts the omitted messages when the summary fails', async () => {
    const run = new Harness([...turnsOf(3), failure('overflow', 'prompt is too long'), failure('network', 'connection reset'), reply('fits')], [reader]);
    for (let i = 0; i < 3; i++) await run.turn(`prompt ${i}`);
    await run.turn('go');
    const [compacted] = run.of('context.compacted');
    expect(compacted?.carried).toMatch(/\[\d+ earlier messages omitted\]/);
    expect(run.of('warning')).toMatchObject([{ code: 'compaction_failed' }]);
    expect(run.last.status).toBe('done');
  });

  it('can be done twice: the second replaces the first summary', async () => {
    const overflow = failure('overflow', 'prompt is too long');
    const run = new Harness([...turnsOf(3), overflow, reply('FIRST'), reply('ok'), ...turnsOf(3, 10), overflow, reply('SECOND'), reply('ok')], [reader]);
    for (let i = 0; i < 3; i++) await run.turn(`prompt ${i}`);
    await run.turn('a');
    for (let i = 0; i < 3; i++) await run.turn(`later ${i}`);
    await run.turn('b');
    const messages = run.requests.at(-1)?.messages ?? [];
    expect(messages.filter(isSummary)).toHaveLength(1);
    expect(JSON.stringify(run.requests.at(-2)?.messages)).toContain('FIRST');
    expect(JSON.stringify(messages)).not.toContain('FIRST');
    expectPairs(messages);
  });

  it('keeps the request of the running turn through every compaction', async () => {
    const run = new Harness([reply('FIRST'), reply('SECOND')], [reader]);
    run.record([{ type: 'turn.started', turn_id: 't', input: [{ type: 'text', text: 'paint the fence green' }] }]);
    const step = (n: number): void => run.record([
      { type: 'message.completed', role: 'assistant', content: [call(`c${n}`, 'Reader', { n })] },
      { type: 'tool.completed', call_id: `c${n}`, status: 'ok', output: [{ type: 'text', text: LONG }] },
    ]);
    for (const round of [0, 1]) {
      for (let n = 0; n < 4; n++) step(round * 10 + n);
      await compactHistory(run.ports(), new AbortController().signal, { force: true });
      const first = run.state.messages[0]?.message;
      expect(first?.role === 'user' && textOf(first.content)).toContain('<current_request>\npaint the fence green');
      expectPairs(run.state.messages.map((logged) => logged.message));
    }
    expect(run.state.usage.input).toBe(200);
  });
});
