import { applyEvent } from '../protocol/fold.ts';
import type { EventBody, SessionEvent, TransientBody } from '../protocol/events.ts';
import { emptySessionState, type SessionState } from '../protocol/session-state.ts';
import { SkillmintError } from '../protocol/errors.ts';
import type { Lease, Owner, SessionStore } from '../sessions/store.ts';

/** A lease is prolonged this often while a turn runs; a third of its length. */
const RENEW_MS = 10_000;

/** What a live session works with. */
export interface LiveSessionParts {
  readonly store: SessionStore;
  readonly owner: Owner;
  /** ms since 1970. */
  readonly now: () => number;
}

/**
 * A session that this process has in memory: its folded state and, while a turn runs, the right to write.
 * Between turns the lease is given back, so that another process may go on with it; what that one
 * wrote is read when the lease is taken again.
 */
export class LiveSession {
  readonly state: SessionState;
  #lease: Lease | undefined;
  #renewal: NodeJS.Timeout | undefined;
  readonly #listeners = new Set<(event: SessionEvent) => void>();
  readonly #lost = new AbortController();
  readonly #parts: LiveSessionParts;

  constructor(sessionId: string, parts: LiveSessionParts) {
    this.state = emptySessionState(sessionId);
    this.#parts = parts;
  }

  /** Aborts when another process has taken the session over. */
  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  /** Makes the session in the store and takes its lease. */
  async create(session: { readonly cwd: string; readonly model: string }): Promise<void> {
    this.#hold(await this.#parts.store.create({ session_id: this.state.session_id, ...session }, this.#parts.owner));
  }

  /** Takes the lease and reads what is new in the log. */
  async acquire(): Promise<void> {
    if (this.#lease) throw new SkillmintError('session_busy', `Session ${this.state.session_id} runs a turn in this process already. Wait until it has ended.`);
    this.#hold(await this.#parts.store.acquire(this.state.session_id, this.#parts.owner));
    await this.catchUp();
  }

  /** Reads what is new in the log, without the right to write. */
  async catchUp(): Promise<void> {
    for await (const event of this.#parts.store.read(this.state.session_id, this.state.last_seq)) applyEvent(this.state, event);
  }

  /** Gives the lease back. */
  async release(): Promise<void> {
    clearInterval(this.#renewal);
    const lease = this.#lease;
    this.#lease = undefined;
    if (lease) await this.#parts.store.release(lease);
  }

  /** Stores events in one transaction, applies them and shows them to listeners. */
  async append(bodies: readonly EventBody[], options: { readonly durable?: boolean } = {}): Promise<void> {
    if (!this.#lease) throw new Error(`session ${this.state.session_id} is not held`);
    const time = this.#time();
    const stored = await this.#storeEvents(this.#lease, bodies.map((body) => ({ body, time })), options);
    for (const event of stored) {
      applyEvent(this.state, event);
      this.#show(event);
    }
  }

  /** Shows an event that is not stored. */
  emit(body: TransientBody): void {
    this.#show({ ...body, session_id: this.state.session_id, time: this.#time() });
  }

  /** Calls `listener` for each event from now on; the result ends that. */
  listen(listener: (event: SessionEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async #storeEvents(lease: Lease, events: Parameters<SessionStore['append']>[1], options: { readonly durable?: boolean }): ReturnType<SessionStore['append']> {
    try {
      return await this.#parts.store.append(lease, events, options);
    } catch (error) {
      if (error instanceof SkillmintError && error.code === 'session_fenced') this.#lost.abort(error);
      throw error;
    }
  }

  #hold(lease: Lease): void {
    this.#lease = lease;
    this.#renewal = setInterval(() => {
      this.#parts.store.renew(lease).catch((error: unknown) => this.#lost.abort(error));
    }, RENEW_MS);
    this.#renewal.unref();
  }

  #time(): string {
    return new Date(this.#parts.now()).toISOString();
  }

  #show(event: SessionEvent): void {
    for (const listener of this.#listeners) listener(event);
  }
}
