import { SkillmintError } from '../../protocol/errors.ts';
import { emptySessionState, type SessionState } from '../../protocol/session-state.ts';
import type { SessionBinder } from '../session/session-binder.ts';

/** The session of a run as it stands; empty where it was removed, or belongs to the session that this one was forked from. */
export async function childState(binder: SessionBinder, outer: SessionState, childId: string): Promise<SessionState> {
  try {
    const child = await binder.state(childId);
    return isOwnChild(outer, child) ? child : emptySessionState(childId);
  } catch (error) {
    if (error instanceof SkillmintError && error.code === 'session_not_found') return emptySessionState(childId);
    throw error;
  }
}

/** True for a session that `outer` has started itself. */
export function isOwnChild(outer: SessionState, child: SessionState): boolean {
  return child.parent_run?.session_id === outer.session_id;
}
