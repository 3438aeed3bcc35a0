import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { scriptedModel, type ScriptedStep } from '../../../src/testing/scripted-model.ts';
import { eventsOf, finish, makePlace, open, say } from '../open.ts';
import { call, outputs, roles, task } from './agents.ts';

const touch = (name: string) => call('Bash', { command: `touch ${name}` });
const ALLOW = { kind: 'permission', decision: 'allow', scope: 'once' } as const;
const DEFAULT = { permissions: { mode: 'default' } } as const;

describe('several sub-agents', () => {
  it.each([{ parallel: 2 }, { parallel: 4 }])('run at once, up to $parallel', async ({ parallel }) => {
    const place = makePlace();
    let running = 0;
    let most = 0;
    const inner: ScriptedStep = async () => {
      most = Math.max(most, ++running);
      await pause(40);
      running--;
      return 'RESULT';
    };
    const model = scriptedModel(roles([task(...Array.from({ length: 8 }, (_, n) => ({ prompt: `INNER ${n}` }))), 'end'], { INNER: Array.from({ length: 8 }, () => inner) }));
    const { runtime } = await open(model, { place, settings: { agents: { parallel } } });
    const { events, result } = await say(runtime, { text: 'x', cwd: place.project });
    expect(result.text).toBe('end');
    expect(most).toBe(parallel);
    expect(outputs(events)).toEqual(Array.from({ length: 8 }, () => 'RESULT'));
    expect(new Set(eventsOf(events, 'agent.started').map((event) => event.task_id)).size).toBe(8);
  });

  it('ask at once, are answered in any order and from two processes, each once', async () => {
    const place = makePlace();
    const model = scriptedModel(roles([task({ prompt: 'ONE' }, { prompt: 'TWO' }), 'end'], { ONE: [touch('one.txt'), 'RESULT ONE'], TWO: [touch('two.txt'), 'RESULT TWO'] }));
    const a = await open(model, { place, settings: DEFAULT });
    const first = await say(a.runtime, { text: 'x', cwd: place.project });
    const sessionId = first.result.session_id;
    expect(first.result).toMatchObject({ status: 'waiting' });
    const requests = first.result.open.map(({ question }) => question.request_id);
    expect(requests).toHaveLength(2);
    const b = await open(model, { place, settings: DEFAULT });
    const second = await finish(await b.runtime.answer({ sessionId, requestId: requests[1] ?? '', answer: ALLOW }));
    expect(second.result).toMatchObject({ status: 'waiting', open: [{ question: { request_id: requests[0] } }] });
    await expect(a.runtime.answer({ sessionId, requestId: requests[1] ?? '', answer: ALLOW })).rejects.toMatchObject({ code: 'request_not_open' });
    const third = await finish(await a.runtime.answer({ sessionId, requestId: requests[0] ?? '', answer: ALLOW }));
    expect(third.result).toMatchObject({ status: 'done', text: 'end' });
    expect(fs.readdirSync(place.project).toSorted()).toEqual(['one.txt', 'two.txt']);
    expect([...outputs(second.events), ...outputs(third.events)].toSorted()).toEqual(['RESULT ONE', 'RESULT TWO']);
  });

  it('end with the turn that is stopped, also those that wait for a place', async () => {
    const place = makePlace();
    const model = scriptedModel(roles([task({ prompt: 'ONE' }, { prompt: 'TWO' }, { prompt: 'THREE' }), 'after'], { ONE: [{ hang: true }], TWO: [call('Bash', { command: 'sleep 60' })], THREE: [{ hang: true }] }));
    const { runtime } = await open(model, { place, settings: { agents: { parallel: 2 } } });
    const turn = await runtime.prompt({ text: 'x', cwd: place.project });
    setTimeout(() => turn.cancel(), 400);
    const began = Date.now();
    const { result, events } = await finish(turn);
    expect(Date.now() - began).toBeLessThan(2_400);
    expect(result.status).toBe('cancelled');
    expect(eventsOf(events, 'agent.started')).toHaveLength(2);
    const state = await runtime.sessions.state(result.session_id);
    expect([...state.agents.values()].map(({ status }) => status)).toEqual(['cancelled', 'cancelled']);
    for (const { child_id } of state.agents.values()) expect((await runtime.sessions.state(child_id)).turn?.status).toBe('cancelled');
    expect((await say(runtime, { text: 'go on', sessionId: result.session_id })).result.text).toBe('after');
    expect(fs.existsSync(path.join(place.project, 'never'))).toBe(false);
  });

  it('share the budget of the turn', async () => {
    const place = makePlace();
    const dear = (reply: object) => ({ ...reply, usage: { input: 1 } });
    const model = scriptedModel(roles([dear(task({ prompt: 'ONE' }, { prompt: 'TWO' }))], { ONE: Array.from({ length: 9 }, (_, n) => dear(call('Glob', { pattern: `${n}` }))), TWO: Array.from({ length: 9 }, (_, n) => dear(call('Glob', { pattern: `${n}` }))) }), { price: { input: 1_000_000, output: 0 } });
    const { runtime } = await open(model, { place });
    const { result } = await say(runtime, { text: 'x', cwd: place.project, maxCostUsd: 6 });
    expect(result.status).toBe('limit');
    expect(result.cost_usd).toBeLessThanOrEqual(7);
  });
});
