import { SkillmintError } from '../protocol/errors.ts';

/** What a server can do with a request now. */
export type Readiness = 'ready' | 'ends' | 'store_unavailable';

/** What readiness is found out with. */
export interface ReadinessParts {
  /** See `People.reachable`. */
  readonly reachable: () => Promise<void>;
  /** Aborts when the server ends. */
  readonly signal: AbortSignal;
  /** ms. */
  readonly now: () => number;
}

/** Whoever asks need not log in, so the store is asked at most this often, ms. */
const STANDS_MS = 1_000;

/** Tells whether requests should be sent here: the server does not end, and its store answers. */
export function readiness({ reachable, signal, now }: ReadinessParts): () => Promise<Readiness> {
  let last: { readonly at: number; readonly found: Promise<Readiness> } | undefined;
  const look = async (): Promise<Readiness> => {
    try {
      await reachable();
      return 'ready';
    } catch (error) {
      if (error instanceof SkillmintError) return 'store_unavailable';
      throw error;
    }
  };
  return async () => {
    if (signal.aborted) return 'ends';
    if (!last || now() - last.at > STANDS_MS) last = { at: now(), found: look() };
    return last.found;
  };
}
