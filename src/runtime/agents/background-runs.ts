import type { TurnResult } from '../runtime.ts';

/** A sub-agent that runs beside the turns of the session which has started it. */
export interface BackgroundRun {
  readonly taskId: string;
  /** Its session. */
  readonly childId: string;
  readonly agentType: string;
  /** Resolves when it has ended or waits for a person; never rejects. */
  readonly ended: Promise<TurnResult>;
  readonly cancel: () => void;
}

/** Those of one session that run in this process. What became of one that is not here any more stands in its own log. */
export interface BackgroundRuns {
  add(run: BackgroundRun): void;
  get(taskId: string): BackgroundRun | undefined;
  all(): readonly BackgroundRun[];
  /** Stops them, and resolves when that is stored. */
  stopAll(): Promise<void>;
}

/** An empty list of runs. */
export function backgroundRuns(): BackgroundRuns {
  const runs = new Map<string, BackgroundRun>();
  return {
    add(run) {
      runs.set(run.taskId, run);
      const remove = (): void => void runs.delete(run.taskId);
      run.ended.then(remove, remove);
    },
    get: (taskId) => runs.get(taskId),
    all: () => [...runs.values()],
    async stopAll() {
      const stopped = [...runs.values()];
      for (const run of stopped) run.cancel();
      await Promise.all(stopped.map((run) => run.ended));
    },
  };
}
