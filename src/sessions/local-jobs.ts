import type { TurnJobs } from './turn-jobs.ts';

const LATER_MS = 1_000;

/** Jobs of workers in this process; they end with it. `now` is ms, from any moment on. */
export function localJobs({ now }: { readonly now: () => number }): TurnJobs {
  /** Sessions, and from when on they may be taken. */
  const waiting = new Map<string, number>();
  const taken = new Map<string, string>();
  let lastId = 0;
  return {
    async send(_queue, sessionIds) {
      for (const id of sessionIds) waiting.set(id, 0);
    },
    async take(_queue, most) {
      const busy = new Set(taken.values());
      const due = [...waiting].filter(([id, from]) => from <= now() && !busy.has(id)).slice(0, most);
      return due.map(([sessionId]) => {
        const id = String(++lastId);
        waiting.delete(sessionId);
        taken.set(id, sessionId);
        return { id, sessionId };
      });
    },
    async done(_queue, id) {
      taken.delete(id);
    },
    async later(_queue, id) {
      const sessionId = taken.get(id);
      taken.delete(id);
      if (sessionId !== undefined && !waiting.has(sessionId)) waiting.set(sessionId, now() + LATER_MS);
    },
    touch: async () => undefined,
    close: async () => undefined,
  };
}
