import type { Clock } from '../host/host.ts';

/** Between a server's word that its tools have changed and the question for them, in ms; the longer the more questions in a row have failed. */
const FIRST_PAUSE_MS = 300;
const PAUSE_FACTOR = 4;
const MOST_TRIES = 4;

/** What learning takes. */
export interface LearningParts {
  readonly clock: Clock;
  /** Aborts with the connection. */
  readonly gone: AbortSignal;
  /** Asks for the tools and takes them over; resolves to why that was not possible. */
  readonly learn: () => Promise<string | undefined>;
  /** Is told after each question: undefined, or why the tools are not known as they are. */
  readonly tell: (problem: string | undefined) => void;
}

/**
 * Makes what is called whenever the tools of a connection may have changed: however often that is, they are asked for once in
 * a while, never twice at a time, and after a failure up to three more times. Resolves when they are known or that was in vain.
 */
export function learnChanges({ clock, gone, learn, tell }: LearningParts): () => Promise<void> {
  let isWanted = false;
  let isLearning = false;
  return async () => {
    isWanted = true;
    if (isLearning) return;
    isLearning = true;
    for (let failures = 0; isWanted && failures < MOST_TRIES; ) {
      await clock.sleep(FIRST_PAUSE_MS * PAUSE_FACTOR ** failures, gone);
      if (gone.aborted) break;
      // A change from here on may not be in the answer.
      isWanted = false;
      const problem = await learn();
      if (gone.aborted) break;
      tell(problem);
      failures = problem === undefined ? 0 : failures + 1;
      isWanted ||= problem !== undefined;
    }
    isLearning = false;
  };
}
