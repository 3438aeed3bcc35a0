import { SkillmintError } from '../protocol/errors.ts';
import type { EventBus, Follower } from './event-bus.ts';
import { unfinished, type Unfinished } from './unfinished.ts';

/** How often the log is asked whether another process has written to it, ms. */
const LOOK_MS = 250;

interface Channel {
  readonly followers: Set<Follower>;
  readonly unfinished: Unfinished;
}

/** Carries events within this process; `version` is a number that changes when another process has written to the store. */
export function localBus({ version }: { readonly version: () => number }): EventBus {
  const channels = new Map<string, Channel>();
  const channelOf = (sessionId: string): Channel => {
    const known = channels.get(sessionId) ?? { followers: new Set(), unfinished: unfinished() };
    channels.set(sessionId, known);
    return known;
  };
  const forgetQuiet = (sessionId: string): void => {
    const channel = channels.get(sessionId);
    if (channel?.followers.size === 0 && channel.unfinished.events().length === 0) channels.delete(sessionId);
  };
  const all = (): readonly Follower[] => [...channels.values()].flatMap(({ followers }) => [...followers]);
  const watch = elsewhere(version, () => all().forEach((follower) => follower.onElsewhere()));
  return {
    publish(sessionId, event) {
      const channel = channelOf(sessionId);
      channel.unfinished.add(event);
      for (const follower of channel.followers) follower.onEvent(event);
      if (event.type === 'turn.completed') forgetQuiet(sessionId);
    },
    async follow(sessionId, follower) {
      const channel = channelOf(sessionId);
      channel.followers.add(follower);
      const unwatch = watch.add();
      return {
        unfinished: channel.unfinished.events(),
        end: () => {
          if (!channel.followers.delete(follower)) return;
          unwatch();
          forgetQuiet(sessionId);
        },
      };
    },
    reread(sessionId) {
      for (const follower of channels.get(sessionId)?.followers ?? []) follower.onElsewhere();
    },
    send: async () => undefined,
    onSend: () => undefined,
    async close() {
      watch.close();
      all().forEach((follower) => follower.onClose());
      channels.clear();
    },
  };
}

/** Looks at the version as long as anybody wants to know. */
interface Watch {
  /** Adds one who wants to know; the result takes them away. */
  readonly add: () => () => void;
  readonly close: () => void;
}

/** Calls `tell` when the version has changed. */
function elsewhere(version: () => number, tell: () => void): Watch {
  let wanted = 0;
  let timer: NodeJS.Timeout | undefined;
  const versionNow = (): number => {
    try {
      return version();
    } catch (error) {
      // Those who follow read the log when they are told, and say then what is wrong with it.
      if (error instanceof SkillmintError) return Number.NaN;
      throw error;
    }
  };
  const begin = (): void => {
    let seen = versionNow();
    timer = setInterval(() => {
      const now = versionNow();
      if (now === seen) return;
      seen = now;
      tell();
    }, LOOK_MS);
    timer.unref();
  };
  return {
    add: () => {
      if (wanted === 0) begin();
      wanted += 1;
      return () => {
        wanted -= 1;
        if (wanted === 0) clearInterval(timer);
      };
    },
    close: () => clearInterval(timer),
  };
}
