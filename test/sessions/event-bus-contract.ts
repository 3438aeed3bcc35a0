import { describe, expect, it } from 'vitest';
import type { SessionEvent } from '../../src/protocol/events.ts';
import type { EventBus, Follower } from '../../src/sessions/event-bus.ts';

/** A bus under test. */
export interface BusBackend {
  readonly bus: EventBus;
  /** Writes to the log of `ses_a` as another process would, and tells of it. */
  writeElsewhere(): Promise<void>;
}

const base = { session_id: 'ses_a', time: '2026-01-01T00:00:00.000Z' };
const text = (words: string): SessionEvent => ({ ...base, type: 'text.delta', text: words });
const output = (call_id: string, words: string): SessionEvent => ({ ...base, type: 'tool.delta', call_id, text: words });
const said = (seq: number): SessionEvent => ({ ...base, seq, type: 'message.completed', role: 'assistant', content: [] });
const resumed = (seq: number): SessionEvent => ({ ...base, seq, type: 'turn.resumed', turn_id: 't' });
const done = (seq: number): SessionEvent => ({ ...base, seq, type: 'turn.completed', turn_id: 't', status: 'done', usage: { input: 0, output: 0, cache_read: 0, cache_write: 0 }, text: '' });

/** What every bus must do, whatever lies under it. */
export function describeEventBus(name: string, makeBackend: () => Promise<BusBackend>): void {
  describe(`event bus: ${name}`, () => {
    const listener = (): Follower & { readonly got: SessionEvent[]; elsewhere: number; closed: boolean } => {
      const follower = { got: new Array<SessionEvent>(), elsewhere: 0, onEvent: (event: SessionEvent) => void follower.got.push(event), onElsewhere: () => void (follower.elsewhere += 1), onClose: () => void (follower.closed = true), closed: false };
      return follower;
    };

    it('gives each event to all who follow the session, in order, until they end', async () => {
      const { bus } = await makeBackend();
      const [one, two, other] = [listener(), listener(), listener()];
      const following = await bus.follow('ses_a', one);
      await bus.follow('ses_a', two);
      await bus.follow('ses_b', other);
      bus.publish('ses_a', text('a'));
      following.end();
      following.end();
      bus.publish('ses_a', text('b'));
      expect([one.got, two.got, other.got]).toEqual([[text('a')], [text('a'), text('b')], []]);
    });

    it('begins with what is being said, joined, and with nothing that a stored event holds', async () => {
      const { bus } = await makeBackend();
      const now = async (): Promise<readonly SessionEvent[]> => {
        const following = await bus.follow('ses_a', listener());
        following.end();
        return following.unfinished;
      };
      for (const event of [text('Hel'), text('lo'), output('c1', 'x'), output('c2', 'y'), output('c1', 'z')]) bus.publish('ses_a', event);
      expect(await now()).toEqual([text('Hello'), output('c1', 'xz'), output('c2', 'y')]);
      bus.publish('ses_a', said(4));
      expect(await now()).toEqual([output('c1', 'xz'), output('c2', 'y')]);
      bus.publish('ses_a', { ...base, seq: 5, type: 'tool.completed', call_id: 'c1', status: 'ok', output: [] });
      bus.publish('ses_a', { ...text('of a sub-agent'), is_sub_agent: true });
      bus.publish('ses_a', text('again'));
      expect(await now()).toEqual([output('c2', 'y'), text('again')]);
      bus.publish('ses_a', { ...base, seq: 6, type: 'model.retried', attempt: 2, status: '529', wait_ms: 1 });
      expect(await now()).toEqual([output('c2', 'y')]);
      bus.publish('ses_a', text('cut off'));
      bus.publish('ses_a', resumed(7));
      expect(await now()).toEqual([]);
      bus.publish('ses_a', text('said anew'));
      bus.publish('ses_a', done(8));
      expect(await now()).toEqual([]);
    });

    it('keeps of endless output its end', async () => {
      const { bus } = await makeBackend();
      for (let i = 0; i < 500; i += 1) bus.publish('ses_a', output('c', `${String(i).padStart(3, '0')}${'·'.repeat(997)}`));
      const [kept] = (await bus.follow('ses_a', listener())).unfinished;
      const length = kept?.type === 'tool.delta' ? kept.text.length : 0;
      expect(length).toBeGreaterThanOrEqual(65_536);
      expect(length).toBeLessThan(140_000);
      expect(kept).toMatchObject({ text: expect.stringMatching(/499·{997}$/) });
    });

    it('tells those who follow that another process has written', async () => {
      const { bus, writeElsewhere } = await makeBackend();
      const [one, gone] = [listener(), listener()];
      (await bus.follow('ses_a', gone)).end();
      const { end } = await bus.follow('ses_a', one);
      await writeElsewhere();
      await expect.poll(() => one.elsewhere + one.got.length, { timeout: 5_000 }).toBe(1);
      await writeElsewhere();
      await expect.poll(() => one.elsewhere + one.got.length, { timeout: 5_000 }).toBe(2);
      end();
      await writeElsewhere();
      (await bus.follow('ses_a', listener())).end();
      expect([one.elsewhere + one.got.length, gone.elsewhere + gone.got.length]).toEqual([2, 0]);
    });

    it('lets those who follow a session read its log again, and no others', async () => {
      const { bus } = await makeBackend();
      const [one, other] = [listener(), listener()];
      await bus.follow('ses_a', one);
      await bus.follow('ses_b', other);
      bus.reread('ses_a');
      bus.reread('ses_none');
      expect([one.elsewhere, other.elsewhere]).toEqual([1, 0]);
    });

    it('has nobody to take a message for a turn that no other process runs', async () => {
      const { bus } = await makeBackend();
      bus.onSend(() => { throw new Error('a message to oneself'); });
      expect(await bus.send('ses_a', { kind: 'message', text: 'x', attachments: [], key: 'k' })).toBeUndefined();
    });

    it('tells all who follow when it is closed', async () => {
      const { bus } = await makeBackend();
      const [one, gone] = [listener(), listener()];
      (await bus.follow('ses_a', gone)).end();
      await bus.follow('ses_a', one);
      await bus.close();
      expect([one.closed, gone.closed]).toEqual([true, false]);
    });
  });
}
