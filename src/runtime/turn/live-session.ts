import type { AppendOptions } from '../../agent/ports.ts';
import { applyEvent } from '../../protocol/fold.ts';
import type { EventBody, SessionEvent, TransientBody } from '../../protocol/events.ts';
import { emptySessionState, type SessionState } from '../../protocol/session-state.ts';
import { SkillmintError } from '../../protocol/errors.ts';
import type { EventBus } from '../../sessions/event-bus.ts';
import type { Lease, NewEvent, Owner, SessionStore } from '../../sessions/store.ts';

/** How often a lease is prolonged in its length while a turn runs. */
const RENEWALS = 3;

/** What a live session works with. */
export interface LiveSessionParts {
  readonly store: SessionStore;
  readonly owner: Owner;
  /** Carries the events to those who follow the session. */
  readonly bus: EventBus;
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
  /** Events that are part of the state and wait for the next transaction. */
  readonly #staged: NewEvent[] = [];
  #queue: Promise<void> = Promise.resolve();
  #taking = false;
  /** It was made for a turn that has not begun yet. */
  #fresh = true;
  readonly #listeners = new Set<(event: SessionEvent) => void>();
  readonly #lost = new AbortController();
  readonly #parts: LiveSessionParts;

  constructor(sessionId: string, parts: LiveSessionParts) {
    this.state = emptySessionState(sessionId);
    this.#parts = parts;
  }

  /** Aborts when another process has taken the session over, its log could not be written or it was left; the session is of no use then. */
  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  /** A turn holds it, or is about to. */
  get inUse(): boolean {
    return this.#fresh || this.#taking || this.#lease !== undefined;
  }

  /** Makes the session in the store and takes its lease. */
  async create(session: { readonly cwd: string; readonly model: string; readonly parent_id?: string; readonly task_id?: string }): Promise<void> {
    this.#hold(await this.#parts.store.create({ session_id: this.state.session_id, ...session }, this.#parts.owner));
  }

  /** Takes the lease and reads what is new in the log. */
  async acquire(): Promise<void> {
    if (this.#lease || this.#taking) throw new SkillmintError('session_busy', `Session ${this.state.session_id} runs a turn in this process already. Wait until it has ended.`);
    this.#taking = true;
    try {
      this.#hold(await this.#parts.store.acquire(this.state.session_id, this.#parts.owner));
      await this.catchUp();
    } finally {
      this.#taking = false;
    }
  }

  /** Reads what is new in the log, without the right to write. */
  async catchUp(): Promise<void> {
    for await (const event of this.#parts.store.read(this.state.session_id, this.state.last_seq)) {
      if (event.seq > this.state.last_seq) applyEvent(this.state, event);
    }
  }

  /** Gives the lease back. */
  async release(): Promise<void> {
    clearInterval(this.#renewal);
    const lease = this.#lease;
    this.#lease = undefined;
    if (lease) await this.#parts.store.release(lease);
  }

  /** Stops the turn where it stands, as a crash would: nothing more is written, so that it can go on later. */
  leave(): void {
    this.#lost.abort(new SkillmintError('interrupted', `The turn of session ${this.state.session_id} was stopped for now; it goes on later.`));
  }

  /** Stores events in one transaction, after those that were staged, applies them and shows them to listeners. See `AgentPorts.append`. */
  append(bodies: readonly EventBody[], options: AppendOptions = {}): Promise<boolean> {
    return this.#inTurn(async () => {
      this.#lost.signal.throwIfAborted();
      if (options.unless?.()) return false;
      if (this.#staged.length + bodies.length === 0) return true;
      if (!this.#lease) throw new Error(`session ${this.state.session_id} is not held`);
      const time = this.#time();
      const staged = this.#staged.splice(0);
      const stored = await this.#storeEvents(this.#lease, [...staged, ...bodies.map((body) => ({ body, time }))], options);
      for (const [index, event] of stored.entries()) {
        if (index >= staged.length) applyEvent(this.state, event);
        this.#show(event);
      }
      return true;
    });
  }

  /**
   * Applies events that the next `append` stores together with its own. Nobody sees them before that, and nothing that
   * follows from them may have an effect before that.
   */
  stage(bodies: readonly EventBody[]): Promise<void> {
    return this.#inTurn(async () => {
      const time = this.#time();
      for (const body of bodies) {
        this.#staged.push({ body, time });
        applyEvent(this.state, { ...body, session_id: this.state.session_id, seq: this.state.last_seq + 1, time });
      }
    });
  }

  /** One after the other, so that numbers given ahead are those that the store gives. A failure is its caller's alone. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#queue.then(work);
    this.#queue = result.then(() => undefined, () => undefined);
    return result;
  }

  /** Shows an event that is not stored. */
  emit(body: TransientBody): void {
    this.#show({ ...body, session_id: this.state.session_id, time: this.#time() });
  }

  /** Shows an event of another session, such as that of a sub-agent. */
  show(event: SessionEvent): void {
    this.#show(event);
  }

  /** Calls `listener` for each event from now on; the result ends that. */
  listen(listener: (event: SessionEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async #storeEvents(lease: Lease, events: Parameters<SessionStore['append']>[1], options: AppendOptions): ReturnType<SessionStore['append']> {
    try {
      return await this.#parts.store.append(lease, events, options.durable ? { durable: true } : {});
    } catch (error) {
      // The state may be ahead of the log now; whoever goes on reads the log anew.
      this.#lost.abort(error);
      throw error;
    }
  }

  #hold(lease: Lease): void {
    this.#fresh = false;
    this.#lease = lease;
    this.#renewal = setInterval(() => {
      this.#parts.store.renew(lease).catch((error: unknown) => {
        // Any other failure leaves the lease as it is, and the next append tells whether the store still works.
        if (error instanceof SkillmintError && error.code === 'session_fenced') this.#lost.abort(error);
      });
    }, this.#parts.store.leaseMs / RENEWALS);
    this.#renewal.unref();
  }

  #time(): string {
    return new Date(this.#parts.now()).toISOString();
  }

  #show(event: SessionEvent): void {
    for (const listener of this.#listeners) listener(event);
    this.#parts.bus.publish(this.state.session_id, event);
  }
}
