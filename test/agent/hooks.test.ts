import { describe, expect, it } from 'vitest';
import { runTurn } from '../../src/agent/loop.ts';
import type { AgentHooks } from '../../src/agent/ports.ts';
import type { EventBody } from '../../src/protocol/events.ts';
import type { HookEvent } from '../../src/protocol/hook.ts';
import { call, Harness, ok, reply, tool } from './harness.ts';

const ran = (event: HookEvent, call_id: string): EventBody => ({ type: 'hook.completed', event, source: 'test', index: 0, command: 'x', status: 'ok', duration_ms: 1, call_id });

/** Hooks that note what they are asked and let everything pass. */
function notingHooks(run: Harness, seen: string[]): AgentHooks {
  return {
    beforePrompt: async () => void seen.push('prompt'),
    beforeTool: async ({ call_id }) => {
      seen.push(`before ${call_id}`);
      run.record([ran('PreToolUse', call_id)]);
      return {};
    },
    afterTool: async ({ call_id, outcome }) => {
      seen.push(`after ${call_id}`);
      return { outcome, events: [ran('PostToolUse', call_id)] };
    },
    beforeStop: async () => void seen.push('stop'),
    beforeCompact: async () => true,
    whenCompacted: async () => ({ text: '', events: [] }),
  };
}

const go = (run: Harness, seen: string[], opening?: () => Promise<void>): Promise<void> => runTurn({ ...run.ports(), hooks: notingHooks(run, seen) }, new AbortController().signal, opening);

describe('hooks in the loop', () => {
  it('are stored before the call starts, and with its result', async () => {
    const run = new Harness([reply('', [call('a', 'Echo')]), reply('done')], [tool('Echo', () => ok('x'))]);
    const seen: string[] = [];
    run.record([{ type: 'turn.started', turn_id: 't', input: [{ type: 'text', text: 'x' }] }]);
    await go(run, seen, async () => void seen.push('opening'));
    expect(seen).toEqual(['prompt', 'opening', 'before a', 'after a', 'stop']);
    const types = run.batches.map((batch) => batch.types.join(' '));
    expect(types.indexOf('hook.completed')).toBeLessThan(types.indexOf('tool.started'));
    expect(types).toContain('hook.completed tool.completed');
  });

  it.each(['refuses', 'halts', 'is stopped at'])('come before what a prompt brings with it, which does not come when a hook %s the prompt', async (what) => {
    const run = new Harness([reply('done')]);
    const stop = new AbortController();
    run.record([{ type: 'turn.started', turn_id: 't', input: [{ type: 'text', text: 'x' }] }]);
    const beforePrompt: AgentHooks['beforePrompt'] = async () => {
      if (what === 'refuses') return 'no';
      if (what === 'halts') run.record([{ type: 'hook.completed', event: 'UserPromptSubmit', source: 'test', index: 0, command: 'x', status: 'blocked', duration_ms: 1, halts: 'no' }]);
      else stop.abort();
      return undefined;
    };
    let opened = false;
    await runTurn({ ...run.ports(), hooks: { ...notingHooks(run, []), beforePrompt } }, stop.signal, async () => {
      opened = true;
    });
    expect([opened, run.requests.length, run.last.status]).toEqual([false, 0, what === 'is stopped at' ? 'cancelled' : 'failed']);
  });

  it('do not run again for a call that was completed before a crash, nor for the prompt', async () => {
    const run = new Harness([reply('done')], [tool('Echo', () => ok('x'))]);
    const seen: string[] = [];
    run.record([
      { type: 'turn.started', turn_id: 't', input: [{ type: 'text', text: 'x' }] },
      { type: 'message.completed', role: 'assistant', content: [call('a', 'Echo')] },
      { type: 'tool.requested', call_id: 'a', tool: 'Echo', input: {} },
      ran('PreToolUse', 'a'), { type: 'tool.started', call_id: 'a' }, ran('PostToolUse', 'a'),
      { type: 'tool.completed', call_id: 'a', status: 'ok', output: [] },
    ]);
    await go(run, seen);
    expect(seen).toEqual(['stop']);
    expect(run.last.status).toBe('done');
  });
});
