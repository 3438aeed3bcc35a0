import { describe, expect, it } from 'vitest';
import type { FollowedEvent } from '../../src/protocol/events.ts';
import type { StoredBody, TransientBody } from '../../src/protocol/events.ts';
import { NO_USAGE } from '../../src/protocol/usage.ts';
import { applyToTranscript, transcriptOf } from '../../src/protocol/transcript/fold-transcript.ts';
import { emptyTranscript } from '../../src/protocol/transcript/transcript-fold.ts';
import type { TranscriptItem } from '../../src/protocol/transcript/transcript.ts';

const BASE = { session_id: 'ses_1', time: '2026-01-02T03:04:05.000Z' } as const;

/** Gives stored events their numbers. */
function log(...bodies: readonly (StoredBody | TransientBody)[]): readonly FollowedEvent[] {
  let seq = 0;
  return bodies.map((body) => (body.type.endsWith('.delta') ? { ...body, ...BASE } : { ...body, ...BASE, seq: ++seq }));
}

function itemsOf(events: readonly FollowedEvent[]): readonly TranscriptItem[] {
  const fold = emptyTranscript();
  for (const event of events) applyToTranscript(fold, event);
  return transcriptOf(fold).items;
}

const isStored = (event: FollowedEvent): boolean => 'seq' in event;
const PROMPT: StoredBody = { type: 'turn.started', turn_id: 't', input: [{ type: 'text', text: 'go' }] };
const END: StoredBody = { type: 'turn.completed', turn_id: 't', status: 'done', usage: NO_USAGE, text: '' };
const call = (id: string, tool = 'Bash'): StoredBody => ({ type: 'tool.requested', call_id: id, tool, input: { command: 'x' } });
const reply = (...content: Extract<StoredBody, { type: 'message.completed' }>['content']): StoredBody => ({ type: 'message.completed', role: 'assistant', content });
const result = (id: string, text = 'ok'): StoredBody => ({ type: 'tool.completed', call_id: id, status: 'ok', output: [{ type: 'text', text }], duration_ms: 5 });
const started = (taskId: string, callId?: string): StoredBody => ({ type: 'agent.started', task_id: taskId, agent_type: 'explore', prompt: 'look', child_id: `ses_${taskId}`, ...(callId === undefined ? {} : { call_id: callId }) });
const ended = (taskId: string): StoredBody => ({ type: 'agent.completed', task_id: taskId, status: 'done', result: 'found', usage: NO_USAGE });

const WHOLE = log(
  PROMPT,
  { type: 'reasoning.delta', text: 'hm' },
  { type: 'text.delta', text: 'I ' },
  { type: 'text.delta', text: 'look.' },
  reply({ type: 'reasoning', text: 'hm', provider: 'fake' }, { type: 'text', text: 'I look.' }, { type: 'tool_call', call_id: 'c1', tool: 'Bash', input: { command: 'x' } }),
  call('c1'),
  { type: 'tool.started', call_id: 'c1' },
  { type: 'tool.delta', call_id: 'c1', text: 'one\n' },
  { type: 'tool.delta', call_id: 'c1', text: 'two\n' },
  result('c1', 'one\ntwo\n'),
  { type: 'text.delta', text: 'Done.' },
  reply({ type: 'text', text: 'Done.' }),
  END,
);

describe('a transcript', () => {
  it('is the same from what is stored as from what was heard live, and keeps its keys while a text grows', () => {
    expect(itemsOf(WHOLE)).toEqual(itemsOf(WHOLE.filter(isStored)));
    expect(itemsOf(WHOLE).map(({ kind }) => kind)).toEqual(['person', 'reasoning', 'text', 'call', 'text', 'note']);
    const growing = itemsOf(WHOLE.slice(0, 4));
    expect(growing).toMatchObject([{ kind: 'person' }, { kind: 'reasoning', text: 'hm', isWhole: false }, { kind: 'text', text: 'I look.', isWhole: false }]);
    expect(growing.map(({ key }) => key)).toEqual(itemsOf(WHOLE).slice(0, 3).map(({ key }) => key));
  });

  it('shows each thing once however often the connection broke, wherever that was', () => {
    for (let cut = 0; cut <= WHOLE.length; cut += 1) {
      const known = WHOLE.slice(0, cut);
      const unfinished = cut > 0 && cut < 4 ? WHOLE.slice(1, cut) : cut > 7 && cut < 9 ? WHOLE.slice(7, cut) : cut === 11 ? WHOLE.slice(10, 11) : [];
      expect(itemsOf([...known, { type: 'connected' }, ...unfinished, ...WHOLE.slice(cut)]), `after ${cut} events`).toEqual(itemsOf(WHOLE));
    }
  });

  it('drops what a reply had begun to say when it is asked for again, and when the turn ends', () => {
    const retried: StoredBody = { type: 'model.retried', attempt: 1, status: '529', wait_ms: 10 };
    expect(itemsOf(log(PROMPT, { type: 'text.delta', text: 'half' }, retried)).map(({ kind }) => kind)).toEqual(['person', 'note']);
    expect(itemsOf(log(PROMPT, { type: 'text.delta', text: 'half' }, { ...END, status: 'failed' })).map(({ kind }) => kind)).toEqual(['person', 'note']);
  });

  it('follows a call from its request over consent and output to its result', () => {
    const events = log(call('c1'), { type: 'permission.requested', request_id: 'r1', call_id: 'c1', tool: 'Bash', input: {}, reason: 'why', rules: [] }, { type: 'permission.resolved', request_id: 'r1', decision: 'allow', scope: 'once' }, { type: 'tool.started', call_id: 'c1' }, { type: 'tool.delta', call_id: 'c1', text: 'a' }, { type: 'tool.delta', call_id: 'c1', text: 'b' }, result('c1'));
    const phases = events.map((_, index) => itemsOf(events.slice(0, index + 1))[0]).map((item) => (item?.kind === 'call' ? `${item.phase} ${item.live}` : ''));
    expect(phases).toEqual(['requested ', 'waiting ', 'requested ', 'running ', 'running a', 'running ab', 'done ']);
  });

  it('keeps calls apart to which a model gave the same id', () => {
    const items = itemsOf(log(call('c'), result('c', 'first'), call('c'), result('c', 'second')));
    expect(items.map((item) => (item.kind === 'call' ? item.output : undefined))).toEqual([[{ type: 'text', text: 'first' }], [{ type: 'text', text: 'second' }]]);
  });

  it('says that a turn waits only as long as it does', () => {
    const waiting = log(PROMPT, call('c1'), { type: 'question.asked', request_id: 'q', call_id: 'c1', question: 'which?' }, { ...END, status: 'waiting' });
    expect(itemsOf(waiting).map(({ kind }) => kind)).toEqual(['person', 'call', 'note']);
    const answered = [...waiting, ...log({ type: 'question.answered', request_id: 'q', answer: 'this' }).map((event) => ({ ...event, seq: 9 }))];
    expect(itemsOf(answered).map(({ kind }) => kind)).toEqual(['person', 'call']);
  });

  it('shows a sub-agent on the card of its call, with what it and its own sub-agents call', () => {
    const under = (agent: string, body: StoredBody): FollowedEvent => ({ ...body, ...BASE, session_id: `ses_${agent}`, agent_id: agent, is_sub_agent: true });
    const events = [...log(PROMPT, call('c1', 'Task'), started('a', 'c1')), under('a', call('x', 'Read')), under('a', result('x')), under('a', started('b', 'y')), under('b', call('z', 'Grep'))];
    const [, card] = itemsOf(events);
    expect(card).toMatchObject({ kind: 'call', agent: { type: 'explore', childId: 'ses_a', status: 'running', calls: [{ tool: 'Read', status: 'ok' }, { tool: 'Grep', status: 'running' }] } });
    expect(itemsOf([...events, { ...ended('a'), ...BASE, seq: 4 }])[1]).toMatchObject({ agent: { status: 'done', result: 'found', calls: [{ tool: 'Read' }] } });
    expect(itemsOf(events)).toHaveLength(2);
  });

  it('gives an agent that no call has begun a card of its own, and passes over events that it does not know', () => {
    const strange: unknown = { ...BASE, seq: 9, type: 'something.new' };
    const fold = emptyTranscript();
    for (const event of log(started('a'), ended('a'))) applyToTranscript(fold, event);
    expect(() => Reflect.apply(applyToTranscript, undefined, [fold, strange])).not.toThrow();
    expect(transcriptOf(fold).items).toMatchObject([{ kind: 'agent', agent: { status: 'done' } }]);
  });

  it('tells of hooks that said or changed something, and of no other', () => {
    const hook: StoredBody = { type: 'hook.completed', event: 'PreToolUse', source: 'settings', index: 0, command: 'true', status: 'ok', duration_ms: 1, call_id: 'c1' };
    const items = itemsOf(log(call('c1'), hook, { ...hook, message: 'careful' }, { ...hook, updated_input: { command: 'y' } }, { ...hook, decision: 'allow' }));
    expect(items.map(({ kind }) => kind)).toEqual(['call', 'note', 'note', 'note']);
    expect(items[0]).toMatchObject({ input: { command: 'y' } });
  });

  it('takes in 20,000 events without a cost that grows with them', () => {
    const many = log(PROMPT, ...Array.from({ length: 10_000 }, (_, index) => [call(`c${index}`), result(`c${index}`)]).flat());
    const began = performance.now();
    expect(itemsOf(many)).toHaveLength(10_001);
    expect(performance.now() - began).toBeLessThan(2_000);
  });
});
