import { compactHistory, contextTokens } from '../agent/compaction.ts';
import type { AgentPorts } from '../agent/ports.ts';
import type { PermissionMode } from '../protocol/permission.ts';
import { openRequests } from '../protocol/session-state.ts';
import { SkillmintError } from '../protocol/errors.ts';
import type { EventBody, TurnOptions } from '../protocol/events.ts';
import { answerEvent } from './answer-request.ts';
import { existingFolder } from './existing-folder.ts';
import { chooseModel } from './choose-model.ts';
import type { LiveSession } from './live-session.ts';
import { findPlaces, openParts, type RuntimeOptions, type RuntimeParts } from './parts.ts';
import { closeInterrupted, closeStartedCalls, closeWaiting } from './recover.ts';
import { outputFolder, removeOutputs } from './outputs.ts';
import { runLiveTurn } from './run-live-turn.ts';
import type { AnswerRequest, PromptRequest, RunningTurn, Runtime } from './runtime.ts';
import { sandboxGuard, type SandboxGuard } from './sandbox-guard.ts';
import { SessionBinder, type Prepared } from './session-binder.ts';
import type { SkillView } from '../skills/skill-view.ts';
import { findSkills } from './find-skills.ts';
import { offerEvent } from './skill-library.ts';
import { firstEvents, turnOptions } from './turn-events.ts';

/**
 * Opens a runtime: settings, store, models, skills and tools behind one interface.
 * Rejects with store_unavailable, store_corrupt or store_full.
 */
export async function createRuntime(options: RuntimeOptions = {}): Promise<Runtime> {
  const places = findPlaces(options);
  const guard = sandboxGuard({ ...places, platform: places.host.platform });
  const probe = options.probeEarly ? guard.report() : undefined;
  try {
    return assemble(await openParts(options, places), guard);
  } catch (error) {
    await probe;
    throw error;
  }
}

function assemble(parts: RuntimeParts, guard: SandboxGuard): Runtime {
  const binder = new SessionBinder(parts, guard);
  const running = new Set<RunningTurn>();
  const track = (turn: RunningTurn): RunningTurn => {
    running.add(turn);
    const forget = (): void => void running.delete(turn);
    turn.result.then(forget, forget);
    return turn;
  };
  const { store } = parts;
  return {
    prompt: async (request) => track(request.sessionId === undefined ? await promptNew(parts, binder, request) : await promptExisting(parts, binder, { ...request, sessionId: request.sessionId })),
    answer: async (request) => track(await answer(parts, binder, request)),
    compact: (sessionId) => binder.hold(sessionId, (session) => compactNow(binder, session)),
    configure: (sessionId, change) => binder.hold(sessionId, async (session) => {
      const events = await changeEvents(parts, session, change);
      if (events.length > 0) await session.append(events);
    }),
    sessions: {
      list: (query) => store.list(query),
      async get(sessionId) {
        const summary = await store.get(sessionId);
        if (!summary) throw new SkillmintError('session_not_found', `There is no session ${sessionId}. See: skillmint sessions list`);
        return summary;
      },
      state: (sessionId) => binder.state(sessionId),
      events: (sessionId, after) => store.read(sessionId, after),
      fork: (sessionId, atSeq) => forkSession(parts, sessionId, atSeq),
      async remove(sessionId) {
        await store.remove(sessionId);
        await removeOutputs(parts.host.files, outputFolder(parts.workFolder, sessionId));
      },
    },
    skills: async (cwd) => findSkills(cwd, { ...parts, tree: parts.host.tree, files: parts.host.files, settings: await parts.settings(cwd) }),
    sandbox: async () => guard.report(),
    async close() {
      for (const turn of running) turn.cancel();
      await Promise.allSettled([...running].map((turn) => turn.result));
      await binder.close();
      await parts.close();
    },
  };
}

async function promptNew(parts: RuntimeParts, binder: SessionBinder, request: PromptRequest): Promise<RunningTurn> {
  const cwd = existingFolder(parts.host.tree, request.cwd ?? process.cwd());
  const chosen = await chooseModel(parts, cwd, request.model);
  const { options, ...prepared } = await binder.prepare({ cwd, options: turnOptions(request), needsSkills: request.skill !== undefined });
  const session = binder.create();
  const first = await firstEvents({ parts, request: { ...request, cwd }, chosen, prepared, options });
  await session.create({ cwd, model: chosen.name });
  return runLiveTurn({
    session,
    begin: async () => {
      await session.append([...first, turnStarted(parts, request, options), ...(await offered(session, prepared.skills, request))]);
      return binder.bind(session, { model: chosen.model, prepared });
    },
    end: () => session.release(),
  });
}

async function promptExisting(parts: RuntimeParts, binder: SessionBinder, request: PromptRequest & { readonly sessionId: string }): Promise<RunningTurn> {
  return binder.take(request.sessionId, async (session) => {
    const { state } = session;
    existingFolder(parts.host.tree, state.cwd);
    const changes = await changeEvents(parts, session, request);
    const chosen = await chooseModel(parts, state.cwd, request.model ?? state.model);
    const { options, ...prepared } = await binder.prepare({ cwd: state.cwd, options: turnOptions(request), needsSkills: false });
    return runLiveTurn({
      session,
      begin: async () => {
        await closeInterrupted(session);
        await closeWaiting(session);
        await session.append([...changes, ...sandboxEvents(session, prepared, options), ...binder.changedSkills(session), turnStarted(parts, request, options), ...(await offered(session, prepared.skills, request))]);
        return binder.bind(session, { model: chosen.model, prepared });
      },
      end: () => session.release(),
    });
  });
}

async function answer(parts: RuntimeParts, binder: SessionBinder, request: AnswerRequest): Promise<RunningTurn> {
  return binder.take(request.sessionId, async (session) => {
    const { state } = session;
    const { event, rules } = answerEvent(state, request);
    const chosen = await chooseModel(parts, state.cwd, state.model);
    const { options, ...prepared } = await binder.prepare({ cwd: state.cwd, options: state.turn?.options ?? {}, needsSkills: false });
    return runLiveTurn({
      session,
      begin: async () => {
        await closeStartedCalls(session);
        if (rules.length > 0) await parts.store.addRules(state.cwd, rules);
        await session.append([...sandboxEvents(session, prepared, options), event]);
        const ports = await binder.bind(session, { model: chosen.model, prepared });
        if (rules.length > 0) await resolveCovered(ports);
        return ports;
      },
      end: () => session.release(),
    });
  });
}

/** Requests that a rule could cover, and that the rules do allow now that an answer has added one, need no answer of their own. */
async function resolveCovered(ports: AgentPorts): Promise<void> {
  for (const { call, question } of openRequests(ports.state)) {
    const tool = question.kind === 'permission' && question.rules.length > 0 ? ports.findTool(call.tool) : undefined;
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

function turnStarted(parts: RuntimeParts, request: PromptRequest, options: TurnOptions): EventBody {
  return {
    type: 'turn.started',
    turn_id: parts.newId('turn'),
    input: [{ type: 'text', text: request.text }, ...(request.attachments ?? [])],
    ...(Object.keys(options).length > 0 ? { options } : {}),
  };
}

async function offered(session: LiveSession, skills: SkillView | undefined, request: PromptRequest): Promise<readonly EventBody[]> {
  const event = skills && request.skills !== 'none' && request.tools !== 'none' && !session.state.bound ? await offerEvent(skills, request.text, session.state) : undefined;
  return event ? [event] : [];
}

async function changeEvents(parts: RuntimeParts, { state }: LiveSession, change: { readonly model?: string; readonly mode?: PermissionMode }): Promise<readonly EventBody[]> {
  const events: EventBody[] = [];
  if (change.model !== undefined && change.model !== state.model) {
    await chooseModel(parts, state.cwd, change.model);
    events.push({ type: 'model.changed', model: change.model });
  }
  if (change.mode !== undefined && change.mode !== state.permission_mode) events.push({ type: 'mode.changed', mode: change.mode });
  return events;
}

async function compactNow(binder: SessionBinder, session: LiveSession): Promise<{ before: number; after: number }> {
  const ports = await binder.bindIdle(session);
  const before = contextTokens(ports);
  await compactHistory(ports, session.lost, { force: true, trigger: 'manual' });
  return { before, after: contextTokens(ports) };
}

async function forkSession(parts: RuntimeParts, sessionId: string, atSeq: number | undefined): Promise<string> {
  const id = parts.newId('ses');
  const { lease, at_seq } = await parts.store.fork(sessionId, { session_id: id, ...(atSeq === undefined ? {} : { atSeq }) }, parts.owner);
  try {
    await parts.store.append(lease, [{ body: { type: 'session.forked', parent_id: sessionId, at_seq }, time: new Date(parts.now()).toISOString() }], { durable: true });
  } finally {
    await parts.store.release(lease);
  }
  return id;
}
