import { ProtocolError, SdkError, SdkErrorCode, type CallToolResult, type Client, type InputRequiredResult } from '@modelcontextprotocol/client';
import { messageOf, SkillmintError } from '../protocol/errors.ts';
import type { McpServerState } from '../protocol/mcp.ts';
import { askForTools } from './ask-for-tools.ts';
import { callRequest, type RequestLimits } from './call-request.ts';
import { connectServer, type ConnectParts, type Connection } from './connect.ts';
import type { ServerDefinition } from './definition.ts';
import { hearChanges } from './hear-changes.ts';
import { learnChanges } from './learn-changes.ts';
import { isThere, lookAfter } from './look-after.ts';
import type { OfferedTool, OfferedTools } from './offered-tools.ts';
import { failureText } from './request-failure.ts';
import { startLimit, WAIT_MS } from './start-limits.ts';
import { standingOf, type ServerCall, type SupervisedServer } from './supervised-server.ts';

/** How long a server that runs may take to say what its tools are now, in ms. */
const LIST_MS = 10_000;
/** Restarts in a row, without anything useful between them. */
const MOST_RESTARTS = 5;
const FIRST_PAUSE_MS = 250;
/** One that could not be started is tried again when it is wanted again: after so long, in ms, and the later the longer it had been waited for. */
const RETRY_MS = 10_000;
const RETRY_FACTOR = 30;

/** What a server is supervised with. */
export interface SupervisorParts extends ConnectParts {
  readonly definition: ServerDefinition;
}

/** Supervises a server; nothing is started yet. */
export function superviseServer(parts: SupervisorParts): SupervisedServer {
  return new Supervisor(parts);
}

class Supervisor implements SupervisedServer {
  readonly shortName: string;
  readonly #parts: SupervisorParts;
  readonly #stop = new AbortController();
  #state: McpServerState = { state: 'idle' };
  #connection: Connection | undefined;
  #offered: OfferedTools = { tools: [], notes: [] };
  #life: Promise<void> | undefined;
  /** When it was last begun to be started, in ms since 1970. */
  #begunAt = 0;
  /** What a program that is being started has printed beside the protocol. */
  #said: (() => string | undefined) | undefined;
  #hasResources = false;
  /** ms since 1970. */
  #retryAt = 0;
  /** Why its tools are not known as they are now. */
  #stale: string | undefined;
  /** Why it cannot be heard when its tools change. */
  #unheard: string | undefined;
  /** Requests that are under way; a server that works on one is not asked whether it is there. */
  #underWay = 0;
  /** What it was told of. */
  #toldRoots = '';
  /** Look at a server after a call without an answer; `close` waits for it. */
  #examining: Promise<void> | undefined;
  #restarts = 0;
  /** Restarts since something useful came of a connection. */
  #inARow = 0;
  readonly #waiting = new Set<() => void>();

  constructor(parts: SupervisorParts) {
    this.#parts = parts;
    this.shortName = parts.shortName;
  }

  state(): McpServerState {
    if (this.#state.state !== 'starting') return this.#state;
    const said = this.#said?.();
    return { ...this.#state, ...(said === undefined ? {} : { said }) };
  }

  connection(): Connection | undefined {
    return this.#connection;
  }

  hasResources(): boolean {
    return this.#hasResources;
  }

  tools(): readonly OfferedTool[] {
    return this.#offered.tools;
  }

  begin(): void {
    if (this.#life || this.#stop.signal.aborted) return;
    if (this.#state.state === 'failed' && this.#parts.clock.now() < this.#retryAt) return;
    this.#inARow = 0;
    this.#life = this.#live().finally(() => { this.#life = undefined; });
  }

  async settled(limitMs: number, { fromStart = false, signal }: Parameters<SupervisedServer['settled']>[1] = {}): Promise<void> {
    if (!this.#life || this.#state.state === 'ready' || this.#state.state === 'failed') return;
    const { clock } = this.#parts;
    const enough = new AbortController();
    const wake = (): void => enough.abort();
    this.#waiting.add(wake);
    await clock.sleep(fromStart ? Math.max(0, this.#begunAt + limitMs - clock.now()) : limitMs, signal ? AbortSignal.any([enough.signal, signal]) : enough.signal);
    this.#waiting.delete(wake);
  }

  call({ signal, ...call }: ServerCall): Promise<CallToolResult | InputRequiredResult> {
    return this.#request(callRequest(call, { hasRoots: this.roots().length > 0 }), signal);
  }

  ask<T>(request: (client: Client, limits: RequestLimits) => Promise<T>, signal: AbortSignal): Promise<T> {
    return this.#request(request, signal);
  }

  roots(): readonly string[] {
    return this.#parts.definition.roots ? this.#parts.roots?.() ?? [] : [];
  }

  tellRoots(): void {
    const client = this.#connection?.client;
    const roots = JSON.stringify(this.roots());
    if (!client || roots === this.#toldRoots) return;
    this.#toldRoots = roots;
    // Whoever does not hear it asks a server that is going away.
    if (client.getProtocolEra() !== 'modern') client.sendRootsListChanged().catch(() => undefined);
  }

  async close(): Promise<void> {
    this.#stop.abort();
    await this.#connection?.close();
    await Promise.allSettled([this.#life, this.#examining]);
  }

  async #request<T>(make: (client: Client, limits: RequestLimits) => Promise<T>, signal: AbortSignal): Promise<T> {
    const { callMs } = this.#parts.definition;
    for (let tries = 1; ; tries += 1) {
      this.begin();
      await this.settled(WAIT_MS, { signal });
      const connection = this.#connection;
      if (!connection) throw new SkillmintError('network_failed', `the MCP server ${this.shortName} ${standingOf(this.state())}`);
      this.#underWay += 1;
      try {
        const result = await make(connection.client, { timeout: callMs, signal });
        this.#inARow = 0;
        return result;
      } catch (error) {
        signal.throwIfAborted();
        if (tries > 1 || !connection.isForgotten(error)) throw this.#failure(connection, error);
      } finally {
        this.#underWay -= 1;
      }
      await connection.close();
    }
  }

  /** Why a request gave no result. A server that has not answered is looked at. */
  #failure(connection: Connection, error: unknown): SkillmintError {
    // The server has answered, be it with an error.
    if (error instanceof ProtocolError) return new SkillmintError('network_failed', `the MCP server ${this.shortName} refused: ${connection.ended() ?? failureText(error, this.#parts)}`, { cause: error });
    const isLate = error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout;
    if (connection.ended() === undefined) this.#examining = this.#examine(connection);
    const why = isLate ? `it did not answer within ${this.#parts.definition.callMs / 1000} s` : connection.ended() ?? failureText(error, this.#parts);
    return new SkillmintError('network_failed', `the MCP server ${this.shortName} gave no result: ${why}`, { cause: error });
  }

  /** A server that does not answer at all is started again. */
  async #examine(connection: Connection): Promise<void> {
    if (await isThere(connection.client, this.#parts.clock)) this.#inARow = 0;
    else await connection.close();
  }

  /** Connects, and again after each crash, until it is stopped or gives up. Never rejects. */
  async #live(): Promise<void> {
    const { clock } = this.#parts;
    let reason: string | undefined;
    for (let everReady = false; !this.#stop.signal.aborted; ) {
      this.#start(reason);
      const began = clock.now();
      const lost = await this.#connectOnce();
      if (this.#stop.signal.aborted) break;
      reason = lost.reason;
      everReady ||= lost.wasReady;
      if (!everReady || this.#inARow >= MOST_RESTARTS) return this.#giveUp(everReady ? `${reason} (restarted ${MOST_RESTARTS} times in a row)` : reason, clock.now() - began);
      this.#start(reason);
      await clock.sleep(FIRST_PAUSE_MS * 2 ** this.#inARow, this.#stop.signal);
      this.#inARow += 1;
      this.#restarts += 1;
    }
    this.#settle({ state: 'idle' });
  }

  #start(reason: string | undefined): void {
    this.#begunAt = this.#parts.clock.now();
    this.#said = undefined;
    this.#state = { state: 'starting', restarts: this.#restarts, ...(reason === undefined ? {} : { reason }) };
  }

  #giveUp(reason: string, tookMs: number): void {
    this.#retryAt = this.#parts.clock.now() + Math.max(RETRY_MS, RETRY_FACTOR * Math.min(tookMs, WAIT_MS));
    this.#settle({ state: 'failed', restarts: this.#restarts, reason });
  }

  /** Resolves when the connection is gone, or could not be made. */
  async #connectOnce(): Promise<{ readonly wasReady: boolean; readonly reason: string }> {
    const { clock, definition } = this.#parts;
    const until = clock.now() + startLimit(definition);
    try {
      const connection = await connectServer(definition, this.#parts, { limitMs: startLimit(definition), signal: this.#stop.signal, onProgram: (said) => { this.#said = said; } });
      this.#connection = connection;
      try {
        await this.#learnTools(connection, Math.max(LIST_MS, until - clock.now()));
        this.#stop.signal.throwIfAborted();
        this.#toldRoots = JSON.stringify(this.roots());
        return { wasReady: true, reason: await this.#attend(connection) };
      } finally {
        this.#connection = undefined;
        await connection.close();
      }
    } catch (error) {
      return { wasReady: false, reason: messageOf(error) };
    }
  }

  /** Looks after a connection until it is gone; resolves with the reason. */
  async #attend(connection: Connection): Promise<string> {
    const { clock } = this.#parts;
    const over = new AbortController();
    const gone = AbortSignal.any([this.#stop.signal, over.signal]);
    const learn = learnChanges({ clock, gone, learn: () => this.#tryToLearn(connection), tell: (problem) => {
      this.#stale = problem;
      this.#showReady(connection);
    } });
    const look = async (): Promise<void> => {
      await this.#examine(connection);
      if (this.#stale !== undefined || this.#unheard !== undefined) await learn();
    };
    const hear = async (): Promise<void> => {
      this.#unheard = await hearChanges(connection, { clock, gone, learn });
      if (this.#unheard !== undefined) this.#showReady(connection);
    };
    [this.#stale, this.#unheard] = [undefined, undefined];
    connection.client.setNotificationHandler('notifications/tools/list_changed', learn);
    this.#showReady(connection);
    const closed = connection.closed.then((why) => {
      over.abort();
      // Whoever wants something now waits for the next connection.
      this.#connection = undefined;
      this.#start(why);
      return why;
    });
    const [reason] = await Promise.all([closed, lookAfter({ clock, gone, isBusy: () => this.#underWay > 0, look }), hear()]);
    return reason;
  }

  async #tryToLearn(connection: Connection): Promise<string | undefined> {
    try {
      await this.#learnTools(connection, LIST_MS);
      return undefined;
    } catch (error) {
      return messageOf(error);
    }
  }

  /** Rejects as `askForTools` does. */
  async #learnTools(connection: Connection, limitMs: number): Promise<void> {
    const { offered, hasResources } = await askForTools(connection, { ...this.#parts, limitMs, signal: this.#stop.signal });
    this.#offered = offered;
    this.#hasResources = hasResources;
  }

  #showReady({ protocol, ended }: Connection): void {
    if (ended() !== undefined) return;
    const notes = [...this.#offered.notes, ...(this.#unheard === undefined ? [] : [`it cannot be heard when its tools change (${this.#unheard}); they are asked for once a minute`])];
    this.#settle({ state: 'ready', restarts: this.#restarts, protocol, tools: this.#offered.tools.length, notes, ...(this.#stale === undefined ? {} : { stale: this.#stale }) });
  }

  #settle(state: McpServerState): void {
    this.#state = state;
    for (const wake of this.#waiting) wake();
  }
}
