import { applyEvent } from '../../../protocol/fold.ts';
import type { SessionEvent, StoredEvent } from '../../../protocol/events.ts';
import { emptySessionState } from '../../../protocol/session-state.ts';
import { SkillmintError } from '../../../protocol/errors.ts';
import type { RunningTurn, Runtime, TurnResult } from '../../../runtime/runtime.ts';
import { followEvents } from '../../run/follow-events.ts';
import type { ScreenParts } from './screen-parts.ts';
import { deliver, type ScreenState } from './screen-state.ts';
import { whileRunning } from './screen-work.ts';

/** Takes in one event of the session that is shown. */
export function takeEvent({ view, tui }: Pick<ScreenParts, 'view' | 'tui'>, state: ScreenState, event: SessionEvent): void {
  const { session } = state;
  if (isOwnStored(event, session.session_id)) {
    if (event.seq <= session.last_seq) return;
    applyEvent(session, event);
    if (event.type === 'message.added') state.steered = state.steered.filter((text) => text !== event.text);
  }
  view.apply(event);
  tui.requestRender();
}

function isOwnStored(event: SessionEvent, sessionId: string): event is StoredEvent {
  return !event.is_sub_agent && 'seq' in event && event.session_id === sessionId;
}

/** Shows what is stored of a session beyond what was shown; all of it anew where it is another one. */
export async function catchUp(parts: Pick<ScreenParts, 'view' | 'tui'>, state: ScreenState, runtime: Pick<Runtime, 'sessions'>, sessionId: string): Promise<void> {
  const said = changeSession(parts, state, sessionId);
  for await (const event of runtime.sessions.events(sessionId, state.session.last_seq)) takeEvent(parts, state, event);
  for (const text of said) parts.view.print(text);
}

/** Begins with another session, unless it is this one; the result is what the program has said last. */
function changeSession({ view }: Pick<ScreenParts, 'view'>, state: ScreenState, sessionId: string): readonly string[] {
  const { session_id } = state.session;
  if (session_id === sessionId) return [];
  state.session = emptySessionState(sessionId);
  // What was said before a session began stays above it.
  return session_id === '' ? [] : view.clear();
}

/** Shows a turn to its end. */
export async function showTurn(parts: ScreenParts, state: ScreenState, turn: RunningTurn, now: () => number): Promise<TurnResult> {
  for (const text of changeSession(parts, state, turn.sessionId)) parts.view.print(text);
  const show = async (event: SessionEvent): Promise<void> => {
    const { session, where } = state;
    // Another program has gone on with the session since.
    if (where && isOwnStored(event, session.session_id) && event.seq > session.last_seq + 1) await showMissed(parts, state, where.runtime, event.seq);
    takeEvent(parts, state, event);
  };
  return whileRunning(parts, state, { what: 'working', since: now(), turn, stop: () => turn.cancel(), isStopping: false }, () => followEvents(turn, show));
}

async function showMissed(parts: ScreenParts, state: ScreenState, { sessions }: Pick<Runtime, 'sessions'>, before: number): Promise<void> {
  const { session_id, last_seq } = state.session;
  for await (const event of sessions.events(session_id, last_seq)) {
    if (event.seq >= before) return;
    takeEvent(parts, state, event);
  }
}

/** Sends a message into the turn that runs. What a hook refuses is told; what comes too late is kept. */
export async function steer(state: ScreenState, text: string, tell: (error: unknown) => void): Promise<void> {
  const { running } = state;
  if (!running?.turn || text.startsWith('/')) {
    state.kept.push(text);
    return;
  }
  state.steered.push(text);
  try {
    await running.turn.steer(text);
  } catch (error) {
    state.steered = state.steered.filter((one) => one !== text);
    const cameTooLate = error instanceof SkillmintError && error.code === 'turn_ended';
    if (cameTooLate) deliver(state, text);
    else tell(error);
  }
}
