import type { SessionEvent } from '../protocol/events.ts';
import type { Postgres } from '../store/postgres/postgres.ts';
import { saidBy, type DeltaHub, type Heard } from './delta-hub.ts';
import { readSaid } from './delta-log.ts';
import type { EventBus, Follower } from './event-bus.ts';
import { postgresRequests } from './postgres-requests.ts';
import { unfinished, type Unfinished } from './unfinished.ts';

/** What the bus of a tenant needs. */
export interface PostgresBusParts {
  readonly db: Postgres;
  readonly hub: DeltaHub;
  readonly tenant: string;
  /** The runtime that publishes; see `Owner`. */
  readonly instance: string;
}

interface Channel {
  readonly followers: Set<Follower>;
  /** Those who are about to follow. */
  coming: number;
  readonly unfinished: Unfinished;
  /** Numbers of the last stored event and of the last delta of elsewhere that were given. */
  seq: number;
  no: number;
  /** A turn of this process speaks. */
  speaks: boolean;
  /** Resolves when it is known what is being said elsewhere; set while somebody follows. */
  heard?: { readonly ready: Promise<void>; readonly end: () => void };
}

/** Carries events between all processes that work on a database: to those here at once, to others in batches of 30 ms. */
export function postgresBus({ db, hub, tenant, instance }: PostgresBusParts): EventBus {
  const endings: (() => void)[] = [];
  const channels = new Map<string, Channel>();
  const channelOf = (sessionId: string): Channel => {
    const known = channels.get(sessionId) ?? { followers: new Set(), coming: 0, unfinished: unfinished(), seq: 0, no: 0, speaks: false };
    channels.set(sessionId, known);
    return known;
  };
  const give = (channel: Channel, event: SessionEvent): void => {
    if ('seq' in event && !event.is_sub_agent) channel.seq = Math.max(channel.seq, event.seq);
    channel.unfinished.add(event);
    for (const follower of channel.followers) follower.onEvent(event);
  };
  const forgetQuiet = (sessionId: string, channel: Channel): void => {
    if (channel.followers.size + channel.coming > 0) return;
    channel.heard?.end();
    delete channel.heard;
    if (!channel.speaks) channels.delete(sessionId);
  };
  const hear = (sessionId: string, channel: Channel): NonNullable<Channel['heard']> => {
    const key = { tenant, sessionId };
    let isReady = false;
    const heard = {
      ...key,
      reread: () => channel.followers.forEach((follower) => follower.onElsewhere()),
      hear(events: Parameters<Heard['hear']>[0]) {
        for (const one of events) {
          if ('no' in one ? one.no <= channel.no : one.seq <= channel.seq) continue;
          if ('no' in one) channel.no = one.no;
          if (!('no' in one) || one.instance !== instance) give(channel, saidBy(one));
        }
      },
    };
    const end = hub.add(key, () => (isReady ? { ...heard, seq: channel.seq, no: channel.no } : undefined));
    const begin = async (): Promise<void> => {
      const { seq, no, said } = await readSaid(db, { ...key, instance });
      for (const event of said) if (!('seq' in event) || event.seq > channel.seq) channel.unfinished.add(event);
      channel.no = Math.max(channel.no, no);
      channel.seq = Math.max(channel.seq, seq);
      isReady = true;
      hub.look(key);
    };
    return { ready: begin(), end };
  };
  return {
    publish(sessionId, event) {
      const channel = channelOf(sessionId);
      if (!event.is_sub_agent) channel.speaks = event.type !== 'turn.completed';
      give(channel, event);
      hub.writer.publish({ tenant, sessionId, instance }, event, channel.seq);
      if (!channel.speaks) forgetQuiet(sessionId, channel);
    },
    async follow(sessionId, follower) {
      const channel = channelOf(sessionId);
      channel.coming += 1;
      try {
        await (channel.heard ??= hear(sessionId, channel)).ready;
        channel.followers.add(follower);
      } catch (error) {
        delete channel.heard;
        throw error;
      } finally {
        channel.coming -= 1;
        forgetQuiet(sessionId, channel);
      }
      const end = (): void => {
        if (channel.followers.delete(follower)) forgetQuiet(sessionId, channel);
      };
      return { unfinished: channel.unfinished.events(), seq: channel.seq, end };
    },
    reread(sessionId) {
      for (const follower of channels.get(sessionId)?.followers ?? []) follower.onElsewhere();
      hub.writer.reread({ tenant, sessionId });
    },
    ...postgresRequests({ db, hub, tenant }, endings),
    async close() {
      for (const end of endings.splice(0)) end();
      for (const { followers, heard } of channels.values()) {
        heard?.end();
        for (const follower of followers) follower.onClose();
      }
      channels.clear();
    },
  };
}
