import { SkillmintError } from '../../protocol/errors.ts';
import { openRequests, type CallQuestion, type SessionState } from '../../protocol/session-state.ts';
import { chooseModel } from '../turn/choose-model.ts';
import { coveredEvent, resolveCovered } from '../permissions/covered-requests.ts';
import type { LiveSession } from '../turn/live-session.ts';
import { projectFolder } from '../session/project-folder.ts';
import type { Prepared } from '../session/session-binder.ts';
import type { TurnParts } from '../turn/turn-parts.ts';
import { adoptedEvents } from './adopt-rights.ts';
import { isOwnChild } from './own-child.ts';

/** Answers the questions of sub-agents that a rule which was just stored covers. */
export async function coverRuns(turns: TurnParts, session: LiveSession, prepared: Prepared): Promise<void> {
  for (const { call, question } of openRequests(session.state)) {
    const run = [...session.state.agents.values()].findLast((each) => each.call_id === call.call_id && each.status === 'running');
    if (!run || question.kind !== 'permission') continue;
    if (await isCovered(turns, { outer: session.state, prepared, childId: run.child_id }, question)) await session.append([coveredEvent(question)]);
  }
}

/** Lets a run decide on its own questions again; true when this one needs no answer any more. */
async function isCovered({ parts, binder }: TurnParts, { outer, prepared, childId }: { readonly outer: SessionState; readonly prepared: Prepared; readonly childId: string }, { request_id }: CallQuestion): Promise<boolean> {
  try {
    return await binder.hold(childId, async (child) => {
      const { state } = child;
      if (!isOwnChild(outer, state)) return false;
      await child.append(adoptedEvents(outer, state));
      const chosen = await chooseModel(parts, projectFolder(state), state.model);
      const { ports } = await binder.bind(child, { model: chosen.model, prepared, signal: child.lost });
      await resolveCovered(ports);
      return !openRequests(state).some(({ question }) => question.request_id === request_id);
    });
  } catch (error) {
    // Removed, or held by another process: the question stays, and its answer tells.
    if (error instanceof SkillmintError) return false;
    throw error;
  }
}
