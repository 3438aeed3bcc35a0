import { turnCompleted } from '../agent/loop.ts';
import { SkillmintError } from '../protocol/errors.ts';
import type { EventBody } from '../protocol/events.ts';
import { emptySessionState, openRequests, type CallQuestion, type CallState, type SessionState } from '../protocol/session-state.ts';
import { NO_USAGE } from '../protocol/usage.ts';
import { answerEvent } from './answer-request.ts';
import { beginTurn } from './begin-turn.ts';
import { coveredEvent, resolveCovered } from './covered-requests.ts';
import { turnBudget, type TurnBudget } from './turn-budget.ts';
import { chooseModel } from './choose-model.ts';
import type { LiveSession } from './live-session.ts';
import { closeInterrupted, closeStartedCalls, closeWaiting } from './recover.ts';
import { resultOf, runLiveTurn } from './run-live-turn.ts';
import type { AnswerRequest, RunningTurn, TurnResult } from './runtime.ts';
import type { Prepared, SessionBinder } from './session-binder.ts';
import { restrictionsFor } from './session-restriction.ts';
import { agentCompleted, type ChildTask, type ForkParts } from './skills/fork-skill.ts';
import { childEvents, childOptions, sandboxEvents, turnStarted } from './turn-events.ts';
import type { TurnParts } from './turn-parts.ts';

/** The turn that starts sub-agents. */
interface Outer {
  readonly session: LiveSession;
  readonly prepared: Prepared;
  readonly budget: TurnBudget;
}

/** What the turn of a session runs forked skills with. */
export function forkParts(turns: TurnParts, session: LiveSession, prepared: Prepared): ForkParts {
  const { parts, binder } = turns;
  const { state } = session;
  const outer: Outer = { session, prepared, budget: turnBudget(state, prepared.settings.values.maxCost) };
  return {
    state,
    append: (events) => session.append(events),
    show: (event) => session.show(event),
    newTaskId: () => parts.newId('task'),
    start: (task) => startChild(turns, outer, task),
    look: (childId) => stateOf(binder, state, childId),
    resume: (childId, answered) => resumeChild(turns, outer, childId, answered),
    cancel: (childId) => cancelChild(turns, state, childId),
    endRuns: endRuns(turns, session),
    end: (childId) => binder.forget(childId),
  };
}

/** Begins the run of a sub-agent, in a session of its own. */
async function startChild({ parts, binder }: TurnParts, { session: parent, prepared, budget }: Outer, task: ChildTask): Promise<RunningTurn> {
  await shareWithWaiting(binder, parent.state, budget);
  const { cwd, model } = parent.state;
  const chosen = await chooseModel(parts, cwd, model);
  const session = binder.create();
  budget.share(session.state);
  const first = childEvents({ parent: parent.state, task, model: chosen.name, tools: prepared.tools });
  const options = childOptions(parent.state.turn?.options ?? {}, task.skill, budget);
  await session.create({ cwd, model: chosen.name, parent_id: parent.state.session_id });
  return runLiveTurn({
    session,
    begin: async (signal) => {
      await session.append([...first, turnStarted(parts, { text: task.prompt }, options)]);
      const bound = await binder.bind(session, { model: chosen.model, prepared, signal, budget, coming: task.skill });
      return { ...bound, opening: () => beginTurn(bound, { text: task.prompt, calls: false, offers: false }) };
    },
    end: () => session.release(),
  });
}

/** Goes on with a run under the rights that the session which started it has now. What "always" has stored was stored with that session. */
async function resumeChild({ parts, binder }: TurnParts, { session: parent, prepared, budget }: Outer, childId: string, answered: CallQuestion): Promise<RunningTurn | TurnResult> {
  await shareWithWaiting(binder, parent.state, budget);
  return binder.take<RunningTurn | TurnResult>(childId, async (session) => {
    const { state } = session;
    if (!isOwn(parent.state, state)) throw new SkillmintError('invalid_argument', `It belongs to the session ${state.parent_run?.session_id ?? ''}, which this one was forked from.`);
    if (state.turn?.status !== 'waiting' && state.turn?.status !== 'running') {
      await session.release();
      return storedResult(state);
    }
    const isOpen = openRequests(state).some(({ question }) => question.request_id === answered.request_id);
    const answer = isOpen ? [answerEvent(state, { sessionId: childId, ...answerTo(answered) }).event] : [];
    const chosen = await chooseModel(parts, state.cwd, state.model);
    return runLiveTurn({
      session,
      begin: async (signal) => {
        await closeStartedCalls(session);
        await session.append([...adoptedEvents(parent.state, state), ...sandboxEvents(session, prepared, state.turn?.options ?? {}), ...answer]);
        budget.share(state);
        const bound = await binder.bind(session, { model: chosen.model, prepared, signal, budget });
        await resolveCovered(bound.ports);
        return bound;
      },
      end: () => session.release(),
    });
  });
}

/** A person's answer to a question of a sub-agent, passed on. */
function answerTo(question: CallQuestion): Pick<AnswerRequest, 'requestId' | 'answer'> {
  if (question.kind === 'question') return { requestId: question.request_id, answer: { kind: 'text', text: question.answer ?? '' } };
  const { decision = 'deny', feedback } = question;
  return { requestId: question.request_id, answer: { kind: 'permission', decision, scope: 'once', ...(feedback === undefined ? {} : { reason: feedback }) } };
}

/** Mode and restrictions of the session that started a run, where they are no longer those that the run has. */
function adoptedEvents(outer: SessionState, child: SessionState): readonly EventBody[] {
  const restrictions = restrictionsFor(outer);
  return [
    ...(outer.permission_mode === child.permission_mode ? [] : [{ type: 'mode.changed', mode: outer.permission_mode } as const]),
    ...(JSON.stringify(restrictions) === JSON.stringify(child.restrictions) ? [] : [{ type: 'restrictions.changed', restrictions } as const]),
  ];
}

/** Runs that wait have cost something, too, maybe in another process. */
async function shareWithWaiting(binder: SessionBinder, outer: SessionState, budget: TurnBudget): Promise<void> {
  for (const run of outer.agents.values()) {
    if (run.status !== 'running' || budget.known(run.child_id)) continue;
    const child = await stateOf(binder, outer, run.child_id);
    // One that has gone on meanwhile keeps its state current by itself.
    if (!budget.known(run.child_id)) budget.share(child);
  }
}

/** Ends what runs or waits for calls of a session that are about to be closed. */
export function endRuns(turns: TurnParts, session: LiveSession): (calls: readonly CallState[]) => Promise<void> {
  return async (calls) => {
    const ids = new Set(calls.map((call) => call.call_id));
    for (const run of session.state.agents.values()) {
      if (run.status === 'running' && run.call_id !== undefined && ids.has(run.call_id)) await session.append([agentCompleted(run.task_id, await cancelChild(turns, session.state, run.child_id))]);
    }
  };
}

async function cancelChild({ binder }: TurnParts, outer: SessionState, childId: string): Promise<TurnResult> {
  const known = await stateOf(binder, outer, childId);
  if (known.last_seq === 0) return storedResult(known);
  try {
    await binder.hold(childId, async (session) => {
      await closeInterrupted(session);
      await closeWaiting(session);
    });
    await binder.forget(childId);
  } catch (error) {
    // Another turn holds it: it is out of reach, and what is known of it is its result.
    if (!(error instanceof SkillmintError)) throw error;
  }
  return storedResult(await stateOf(binder, outer, childId));
}

/** The session of a run as it stands; empty where it was removed, or belongs to the session that this one was forked from. */
async function stateOf(binder: SessionBinder, outer: SessionState, childId: string): Promise<SessionState> {
  try {
    const child = await binder.state(childId);
    return isOwn(outer, child) ? child : emptySessionState(childId);
  } catch (error) {
    if (error instanceof SkillmintError && error.code === 'session_not_found') return emptySessionState(childId);
    throw error;
  }
}

function isOwn(outer: SessionState, child: SessionState): boolean {
  return child.parent_run?.session_id === outer.session_id;
}

function storedResult(state: SessionState): TurnResult {
  const { turn } = state;
  if (!turn) return { session_id: state.session_id, turn_id: '', status: 'cancelled', text: '', usage: NO_USAGE, open: [] };
  const status = turn.status === 'running' || turn.status === 'waiting' ? 'cancelled' : turn.status;
  return resultOf(state, turnCompleted(state, { status, ...(turn.error ? { error: turn.error } : {}) }), false);
}

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
      if (!isOwn(outer, state)) return false;
      await child.append(adoptedEvents(outer, state));
      const chosen = await chooseModel(parts, state.cwd, state.model);
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
