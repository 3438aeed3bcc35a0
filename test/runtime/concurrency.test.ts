import { describe, expect, it } from 'vitest';
import { foldEvents } from '../../src/protocol/fold.ts';
import { scriptedModel } from '../../src/testing/scripted-model.ts';
import { finish, logOf, makePlace, open, say } from './open.ts';

const todo = (n: number) => ({ calls: [{ tool: 'TodoWrite', input: { todos: [{ subject: `step ${n}`, status: 'pending' }] } }] });

describe('one session, many hands', () => {
  it('takes one of two prompts that come at once and refuses the other by name', async () => {
    const place = makePlace();
    const { runtime } = await open(scriptedModel(['first', 'second', 'third']), { place });
    const { result } = await say(runtime, { text: 'begin', cwd: place.project });
    const both = await Promise.allSettled(['a', 'b'].map(async (text) => finish(await runtime.prompt({ text, sessionId: result.session_id }))));
    expect(both.map((one) => one.status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(both.find((one) => one.status === 'rejected')).toMatchObject({ reason: { code: 'session_busy' } });
    const log = await logOf(runtime, result.session_id);
    expect(log.filter((event) => event.type === 'turn.started')).toHaveLength(2);
  });

  it('is busy for a second runtime of the same process', async () => {
    const place = makePlace();
    const one = await open(scriptedModel([{ hang: true }]), { place });
    const two = await open(scriptedModel(['never']), { place });
    const turn = await one.runtime.prompt({ text: 'wait', cwd: place.project });
    await expect(two.runtime.prompt({ text: 'me too', sessionId: turn.sessionId })).rejects.toMatchObject({ code: 'session_busy' });
    turn.cancel();
    expect((await finish(turn)).result.status).toBe('cancelled');
  });

  it('stores each message once and answers each, whenever it comes, and its state is what its log folds to', async () => {
    for (let at = 0; at < 12; at++) {
      const place = makePlace();
      const { runtime } = await open(scriptedModel([todo(1), todo(2), todo(3), ...Array.from({ length: 6 }, (_, i) => `answer ${i}`)]), { place });
      const turn = await runtime.prompt({ text: 'go', cwd: place.project });
      let seen = 0;
      let steered: Promise<unknown> | undefined;
      for await (const _ of turn.events) if (seen++ === at) steered = turn.steer('one more thing').then(() => 'stored', () => 'refused');
      const result = await turn.result;
      const log = await logOf(runtime, result.session_id);
      const added = log.filter((event) => event.type === 'message.added').length;
      expect([at, added]).toEqual([at, (await steered) === 'stored' ? 1 : 0]);
      const state = foldEvents(result.session_id, log);
      expect(state.messages.at(-1)?.message.role).toBe('assistant');
      expect(log.map((event) => event.seq)).toEqual(log.map((_, i) => i + 1));
      expect(await runtime.sessions.state(result.session_id)).toEqual(state);
      await runtime.close();
    }
  });

  it('stores a message that comes twice at once, with its key, once', async () => {
    const place = makePlace();
    const { runtime } = await open(scriptedModel([{ hang: true }]), { place });
    const turn = await runtime.prompt({ text: 'wait', cwd: place.project });
    await turn.begun;
    const both = await Promise.allSettled(['a', 'a'].map((key) => turn.steer('one more thing', { key })));
    expect(both).toMatchObject([{ status: 'fulfilled' }, { status: 'rejected', reason: { code: 'message_repeated', turnId: await turn.begun } }]);
    turn.cancel();
    await finish(turn);
    expect((await logOf(runtime, turn.sessionId)).filter(({ type }) => type === 'message.added')).toHaveLength(1);
  });

  it('gives every caller a state of its own', async () => {
    const place = makePlace();
    const { runtime } = await open(scriptedModel(['hello']), { place });
    const { result } = await say(runtime, { text: 'hi', cwd: place.project });
    const [a, b] = await Promise.all([runtime.sessions.state(result.session_id), runtime.sessions.state(result.session_id)]);
    a.messages.push(...a.messages);
    expect(b.messages).toHaveLength(2);
    expect((await runtime.sessions.state(result.session_id)).messages).toHaveLength(2);
  });
});
