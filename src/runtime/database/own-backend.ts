import type { EventBus } from '../../sessions/event-bus.ts';
import { localBus } from '../../sessions/local-bus.ts';
import { localJobs } from '../../sessions/local-jobs.ts';
import { jobQueue } from '../../sessions/job-queue.ts';
import type { SessionStore } from '../../sessions/store.ts';
import type { TurnQueue } from '../../sessions/turn-queue.ts';
import type { Backend, BackendParts } from './backend.ts';

/** What an embedding program keeps sessions in. It is closed with the runtime. */
export interface OwnSessions {
  readonly store: SessionStore;
  /** Which turns are to go on by themselves; those of this process, as long as it lives, when left out. */
  readonly queue?: TurnQueue;
  /** Carries events to those who follow sessions; within this process when left out. */
  readonly bus?: EventBus;
}

/** Keeps sessions where the embedding program says. */
export function openOwnBackend({ store, queue, bus }: OwnSessions, { sleep, now }: BackendParts): Backend {
  const jobs = localJobs({ now });
  return {
    store,
    queue: queue ?? jobQueue({ jobs: async () => jobs, name: '', exists: async (id) => (await store.get(id)) !== undefined, sleep, now }),
    bus: bus ?? localBus({ version: () => 0 }),
    close: async () => undefined,
  };
}
