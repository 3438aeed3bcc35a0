import type { AgentPorts } from '../agent/ports.ts';
import type { EventBody, TurnOptions } from '../protocol/events.ts';
import type { PermissionMode } from '../protocol/permission.ts';
import { openRequests, type CallQuestion } from '../protocol/session-state.ts';
import { answerEvent } from './answer-request.ts';
import { beginTurn, type BoundSession } from './begin-turn.ts';
import { chooseModel, type ChosenModel } from './choose-model.ts';
import { existingFolder } from './existing-folder.ts';
import type { LiveSession } from './live-session.ts';
import type { RuntimeParts } from './parts.ts';
import { closeInterrupted, closeStartedCalls, closeWaiting } from './recover.ts';
import { runLiveTurn } from './run-live-turn.ts';
import type { AnswerRequest, PromptRequest, RunningTurn } from './runtime.ts';
import type { Prepared, SessionBinder } from './session-binder.ts';
import { bindableSkill } from './skills/bindable-skill.ts';
import type { ChildTask } from './skills/fork-skill.ts';
import { childEvents, firstEvents, turnOptions } from './turn-events.ts';

/** What starts turns. */
export interface TurnParts {
  readonly parts: RuntimeParts;
  readonly binder: SessionBinder;
}

/** Begins a turn of a new session. */
export async function promptNew(turns: TurnParts, request: PromptRequest): Promise<RunningTurn> {
  const { parts, binder } = turns;
  const cwd = existingFolder(parts.host.tree, request.cwd ?? process.cwd());
  const chosen = await chooseModel(parts, cwd, request.model);
  const { options, ...prepared } = await binder.prepare({ cwd, options: turnOptions(request), needsSkills: request.skill !== undefined });
  const skill = request.skill === undefined || !prepared.skills ? undefined : await bindableSkill(prepared.skills, parts.host, cwd, request.skill);
  const session = binder.create();
  const first = await firstEvents({ parts, request: { ...request, cwd }, chosen, prepared, options, skill });
  await session.create({ cwd, model: chosen.name });
  return runLiveTurn({
    session,
    begin: async (signal) => {
      await session.append([...first, turnStarted(parts, request, options)]);
      const bound = await bind(turns, session, { chosen, prepared, signal });
      await beginTurn(bound, { text: request.text, skill, ...usesOf(request) });
      return bound.ports;
    },
    end: () => session.release(),
  });
}

/** Begins a turn of a session that exists. */
export async function promptExisting(turns: TurnParts, request: PromptRequest & { readonly sessionId: string }): Promise<RunningTurn> {
  const { parts, binder } = turns;
  return binder.take(request.sessionId, async (session) => {
    const { state } = session;
    existingFolder(parts.host.tree, state.cwd);
    const changes = await changeEvents(parts, session, request);
    const chosen = await chooseModel(parts, state.cwd, request.model ?? state.model);
    const { options, ...prepared } = await binder.prepare({ cwd: state.cwd, options: turnOptions(request), needsSkills: false });
    return runLiveTurn({
      session,
      begin: async (signal) => {
        await closeInterrupted(session);
        await closeWaiting(session);
        await session.append([...changes, ...sandboxEvents(session, prepared, options), ...binder.changedSkills(session), turnStarted(parts, request, options)]);
        const bound = await bind(turns, session, { chosen, prepared, signal });
        await beginTurn(bound, { text: request.text, skill: undefined, ...usesOf(request) });
        return bound.ports;
      },
      end: () => session.release(),
    });
  });
}

/** Goes on with a turn that waits, by a person's answer. */
export async function answer(turns: TurnParts, request: AnswerRequest): Promise<RunningTurn> {
  const { parts, binder } = turns;
  return binder.take(request.sessionId, async (session) => {
    const { state } = session;
    const { event, rules } = answerEvent(state, request);
    const chosen = await chooseModel(parts, state.cwd, state.model);
    const { options, ...prepared } = await binder.prepare({ cwd: state.cwd, options: state.turn?.options ?? {}, needsSkills: false });
    return runLiveTurn({
      session,
      begin: async (signal) => {
        await closeStartedCalls(session);
        if (rules.length > 0) await parts.store.addRules(state.cwd, rules);
        await session.append([...sandboxEvents(session, prepared, options), event]);
        const { ports } = await bind(turns, session, { chosen, prepared, signal });
        if (rules.length > 0) await resolveCovered(ports);
        return ports;
      },
      end: () => session.release(),
    });
  });
}

/** Begins the run of a sub-agent, in a session of its own. */
async function startChild(turns: TurnParts, parent: LiveSession, prepared: Prepared, task: ChildTask): Promise<RunningTurn> {
  const { parts, binder } = turns;
  const { cwd, turn } = parent.state;
  const chosen = await chooseModel(parts, cwd, parent.state.model);
  const session = binder.create();
  const { max_steps: _own, output_schema: _form, ...inherited } = turn?.options ?? {};
  const left = inherited.max_cost_usd === undefined ? {} : { max_cost_usd: Math.max(0, inherited.max_cost_usd - (turn?.cost_usd ?? 0)) };
  const options: TurnOptions = { ...inherited, ...left };
  const first = childEvents({ parent: parent.state, task, model: chosen.name, tools: prepared.tools });
  await session.create({ cwd, model: chosen.name, parent_id: parent.state.session_id });
  return runLiveTurn({
    session,
    begin: async (signal) => {
      await session.append([...first, turnStarted(parts, { text: task.prompt }, options)]);
      const bound = await bind(turns, session, { chosen, prepared, signal });
      await beginTurn(bound, { text: task.prompt, skill: task.skill, calls: false, offers: false });
      return bound.ports;
    },
    end: () => session.release(),
  });
}

async function bind(turns: TurnParts, session: LiveSession, { chosen, prepared, signal }: { readonly chosen: ChosenModel; readonly prepared: Prepared; readonly signal: AbortSignal }): Promise<BoundSession> {
  const { parts, binder } = turns;
  return binder.bind(session, {
    model: chosen.model,
    prepared,
    signal,
    fork: {
      state: session.state,
      append: (events) => session.append(events),
      show: (event) => session.show(event),
      newTaskId: () => parts.newId('task'),
      start: (task) => startChild(turns, session, prepared, task),
      resume: (childId, answered) => answer(turns, { sessionId: childId, ...answerTo(answered) }),
      end: (childId) => binder.forget(childId),
    },
  });
}

/** A person's answer to a question of a sub-agent, passed on. What "always" stored was stored with the session that asked. */
function answerTo(question: CallQuestion): Pick<AnswerRequest, 'requestId' | 'answer'> {
  if (question.kind === 'question') return { requestId: question.request_id, answer: { kind: 'text', text: question.answer ?? '' } };
  const { decision = 'deny', feedback } = question;
  return { requestId: question.request_id, answer: { kind: 'permission', decision, scope: 'once', ...(feedback === undefined ? {} : { reason: feedback }) } };
}

function usesOf(request: PromptRequest): { readonly calls: boolean; readonly offers: boolean } {
  const calls = request.skills !== 'none';
  return { calls, offers: calls && request.tools !== 'none' };
}

/** Requests that a rule could cover, and that the rules do allow now that an answer has added one, need no answer of their own. */
async function resolveCovered(ports: AgentPorts): Promise<void> {
  for (const { call, question } of openRequests(ports.state)) {
    // A question that came out of a running call is answered there.
    const tool = question.kind === 'permission' && question.rules.length > 0 && call.phase === 'requested' ? ports.findTool(call.tool, call.input) : undefined;
    const prepared = tool?.prepare(call.input);
    if (!tool || !prepared || 'problem' in prepared) continue;
    const { verdict } = await tool.permit({ call_id: call.call_id, input: prepared.input, repeats: 0 });
    if (verdict === 'allow') await ports.append([{ type: 'permission.resolved', request_id: question.request_id, decision: 'allow', scope: 'once', reason: 'a stored rule covers it' }]);
  }
}

/** A turn may run its commands otherwise than the one before; the log and the person are told. */
function sandboxEvents({ state }: LiveSession, { sandbox }: Pick<Prepared, 'sandbox'>, options: TurnOptions): readonly EventBody[] {
  if (options.tools === 'none' || sandbox.state === state.sandbox) return [];
  return [{ type: 'sandbox.changed', sandbox: sandbox.state }, ...(sandbox.notice === undefined ? [] : [{ type: 'warning', code: 'not_isolated', message: sandbox.notice } as const])];
}

function turnStarted(parts: RuntimeParts, request: Pick<PromptRequest, 'text' | 'attachments'>, options: TurnOptions): EventBody {
  return {
    type: 'turn.started',
    turn_id: parts.newId('turn'),
    input: [{ type: 'text', text: request.text }, ...(request.attachments ?? [])],
    ...(Object.keys(options).length > 0 ? { options } : {}),
  };
}

/** The events that give a session another model or mode. */
export async function changeEvents(parts: RuntimeParts, { state }: LiveSession, change: { readonly model?: string; readonly mode?: PermissionMode }): Promise<readonly EventBody[]> {
  const events: EventBody[] = [];
  if (change.model !== undefined && change.model !== state.model) {
    await chooseModel(parts, state.cwd, change.model);
    events.push({ type: 'model.changed', model: change.model });
  }
  if (change.mode !== undefined && change.mode !== state.permission_mode) events.push({ type: 'mode.changed', mode: change.mode });
  return events;
}
