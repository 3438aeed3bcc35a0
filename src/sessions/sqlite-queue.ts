import { SkillmintError } from '../protocol/errors.ts';
import type { Database } from '../store/database.ts';
import { isSame, LEASE_MS, liveOwner, type OwnerChecks } from './owner-row.ts';
import type { Owner } from './store.ts';
import type { QueueWork, TurnQueue } from './turn-queue.ts';

const RENEW_MS = 10_000;
/** What another process has put into the queue is seen after so long. */
const LOOK_MS = 500;
const LATER_MS = 1_000;
/** A worker that was taken over changes nothing any more. */
const STILL_OURS = 'EXISTS (SELECT 1 FROM queue_worker WHERE epoch = ?)';

/** What the queue needs beside the database. */
export interface QueueParts extends OwnerChecks {
  /** Resolves after so many ms, or earlier when the signal aborts. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
}

/** A session that was taken out of the queue, and how often it had been woken by then. */
interface Taken {
  readonly id: string;
  readonly wakes: number;
}

/** The queue in SQLite: any process may fill it, one works on it. Another one takes its place when it has died, or was silent for longer than its lease holds. */
export function sqliteQueue(db: Database, parts: QueueParts): TurnQueue {
  const news = new Set<() => void>();
  const wake = (sessionId: string): void => {
    db.transaction(() => db.run('INSERT INTO turn_queue (session_id, wakes, due_at) VALUES (?, 1, 0) ON CONFLICT (session_id) DO UPDATE SET wakes = wakes + 1, due_at = 0', [sessionId]));
    for (const tell of news) tell();
  };
  return {
    wake: async (sessionId) => wake(sessionId),
    async work(options) {
      const epoch = takeQueue(db, parts, options.owner);
      options.onHeld?.();
      const lost = new AbortController();
      const renewal = setInterval(() => {
        if (!renew(db, parts, epoch)) lost.abort();
      }, RENEW_MS);
      try {
        for (const sessionId of await options.left()) wake(sessionId);
        await takeAndRun({ db, parts, news, ...options, epoch, stop: AbortSignal.any([options.signal, lost.signal]) });
      } finally {
        clearInterval(renewal);
        db.transaction(() => db.run('UPDATE queue_worker SET owner_pid = NULL WHERE epoch = ?', [epoch]));
      }
      if (lost.signal.aborted) throw new SkillmintError('queue_busy', 'Another process has taken over the queue of turns; this one stops working on it.');
    },
  };
}

interface Run extends QueueWork {
  readonly db: Database;
  readonly parts: QueueParts;
  readonly news: Set<() => void>;
  readonly epoch: number;
  readonly stop: AbortSignal;
}

async function takeAndRun(run: Run): Promise<void> {
  const { parts, parallel, stop, news } = run;
  const running = new Map<string, Promise<void>>();
  let fault: { readonly error: unknown } | undefined;
  const tellAll = (): void => news.forEach((tell) => tell());
  const begin = (taken: Taken): Promise<void> => runOne(run, taken).catch((error: unknown) => { fault = { error }; }).finally(() => {
    running.delete(taken.id);
    tellAll();
  });
  let look = new AbortController();
  const tell = (): void => look.abort();
  news.add(tell);
  stop.addEventListener('abort', tell, { once: true });
  try {
    while (!stop.aborted && !fault) {
      look = new AbortController();
      for (const taken of due(run, running).slice(0, parallel - running.size)) running.set(taken.id, begin(taken));
      await parts.sleep(LOOK_MS, look.signal);
    }
  } finally {
    news.delete(tell);
    stop.removeEventListener('abort', tell);
    await Promise.all(running.values());
  }
  if (fault) throw fault.error;
}

function due({ db, parts, epoch }: Run, running: ReadonlyMap<string, unknown>): readonly Taken[] {
  const rows = db.all(`SELECT session_id, wakes FROM turn_queue WHERE due_at <= ? AND ${STILL_OURS} ORDER BY due_at, session_id`, [parts.now(), epoch]);
  return rows.map((row) => ({ id: String(row['session_id']), wakes: Number(row['wakes']) })).filter(({ id }) => !running.has(id));
}

/** One that was woken meanwhile stays. */
async function runOne({ db, parts, turn, epoch }: Run, { id, wakes }: Taken): Promise<void> {
  const outcome = await turn(id);
  db.transaction(() => {
    if (outcome === 'done') db.run(`DELETE FROM turn_queue WHERE session_id = ? AND wakes = ? AND ${STILL_OURS}`, [id, wakes, epoch]);
    else db.run(`UPDATE turn_queue SET due_at = ? WHERE session_id = ? AND wakes = ? AND ${STILL_OURS}`, [parts.now() + LATER_MS, id, wakes, epoch]);
  });
}

function takeQueue(db: Database, checks: OwnerChecks, owner: Owner): number {
  return db.transaction(() => {
    const row = db.get('SELECT * FROM queue_worker WHERE id = 1', []);
    const holder = row && liveOwner(checks, row);
    if (holder) throw new SkillmintError('queue_busy', `Process ${holder.pid} works on the queue of turns already${isSame(holder, owner) ? '' : '; only one may. Stop it, or use another data folder (SKILLMINT_HOME)'}.`);
    const epoch = Number(row?.['epoch'] ?? 0) + 1;
    db.run('INSERT OR REPLACE INTO queue_worker (id, epoch, owner_instance, owner_machine, owner_pid, owner_started, lease_until) VALUES (1, ?, ?, ?, ?, ?, ?)', [epoch, owner.instance, owner.machine, owner.pid, owner.started, checks.now() + LEASE_MS]);
    return epoch;
  });
}

/** False once another worker has the queue. A failure of another kind leaves the lease as it is; the next look at the queue tells. */
function renew(db: Database, { now }: OwnerChecks, epoch: number): boolean {
  try {
    return db.transaction(() => db.run('UPDATE queue_worker SET lease_until = ? WHERE epoch = ?', [now() + LEASE_MS, epoch])).changes > 0;
  } catch (error) {
    if (error instanceof SkillmintError) return true;
    throw error;
  }
}
