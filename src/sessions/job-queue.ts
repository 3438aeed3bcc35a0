import { isPassing } from '../store/postgres/postgres-error.ts';
import type { TurnJob, TurnJobs } from './turn-jobs.ts';
import type { QueueWork, TurnQueue } from './turn-queue.ts';

/** What others have put into the queue is seen after so long, ms. */
const LOOK_MS = 1_000;
const TOUCH_MS = 3_000;
/** How often it is looked for sessions whose worker is gone, ms. */
const SWEEP_MS = 2_000;
const AGAIN_MS = 60_000;

/** What the queue needs. */
export interface JobQueueParts {
  /** Opened with the first use. */
  readonly jobs: () => Promise<TurnJobs>;
  /** The queue of those workers that serve the same sessions. */
  readonly name: string;
  /** ms, from any moment on. */
  readonly now: () => number;
  /** False for a session that was removed. */
  readonly exists: (sessionId: string) => Promise<boolean>;
  /** Resolves after so many ms, or earlier when the signal aborts. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
}

/** A queue of jobs, such as those of pg-boss: any number of workers, each session worked on by one of them. While a database is down nothing is taken; what runs goes on. */
export function jobQueue(parts: JobQueueParts): TurnQueue {
  const news = new Set<() => void>();
  const wake = async (sessionIds: readonly string[]): Promise<void> => {
    const jobs = await parts.jobs();
    await jobs.send(parts.name, sessionIds);
    for (const tell of news) tell();
  };
  return {
    wake: (sessionId) => wake([sessionId]),
    async work(options) {
      const jobs = await parts.jobs();
      options.onHeld?.();
      await takeAndRun({ ...parts, ...options, held: jobs, wake, news });
    },
  };
}

interface Run extends QueueWork, Omit<JobQueueParts, 'jobs'> {
  readonly held: TurnJobs;
  readonly wake: (sessionIds: readonly string[]) => Promise<void>;
  readonly news: Set<() => void>;
}

async function takeAndRun(run: Run): Promise<void> {
  const { held, name, parallel, signal, sleep, news } = run;
  const running = new Map<string, Promise<void>>();
  let fault: { readonly error: unknown } | undefined;
  let look = new AbortController();
  const tell = (): void => look.abort();
  const begin = (job: TurnJob): Promise<void> => runOne(run, job).catch((error: unknown) => { fault = { error }; }).finally(() => {
    running.delete(job.id);
    tell();
  });
  const touching = setInterval(() => {
    // Whoever cannot say so for 10 s loses the job, and its session is guarded by its lease.
    held.touch(name, [...running.keys()]).catch(() => undefined);
  }, TOUCH_MS);
  news.add(tell);
  signal.addEventListener('abort', tell, { once: true });
  const over = new AbortController();
  const sweeping = sweep(run, AbortSignal.any([signal, over.signal])).catch((error: unknown) => {
    fault ??= { error };
    tell();
  });
  try {
    while (!signal.aborted && !fault) {
      look = new AbortController();
      const free = parallel - running.size;
      const jobs = free > 0 ? await unlessDown(() => held.take(name, free)) : [];
      for (const job of jobs ?? []) running.set(job.id, begin(job));
      if (jobs === undefined || jobs.length < free || free === 0) await sleep(LOOK_MS, look.signal);
    }
  } finally {
    news.delete(tell);
    signal.removeEventListener('abort', tell);
    over.abort();
    await Promise.all([sweeping, ...running.values()]);
    clearInterval(touching);
  }
  if (fault) throw fault.error;
}

/** Puts sessions into the queue that a worker has left; those that stay so, again after a while. */
async function sweep({ left, wake, sleep, now }: Run, signal: AbortSignal): Promise<void> {
  const put = new Map<string, number>();
  while (!signal.aborted) {
    const found = await unlessDown(left);
    if (found) {
      for (const id of put.keys()) if (!found.includes(id)) put.delete(id);
      const due = found.filter((id) => now() - (put.get(id) ?? Number.NEGATIVE_INFINITY) > AGAIN_MS);
      if (due.length > 0 && (await unlessDown(async () => { await wake(due); return true; }))) for (const id of due) put.set(id, now());
    }
    await sleep(SWEEP_MS, signal);
  }
}

async function runOne({ held, name, turn, exists }: Run, { id, sessionId }: TurnJob): Promise<void> {
  try {
    const outcome = (await exists(sessionId)) ? await turn(sessionId) : 'done';
    await unlessDown(() => (outcome === 'done' ? held.done(name, id) : held.later(name, id)));
  } catch (error) {
    await unlessDown(() => held.later(name, id));
    if (!isPassing(error)) throw error;
  }
}

/** Nothing while the database is down: a job whose end could not be told is taken again after its heartbeat, and finds nothing to do. */
async function unlessDown<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (isPassing(error)) return undefined;
    throw error;
  }
}
