import type { SessionEvent } from '../protocol/events.ts';
import type { Usage } from '../protocol/usage.ts';

/** A turn while it runs in this process. Times in ms since 1970. */
export interface ObservedRun {
  readonly sessionId: string;
  readonly startedAt: number;
  /** Set where a sub-agent works: its session's own id for the session that has started it. */
  readonly turnId: string | undefined;
}

/** One answer of a model. It is asked when all that it is told has been stored, so hooks and compaction before it count. */
export interface ModelCall {
  /** `PROVIDER/MODEL`. */
  readonly model: string;
  readonly startedAt: number;
  readonly endedAt: number;
  /** When its first word came; undefined where it only called tools. */
  readonly firstAt: number | undefined;
  readonly usage: Usage | undefined;
  readonly stopReason: string | undefined;
}

/** One call of a tool, from its beginning; from its request where it never began. */
export interface ToolRun {
  readonly callId: string;
  readonly tool: string;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly status: 'ok' | 'error' | 'denied' | 'interrupted';
}

/** Is told of what turns do, as it happens. */
export interface RunListener {
  readonly onBegin: (run: ObservedRun) => void;
  readonly onModelCall: (run: ObservedRun, call: ModelCall) => void;
  readonly onToolRun: (run: ObservedRun, call: ToolRun) => void;
  /** Every other event of a turn. */
  readonly onEvent: (run: ObservedRun, event: SessionEvent) => void;
  /** `lost` for a run of which nothing more was heard, such as one that another process has taken over. */
  readonly onEnd: (run: ObservedRun, end: RunEnd) => void;
}

/** How a run ended. */
export interface RunEnd {
  readonly status: 'done' | 'waiting' | 'failed' | 'limit' | 'cancelled' | 'lost';
  readonly endedAt: number;
  readonly code?: string;
  readonly costUsd?: number;
}

interface OpenRun extends ObservedRun {
  /** The latest moment at which something of the turn was stored. */
  storedAt: number;
  firstAt: number | undefined;
  readonly calls: Map<string, { readonly tool: string; readonly at: number }>;
}

/** More are not watched at a time: the one that was silent for the longest is told as lost. */
const MOST_RUNS = 10_000;

/** Follows the turns of a runtime by their events; the result takes each event of their own sessions in order. */
export function observeRuns(listener: RunListener): (event: SessionEvent) => void {
  const runs = new Map<string, OpenRun>();
  /** Calls of turns that wait for a person: with the answer they begin, in another run. */
  const asked = new Map<string, OpenRun['calls']>();
  const lose = (run: OpenRun): void => {
    runs.delete(run.sessionId);
    listener.onEnd(run, { status: 'lost', endedAt: run.storedAt });
  };
  const keep = ({ sessionId, calls }: OpenRun): void => {
    asked.set(sessionId, calls);
    const [oldest] = asked.keys();
    if (oldest !== undefined && asked.size > MOST_RUNS) asked.delete(oldest);
  };
  const begin = (event: SessionEvent, at: number): OpenRun => {
    const run: OpenRun = { sessionId: event.session_id, turnId: 'turn_id' in event ? event.turn_id : undefined, startedAt: at, storedAt: at, firstAt: undefined, calls: asked.get(event.session_id) ?? new Map() };
    asked.delete(event.session_id);
    const [silent] = runs.size < MOST_RUNS ? [] : runs.values();
    if (silent) lose(silent);
    listener.onBegin(run);
    return run;
  };
  return (event) => {
    if (event.is_sub_agent) return;
    const at = Date.parse(event.time);
    const earlier = runs.get(event.session_id);
    // Another process had the turn in between, so that nobody here saw how the earlier run ended.
    const known = event.type === 'turn.started' || event.type === 'turn.resumed' ? undefined : earlier;
    if (earlier && !known) lose(earlier);
    if (!known && !BEGINS.has(event.type)) return;
    const run = known ?? begin(event, at);
    runs.delete(event.session_id);
    if (event.type === 'turn.completed') {
      const { status, error, cost_usd } = event;
      if (status === 'waiting') keep(run);
      listener.onEnd(run, { status, endedAt: at, ...(error ? { code: error.code } : {}), ...(cost_usd === undefined ? {} : { costUsd: cost_usd }) });
      return;
    }
    runs.set(event.session_id, run);
    take(run, event, at, listener);
  };
}

/** With these a turn begins, or goes on. */
const BEGINS: ReadonlySet<string> = new Set<SessionEvent['type']>(['turn.started', 'turn.resumed', 'permission.resolved', 'question.answered']);

function take(run: OpenRun, event: SessionEvent, at: number, listener: RunListener): void {
  switch (event.type) {
    case 'text.delta':
    case 'reasoning.delta':
      run.firstAt ??= at;
      return;
    case 'tool.delta': return;
    case 'message.completed':
      listener.onModelCall(run, { model: event.model ?? '', startedAt: run.storedAt, endedAt: at, firstAt: run.firstAt, usage: event.usage, stopReason: event.stop_reason });
      run.firstAt = undefined;
      break;
    case 'tool.requested':
      run.calls.set(event.call_id, { tool: event.tool, at });
      break;
    case 'tool.started': {
      const asked = run.calls.get(event.call_id);
      if (asked) run.calls.set(event.call_id, { ...asked, at });
      break;
    }
    case 'tool.completed': {
      const begun = run.calls.get(event.call_id);
      run.calls.delete(event.call_id);
      if (begun) listener.onToolRun(run, { callId: event.call_id, tool: begun.tool, startedAt: begun.at, endedAt: at, status: event.status });
      break;
    }
    default: listener.onEvent(run, event);
  }
  run.storedAt = at;
}
