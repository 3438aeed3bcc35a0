import { SkillmintError } from '../../protocol/errors.ts';
import { SESSION_FOLDERS } from '../session/session-folder.ts';
import type { TurnParts } from '../turn/turn-parts.ts';
import { ownWorktree, worktreeLine } from './agent-worktree.ts';
import { isOwnChild } from './own-child.ts';

/**
 * Removes a session with those of its sub-agents: all of them, or none where one is in use. Resolves to lines on worktrees that
 * stay, because something was changed in them.
 */
export async function removeSession(turns: TurnParts, sessionId: string): Promise<readonly string[]> {
  const { parts, binder } = turns;
  const ids = [...(await sessionsOfAgents(turns, sessionId)), sessionId];
  const states = await Promise.all(ids.map((id) => binder.state(id)));
  await parts.store.remove(ids);
  for (const id of ids) parts.bus.reread(id);
  const left: string[] = [];
  for (const state of states) {
    for (const kind of SESSION_FOLDERS) await parts.sessionFolder(kind, state.session_id).remove();
    const line = ownWorktree(state) ? await worktreeLine(turns, { outer: state, child: state }) : undefined;
    if (line !== undefined) left.push(line);
  }
  return left;
}

/** Sessions of the sub-agents that a session has started, and of theirs, the deepest first. */
async function sessionsOfAgents(turns: TurnParts, sessionId: string): Promise<readonly string[]> {
  const { binder } = turns;
  const outer = await binder.state(sessionId);
  const found: string[] = [];
  for (const { child_id } of outer.agents.values()) {
    try {
      if (isOwnChild(outer, await binder.state(child_id))) found.push(...(await sessionsOfAgents(turns, child_id)), child_id);
    } catch (error) {
      // It was removed before.
      if (!(error instanceof SkillmintError && error.code === 'session_not_found')) throw error;
    }
  }
  return found;
}
