import type { NewEvent } from '../sessions/store.ts';
import type { CleanedWorks } from './evaluate/cleaned-works.ts';
import { compactHistory, contextTokens } from '../agent/compaction.ts';
import { SkillmintError } from '../protocol/errors.ts';
import type { LiveSession } from './turn/live-session.ts';
import type { SkillAgent } from './skill-agent/skill-agent.ts';
import type { Sidecar } from './sidecar/sidecar.ts';
import { followSession } from './follow/follow-session.ts';
import { findPlaces, openParts, type RuntimeOptions, type RuntimeParts } from './parts.ts';
import { projectFolder } from './session/project-folder.ts';
import { answeredTurn } from './embed/answered-turn.ts';
import type { AnswerRequest, RunningTurn, Runtime } from './runtime.ts';
import { sandboxGuard, type SandboxGuard } from './permissions/sandbox-guard.ts';
import { SessionBinder } from './session/session-binder.ts';
import { findSkills } from './skills/find-skills.ts';
import { unloadEvent } from './skills/unload-skill.ts';
import { configureSession } from './turn/configure-session.ts';
import type { TurnParts } from './turn/turn-parts.ts';
import { cancelElsewhere, passMessage, requestTaker } from './turn/turn-elsewhere.ts';
import { answer, createSession, promptExisting, promptNew, resume } from './turn/turns.ts';

/** Sessions of a list whose length nobody has said. */
const USUAL_PAGE = 50;

/**
 * Opens a runtime: settings, store, models, skills and tools behind one interface.
 * Rejects with store_unavailable, store_corrupt or store_full.
 */
export async function createRuntime(options: RuntimeOptions = {}): Promise<Runtime> {
  const places = findPlaces(options);
  const guard = sandboxGuard({ ...places, platform: places.host.platform, trial: options.trial });
  const parts = await openParts(options, places);
  const runtime = assemble(parts, guard);
  return parts.replica ? (await import('./replica/replicated-runtime.ts')).replicatedRuntime(runtime, parts.replica) : runtime;
}

/** Turns that run in this process. */
interface RunningTurns {
  readonly running: ReadonlySet<RunningTurn>;
  /** Keeps a turn until it has ended. */
  readonly track: (turn: RunningTurn) => RunningTurn;
  /** The same turn; the embedding program answers what it waits for, where it does so. */
  readonly handled: (turn: RunningTurn) => RunningTurn;
  readonly answerNow: (request: AnswerRequest) => Promise<RunningTurn>;
}

function runningTurns(turns: TurnParts): RunningTurns {
  const { answers: handler, bus } = turns.parts;
  const running = new Set<RunningTurn>();
  const track = (turn: RunningTurn): RunningTurn => {
    running.add(turn);
    const forget = (): void => void running.delete(turn);
    turn.result.then(forget, forget);
    return turn;
  };
  bus.onSend((sessionId) => requestTaker([...running].filter((turn) => turn.sessionId === sessionId)));
  const answerNow = async (request: AnswerRequest): Promise<RunningTurn> => track(await answer(turns, request));
  const handled = (turn: RunningTurn): RunningTurn => (handler ? track(answeredTurn(turn, { handler, answer: answerNow })) : turn);
  return { running, track, handled, answerNow };
}

function assemble(parts: RuntimeParts, guard: SandboxGuard): Runtime {
  const binder = new SessionBinder(parts, guard);
  const turns = { parts, binder };
  const { running, track, handled, answerNow } = runningTurns(turns);
  const { store } = parts;
  const clean = async (cwd: string, keep?: number): Promise<CleanedWorks> => (await import('./evaluate/clean-works.ts')).cleanWorks(turns, { cwd, ...(keep === undefined ? {} : { keep }) });
  let sidecar: Promise<Sidecar> | undefined;
  let agent: Promise<SkillAgent> | undefined;
  const skillAgent = (): Promise<SkillAgent> => (agent ??= import('./skill-agent/open-skill-agent.ts').then(({ openSkillAgent }) => openSkillAgent({ ...turns, track })));
  return {
    prompt: async (request) => handled(track(request.sessionId === undefined ? await promptNew(turns, request) : await promptExisting(turns, { ...request, sessionId: request.sessionId }))),
    answer: async (request) => handled(await answerNow(request)),
    resume: async (request) => handled(track(await resume(turns, request))),
    work: async (options) => (await import('./turn/work.ts')).work({ turns, track: (turn) => handled(track(turn)), suspend: () => binder.suspend() }, options),
    workOn: async (sessionId, options) => (await import('./turn/work.ts')).workOn({ turns, track: (turn) => handled(track(turn)), suspend: () => binder.suspend() }, sessionId, options),
    cancelElsewhere: async (sessionId) => (await store.get(sessionId))?.status === 'running' && cancelElsewhere(parts.bus, sessionId),
    passMessage: (message) => passMessage(parts.bus, message),
    compact: (sessionId) => binder.hold(sessionId, (session) => compactNow(binder, session)),
    configure: (sessionId, change) => configureSession(parts, binder, sessionId, change),
    unloadSkill: (sessionId, skill) => binder.hold(sessionId, async (session) => {
      await session.append([unloadEvent(session.state, skill)]);
    }),
    rewind: async (sessionId) => (await import('./rewind/rewind-service.ts')).rewindService(turns, sessionId, (atSeq, note) => forkSession(parts, sessionId, atSeq, note)),
    async why(sessionId, skill) {
      const state = await binder.state(sessionId);
      const [cwd, addDirs] = [projectFolder(state), state.add_dirs];
      const { skills } = await binder.prepare({ cwd, addDirs, options: { tools: 'none' }, needsSkills: true });
      if (!skills) throw new Error('skills were asked for');
      const { whySkill } = await import('./skills/why-skill.ts');
      return whySkill({ store, skills }, sessionId, skill);
    },
    sessions: {
      list: ({ limit = USUAL_PAGE, ...query } = {}) => store.list({ ...query, limit }),
      async get(sessionId) {
        const summary = await store.get(sessionId);
        if (!summary) throw new SkillmintError('session_not_found', `There is no session ${sessionId}. See: skillmint sessions list`);
        return summary;
      },
      state: (sessionId) => binder.state(sessionId),
      events: (sessionId, after) => store.read(sessionId, after),
      follow: (sessionId, options) => followSession(parts, sessionId, options),
      create: (request) => createSession(turns, request),
      fork: (sessionId, atSeq) => forkSession(parts, sessionId, atSeq),
      remove: async (sessionId) => (await import('./agents/remove-session.ts')).removeSession(turns, sessionId),
    },
    agents: {
      running: (sessionId) => binder.background(sessionId).all().map(({ taskId, childId, agentType, ended }) => ({ task_id: taskId, agent_type: agentType, session_id: childId, ended })),
      waiting: async (sessionId) => (await import('./agents/waiting-agents.ts')).waitingAgents(turns, await binder.state(sessionId)),
      stop: (sessionId) => binder.background(sessionId).stopAll(),
    },
    skillAgent: {
      search: async (request) => (await skillAgent()).search(request),
      create: async (request) => (await skillAgent()).create(request),
      decide: async (request) => (await skillAgent()).decide(request),
      edit: async (request) => (await skillAgent()).edit(request),
    },
    enhanceSkill: async (options) => (await import('./enhance/enhance-skill.ts')).enhanceSkill({ parts, guard, tidy: clean, agent: await skillAgent() }, options),
    enhancements: {
      list: async () => (await import('./enhance/enhancement-folder.ts')).knownEnhancements(parts.dataFolder),
      get: async (id) => (await import('./enhance/enhancement-folder.ts')).readEnhancement(parts.dataFolder, id),
      apply: async (id, options) => (await import('./enhance/apply-enhancement.ts')).applyEnhancement(parts, id, options),
    },
    skills: async (cwd, addDirs = []) => findSkills(cwd, { ...parts, addDirs, tree: parts.host.tree, settings: await parts.settings(cwd) }, parts.skillViews.listing),
    settings: async (cwd) => (await import('./settings/settings-service.ts')).settingsService(parts, cwd),
    mcp: async (cwd) => (await import('./mcp/mcp-service.ts')).mcpService(parts, cwd),
    memory: async (cwd, skill) => (await import('./memory/memory-of.ts')).memoryOf(parts, cwd, skill),
    library: async (cwd) => (await import('./library/skill-service.ts')).skillService(parts, cwd),
    evaluateSkill: async (options) => (await import('./evaluate/evaluate-skill.ts')).evaluateSkill({ parts, guard, tidy: clean }, options),
    evaluations: {
      clean: ({ keep, cwd = process.cwd() }) => clean(cwd, keep),
      list: async () => (await import('./evaluate/known-evaluations.ts')).knownEvaluations(parts.dataFolder),
      get: async (id) => (await import('./evaluate/known-evaluations.ts')).knownEvaluation(parts.dataFolder, id),
    },
    readGrades: async (folder, options) => (await import('./evaluate/read-workspace.ts')).readWorkspace(folder, options),
    draftEvals: async (options) => (await import('./evaluate/draft-evals.ts')).draftEvals(parts, options),
    refreshSkills: async (cwd) => (await parts.skillViews.refresh(cwd, await parts.settings(cwd))).total,
    skillTools: async (options = {}) => (await import('./skill-tools/open-skill-tools.ts')).openSkillTools(parts, options),
    sidecar: (cwd) => (sidecar ??= import('./sidecar/sidecar.ts').then(({ openSidecar }) => openSidecar(parts, cwd))),
    usage: (query) => store.usage(query),
    syncFiles: async () => (await parts.replica?.sync()) ?? [],
    sandbox: async () => guard.report(),
    async close() {
      if (parts.owner.service) binder.suspend();
      else for (const turn of running) turn.cancel();
      await Promise.allSettled([...running].map((turn) => turn.result));
      await (await sidecar)?.close();
      await binder.close();
      await parts.close();
    },
  };
}

async function compactNow(binder: SessionBinder, session: LiveSession): Promise<{ before: number; after: number }> {
  const { ports } = await binder.bindIdle(session);
  const before = contextTokens(ports);
  await compactHistory(ports, session.lost, { force: true, trigger: 'manual' });
  return { before, after: contextTokens(ports) };
}

/** A copy of a session up to an event; what is said of it stands at its end. */
async function forkSession(parts: RuntimeParts, sessionId: string, atSeq: number | undefined, note?: string): Promise<string> {
  const id = parts.newId('ses');
  const { lease, at_seq } = await parts.store.fork(sessionId, { session_id: id, ...(atSeq === undefined ? {} : { atSeq }) }, parts.owner);
  try {
    const time = new Date(parts.now()).toISOString();
    const told: readonly NewEvent[] = note === undefined ? [] : [{ body: { type: 'warning', code: 'rewound', message: note }, time }];
    await parts.store.append(lease, [{ body: { type: 'session.forked', parent_id: sessionId, at_seq }, time }, ...told], { durable: true });
  } finally {
    await parts.store.release(lease);
  }
  return id;
}
