import type { Owner } from './store.ts';

/** What became of a session that was given to a worker: `later` keeps it in the queue. */
export type TurnOutcome = 'done' | 'later';

/** How a worker works. */
export interface QueueWork {
  readonly owner: Owner;
  /** Ends the work: nothing more is taken, and what runs is waited for. */
  readonly signal: AbortSignal;
  /** Sessions at the same time. */
  readonly parallel: number;
  /** Sessions that a worker has left in the middle. They are put into the queue at the beginning; where there may be other workers, again and again. */
  readonly left: () => Promise<readonly string[]>;
  /** Is told once the queue is this worker's, or it is one of its workers. */
  readonly onHeld?: (() => void) | undefined;
  /** Goes on with a session. What it throws ends the work; the session stays in the queue. */
  readonly turn: (sessionId: string) => Promise<TurnOutcome>;
}

/** Sessions that are to go on by themselves. One contract suite runs over every implementation. */
export interface TurnQueue {
  /** Puts a session into the queue, once; from any process. One that is worked on at this moment is taken again afterwards. */
  wake(sessionId: string): Promise<void>;
  /**
   * Takes sessions out of the queue, none twice at a time, until `signal` aborts; then resolves once none runs any more.
   * A session stays in the queue until its work is done, so that the next worker takes it when this one dies.
   * Whether there may be several workers is up to the database.
   * @throws SkillmintError queue_busy where there may be one: at once when another worker has the queue, or later when another has taken it over
   */
  work(options: QueueWork): Promise<void>;
}
