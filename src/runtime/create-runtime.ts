import { compactHistory, contextTokens } from '../agent/compaction.ts';
import { SkillmintError } from '../protocol/errors.ts';
import type { LiveSession } from './live-session.ts';
import { findPlaces, openParts, type RuntimeOptions, type RuntimeParts } from './parts.ts';
import { outputFolder, removeOutputs } from './outputs.ts';
import type { RunningTurn, Runtime } from './runtime.ts';
import { sandboxGuard, type SandboxGuard } from './sandbox-guard.ts';
import { SessionBinder } from './session-binder.ts';
import { findSkills } from './find-skills.ts';
import { unloadEvent } from './skills/unload-skill.ts';
import { answer, changeEvents, promptExisting, promptNew } from './turns.ts';

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
  const turns = { parts, binder };
  const running = new Set<RunningTurn>();
  const track = (turn: RunningTurn): RunningTurn => {
    running.add(turn);
    const forget = (): void => void running.delete(turn);
    turn.result.then(forget, forget);
    return turn;
  };
  const { store } = parts;
  return {
    prompt: async (request) => track(request.sessionId === undefined ? await promptNew(turns, request) : await promptExisting(turns, { ...request, sessionId: request.sessionId })),
    answer: async (request) => track(await answer(turns, request)),
    compact: (sessionId) => binder.hold(sessionId, (session) => compactNow(binder, session)),
    configure: (sessionId, change) => binder.hold(sessionId, async (session) => {
      const events = await changeEvents(parts, session, change);
      if (events.length > 0) await session.append(events);
    }),
    unloadSkill: (sessionId, skill) => binder.hold(sessionId, async (session) => {
      await session.append([unloadEvent(session.state, skill)]);
    }),
    async why(sessionId, skill) {
      const { cwd } = await binder.state(sessionId);
      const { skills } = await binder.prepare({ cwd, options: { tools: 'none' }, needsSkills: true });
      if (!skills) throw new Error('skills were asked for');
      const { whySkill } = await import('./skills/why-skill.ts');
      return whySkill({ store, skills }, sessionId, skill);
    },
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
    skills: async (cwd) => findSkills(cwd, { ...parts, tree: parts.host.tree, settings: await parts.settings(cwd) }, parts.skillViews.listing),
    refreshSkills: async (cwd) => (await parts.skillViews.refresh(cwd, await parts.settings(cwd))).total,
    sandbox: async () => guard.report(),
    async close() {
      for (const turn of running) turn.cancel();
      await Promise.allSettled([...running].map((turn) => turn.result));
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
