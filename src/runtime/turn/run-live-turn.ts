import { setMaxListeners } from 'node:events';
import { runTurn } from '../../agent/loop.ts';
import type { AgentPorts } from '../../agent/ports.ts';
import { SkillmintError } from '../../protocol/errors.ts';
import type { EventBody, SessionEvent, StoredEvent } from '../../protocol/events.ts';
import type { Json } from '../../protocol/json.ts';
import { openRequests, type SessionState } from '../../protocol/session-state.ts';
import { eventQueue } from '../../util/event-queue.ts';
import type { LiveSession } from './live-session.ts';
import { refuseRepeated } from './repeated-message.ts';
import type { TurnPlace } from '../parts.ts';
import type { TurnHooks } from '../hooks/hook-binding.ts';
import type { RunningTurn, TurnResult } from '../runtime.ts';

type TurnCompleted = Extract<StoredEvent, { type: 'turn.completed' }>;

/** What a turn needs to run on a session that this process holds. */
export interface LiveTurnParts {
  readonly session: LiveSession;
  /** Appends the events that begin this run and resolves to what the loop works with; see `runTurn` for `opening`. */
  readonly begin: (signal: AbortSignal) => Promise<{ readonly ports: AgentPorts; readonly hooks: TurnHooks; readonly opening?: () => Promise<void> }>;
  /** It runs when there is a place; a sub-agent runs in that of its session. */
  readonly place?: TurnPlace | undefined;
  /** Runs when the turn has ended, however it ended. */
  readonly end: () => Promise<void>;
}

/**
 * Runs a turn to its end. Everything that happens is an event; `result` rejects only when the log could not be written,
 * and then the events end, too.
 */
export function runLiveTurn({ session, begin, place, end }: LiveTurnParts): RunningTurn {
  const events = eventQueue<SessionEvent>();
  const stop = new AbortController();
  const signal = AbortSignal.any([stop.signal, session.lost]);
  // Each call that runs listens to it.
  setMaxListeners(0, signal);
  let completed: TurnCompleted | undefined;
  const over = new AbortController();
  const silence = session.listen((event) => {
    if (event.type === 'turn.completed' && !event.is_sub_agent) completed = event;
    events.push(event);
  });
  const begun = begin(signal);
  const run = async (): Promise<TurnResult> => {
    let leave: (() => void) | undefined;
    try {
      const { ports, opening } = await begun;
      leave = await place?.(signal);
      await runTurn(ports, signal, opening);
      if (!completed) throw new Error('the turn ended without turn.completed');
      return resultOf(session.state, completed, ports.outputSchema !== undefined);
    } finally {
      leave?.();
      silence();
      over.abort();
      try {
        await end();
      } finally {
        events.end();
      }
    }
  };
  const named = begun.then(() => {
    const { turn } = session.state;
    if (!turn) throw new Error('a turn has begun and is not in the state');
    return turn.turn_id;
  });
  named.catch(() => undefined);
  const result = run();
  // The consumer may read the events first and the result later; until then a rejection is not unhandled.
  result.catch(() => undefined);
  return {
    sessionId: session.state.session_id,
    begun: named,
    events,
    result,
    cancel: () => stop.abort(),
    steer: async (text, { attachments = [], key, alone = false } = {}) => {
      refuseRepeated(session.state, key);
      const isOver = (): boolean => session.state.turn?.status !== 'running';
      if (alone && !isOver()) throw new SkillmintError('session_busy', 'A turn runs, and goes on with its own model, tools and skills. Send the message when it has ended, or without them.');
      // A message that comes while the turn is still being made ready waits for its hooks.
      const passed = isOver() ? { note: '' } : await (await begun).hooks.beforeMessage(text, AbortSignal.any([signal, over.signal]));
      if ('refused' in passed) throw new SkillmintError('permission_denied', `The message was refused and not sent: ${passed.refused}`);
      const note = passed.note === '' ? {} : { note: passed.note };
      // The same message may have come again while the hooks looked at it.
      const unless = (): boolean => (refuseRepeated(session.state, key), isOver());
      const isStored = await session.append([{ type: 'message.added', text, ...(attachments.length > 0 ? { attachments } : {}), ...note, ...(key === undefined ? {} : { key }) }], { unless });
      if (!isStored) throw ended();
    },
  };
}

function ended(): SkillmintError {
  return new SkillmintError('turn_ended', 'The turn has ended; send the message as a new prompt.');
}

/** What the end of a turn says, for the one who has asked for it. */
export function resultOf(state: SessionState, event: Extract<EventBody, { type: 'turn.completed' }>, structured: boolean): TurnResult {
  const { turn_id, status, text, usage, cost_usd, error } = event;
  return {
    session_id: state.session_id, turn_id, status, text, usage,
    ...(cost_usd === undefined ? {} : { cost_usd }),
    ...(error ? { error } : {}),
    ...(structured && status === 'done' ? { output: parseAnswer(text) } : {}),
    open: openRequests(state),
  };
}

/** The text of a turn that was checked against its schema. */
function parseAnswer(text: string): Json {
  // JSON.parse gives nothing but JSON; the turn could not end as done before the text was checked.
  return JSON.parse(unfenced(text)) as Json;
}

/** JSON without the code fence that models like to put around it. */
export function unfenced(text: string): string {
  return /^\s*```(?:json)?\s*\n([\s\S]*?)\n\s*```\s*$/.exec(text)?.[1] ?? text;
}
