import { SkillmintError } from '../../protocol/errors.ts';
import { openRequests, type CallQuestion, type SessionState } from '../../protocol/session-state.ts';
import { answerEvent } from '../turn/answer-request.ts';
import { beginTurn } from '../turn/begin-turn.ts';
import { chooseModel, type ChosenModel } from '../turn/choose-model.ts';
import { resolveCovered } from '../permissions/covered-requests.ts';
import { existingFolder } from '../existing-folder.ts';
import type { LiveSession } from '../turn/live-session.ts';
import { openingOf, resumedEvents } from '../turn/go-on.ts';
import { projectFolder } from '../session/project-folder.ts';
import { closeLostCalls } from '../turn/recover.ts';
import { runLiveTurn } from '../turn/run-live-turn.ts';
import type { AnswerRequest, RunningTurn, TurnResult } from '../runtime.ts';
import type { SessionBinder } from '../session/session-binder.ts';
import type { TurnBudget } from '../turn/turn-budget.ts';
import { sandboxEvents, turnStarted } from '../turn/turn-events.ts';
import { turnModels } from '../turn/turn-models.ts';
import type { TurnParts } from '../turn/turn-parts.ts';
import { adoptedEvents } from './adopt-rights.ts';
import { depthOf } from './agent-depth.ts';
import type { AgentParts, AgentTask, GoingOn, RunBeginning } from './agent-task.ts';
import { discardWorktree, worktreeFor } from './agent-worktree.ts';
import { childEvents, childOptions } from './child-events.ts';
import { endRuns } from './end-runs.ts';
import { childState, isOwnChild } from './own-child.ts';
import type { Worktree } from './git-worktree.ts';
import type { OuterTurn } from './outer-turn.ts';
import { storedResult } from './stored-result.ts';

/** Begins the run of a sub-agent, in a session of its own. */
export async function startChild(turns: TurnParts, outer: OuterTurn, task: AgentTask, { begun, signal }: RunBeginning): Promise<RunningTurn | string> {
  if (!task.isolated) return startChildIn(turns, outer, { task, begun });
  const worktree = await worktreeFor(turns, outer.session.state, { prepared: outer.prepared, taskId: task.taskId, signal });
  if (typeof worktree === 'string') return worktree;
  try {
    return await startChildIn(turns, outer, { task, begun, worktree });
  } catch (error) {
    await discardWorktree(turns, outer.prepared, worktree);
    throw error;
  }
}

async function startChildIn(turns: TurnParts, outer: OuterTurn, { task, begun, worktree }: Pick<RunBeginning, 'begun'> & { readonly task: AgentTask; readonly worktree?: Worktree }): Promise<RunningTurn> {
  const { parts, binder } = turns;
  const { session: parent, prepared, budget } = outer;
  await shareWithWaiting(binder, parent.state, budget);
  const { model, notices } = await childModel(parts, outer, task);
  const session = binder.create();
  budget.share(session.state);
  const mayStart = depthOf(parent.state) + 1 < prepared.settings.values.agents.maxDepth;
  const first = childEvents({ parent: parent.state, task, model: model.name, worktree, tools: prepared.tools, catalogue: mayStart ? await prepared.agents() : undefined, skillsTotal: task.skill ? 0 : prepared.skills?.total ?? 0, notices });
  const options = childOptions(parent.state.turn?.options ?? {}, task, budget);
  await begun(session.state.session_id);
  await session.create({ cwd: worktree?.folder ?? parent.state.cwd, model: model.name, parent_id: parent.state.session_id, task_id: task.taskId });
  const place = placeBeside(turns, outer, task);
  return runLiveTurn({
    session,
    begin: async (signal) => {
      await session.append([...first, turnStarted(parts, { text: task.prompt }, options)]);
      await place.take(signal);
      const bound = await binder.bind(session, { model: model.model, prepared, signal, budget, coming: task.skill, preload: task.profile.skills ?? [], outer: parent.state, agents: nestedParts(session, outer) });
      return { ...bound, opening: () => beginTurn(bound, { text: task.prompt, calls: false, offers: options.skills === undefined && options.tools !== 'none' }) };
    },
    end: async () => {
      place.giveBack();
      await session.release();
    },
  });
}

/** The place of a run beside the turn; a call has waited for its own before. */
function placeBeside({ binder }: TurnParts, { session, prepared }: OuterTurn, { background }: { readonly background?: true | undefined }): { readonly take: (signal: AbortSignal) => Promise<void>; readonly giveBack: () => void } {
  const places = binder.places(session.state.session_id);
  let giveBack: (() => void) | undefined;
  return {
    take: async (signal) => {
      if (background) giveBack = await places.take(prepared.settings.values.agents.parallel, signal);
    },
    giveBack: () => giveBack?.(),
  };
}

/** The model of the session that starts it, or the one that its profile names. */
async function childModel(parts: TurnParts['parts'], { session, prepared }: OuterTurn, { profile }: AgentTask): Promise<{ readonly model: ChosenModel; readonly notices: readonly string[] }> {
  const { model } = session.state;
  const cwd = projectFolder(session.state);
  const own = await chooseModel(parts, cwd, model);
  const wanted = turnModels({ parts, session, settings: prepared.settings, model: own.model }).ofSkill(profile.model);
  switch (wanted.kind) {
    case 'same': return { model: own, notices: [] };
    case 'other': return { model: await chooseModel(parts, cwd, wanted.name), notices: [] };
    case 'unknown': return { model: own, notices: [`The agent ${profile.name} asks for the model ${profile.model ?? ''}, and ${wanted.why}; the session's model is used.`] };
  }
}

/** What a sub-agent starts sub-agents with, where it may. */
function nestedParts(session: LiveSession, { prepared, partsOf }: OuterTurn): AgentParts | undefined {
  return depthOf(session.state) < prepared.settings.values.agents.maxDepth ? partsOf(session) : undefined;
}

/** Goes on with a run under the rights that the session which started it has now. What "always" has stored was stored with that session. */
export async function resumeChild(turns: TurnParts, outer: OuterTurn, childId: string, { answered, background }: GoingOn): Promise<RunningTurn | TurnResult> {
  const { parts, binder } = turns;
  const { session: parent, prepared, budget } = outer;
  await shareWithWaiting(binder, parent.state, budget);
  return binder.take<RunningTurn | TurnResult>(childId, async (session) => {
    const { state } = session;
    if (!isOwnChild(parent.state, state)) throw new SkillmintError('invalid_argument', `It belongs to the session ${state.parent_run?.session_id ?? ''}, which this one was forked from.`);
    const status = state.turn?.status;
    if (status !== 'running' && (status !== 'waiting' || !answered)) {
      await session.release();
      return storedResult(state, { mayWait: true });
    }
    const isOpen = openRequests(state).some(({ question }) => question.request_id === answered?.request_id);
    const answer = answered && isOpen ? [answerEvent(state, { sessionId: childId, ...answerTo(answered) }).event] : [];
    const opening = await openingOf(turns, session, prepared);
    existingFolder(parts.host.tree, state.cwd);
    const chosen = await chooseModel(parts, projectFolder(state), state.model);
    const place = placeBeside(turns, outer, { background });
    return runLiveTurn({
      session,
      begin: async (signal) => {
        await place.take(signal);
        await session.append([...adoptedEvents(parent.state, state), ...sandboxEvents(session, prepared, state.turn?.options ?? {}), ...binder.lostCommands(session), ...resumedEvents(state), ...answer]);
        budget.share(state);
        const bound = await binder.bind(session, { model: chosen.model, prepared, signal, budget, coming: opening.coming, preload: opening.preload, outer: parent.state, agents: nestedParts(session, outer) });
        await closeLostCalls({ ...bound.ports, endRuns: endRuns(turns, session) });
        await resolveCovered(bound.ports);
        const options = state.turn?.options ?? {};
        return { ...bound, ...opening.of(bound, { calls: false, offers: options.skills === undefined && options.tools !== 'none' }) };
      },
      end: async () => {
        place.giveBack();
        await session.release();
      },
    });
  });
}

/** A person's answer to a question of a sub-agent, passed on. */
function answerTo(question: CallQuestion): Pick<AnswerRequest, 'requestId' | 'answer'> {
  if (question.kind === 'question') return { requestId: question.request_id, answer: { kind: 'text', text: question.answer ?? '' } };
  const { decision = 'deny', feedback } = question;
  return { requestId: question.request_id, answer: { kind: 'permission', decision, scope: 'once', ...(feedback === undefined ? {} : { reason: feedback }) } };
}

/** Runs that wait have cost something, too, maybe in another process. */
async function shareWithWaiting(binder: SessionBinder, outer: SessionState, budget: TurnBudget): Promise<void> {
  for (const run of outer.agents.values()) {
    if (run.status !== 'running' || budget.known(run.child_id)) continue;
    const child = await childState(binder, outer, run.child_id);
    // One that has gone on meanwhile keeps its state current by itself.
    if (!budget.known(run.child_id)) budget.share(child);
  }
}
