/** Work that is done again and again. */
export interface PacedWork {
  /** Resolves when it was done once. */
  readonly first: Promise<void>;
  /** It is not begun any more; resolves when none runs. */
  stop(): Promise<void>;
}

/** Pause after work that took long, in times of its length: it may take a twentieth of the time. */
const PAUSE_PER_WORK = 19;

/** Does work at once, and then every so many ms, or less often where it takes long. It must not reject. */
export function pacedWork(everyMs: number, work: () => Promise<void>): PacedWork {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let stopped = false;
  const once = async (): Promise<void> => {
    const began = performance.now();
    await work();
    if (stopped) return;
    timer = setTimeout(() => { running = once(); }, Math.max(everyMs, PAUSE_PER_WORK * (performance.now() - began)));
  };
  let running = once();
  return {
    first: running,
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
