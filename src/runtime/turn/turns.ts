import type { EventBody, TurnOptions } from '../../protocol/events.ts';
import { runsBeside, type SessionState } from '../../protocol/session-state.ts';
import type { PermissionMode } from '../../protocol/permission.ts';
import { answerEvent, requestOf, whenFree } from './answer-request.ts';
import { beginTurn, type BoundSession } from './begin-turn.ts';
import { chooseModel, type ChosenModel } from './choose-model.ts';
import { existingFolder } from '../existing-folder.ts';
import type { LiveSession } from './live-session.ts';
import { agentParts, runsEnder } from '../agents/agent-parts.ts';
import { resolveCovered } from '../permissions/covered-requests.ts';
import type { RuntimeParts } from '../parts.ts';
import { PLAN_MODE_OVER, planNote } from './plan-note.ts';
import { projectFolder } from '../session/project-folder.ts';
import { lacksBoundSkill, openingOf, requireInterrupted, resumedEvents } from './go-on.ts';
import { closeInterrupted, closeLostCalls, closeWaiting } from './recover.ts';
import { refuseRepeated } from './repeated-message.ts';
import { runLiveTurn, type LiveTurnParts } from './run-live-turn.ts';
import type { AnswerRequest, PromptRequest, ResumeRequest, RunningTurn, TurnResult } from '../runtime.ts';
import type { Prepared } from '../session/session-binder.ts';
import type { SkillEntry } from '../../skills/discover/skill-entry.ts';
import { bindableSkill, boundSkillOf } from '../skills/bindable-skill.ts';
import { firstEvents, sandboxEvents, turnOptions, turnStarted } from './turn-events.ts';
import type { StandingAgent } from './standing-agent.ts';
import { standingLists } from '../session/session-restriction.ts';
import { toolsOf } from '../session/tools-of.ts';
import type { TurnParts } from './turn-parts.ts';

/** Makes a session without a turn; resolves to its id. */
export async function createSession({ parts, binder }: TurnParts, request: Omit<PromptRequest, 'text'>): Promise<string> {
  const cwd = existingFolder(parts.host.tree, request.cwd ?? process.cwd());
  const chosen = await chooseModel(parts, cwd, request.model);
  const { options, ...prepared } = await binder.prepare({ cwd, addDirs: request.addDirs, options: {}, needsSkills: request.skill !== undefined });
  const skill = request.skill === undefined || !prepared.skills ? undefined : await bindableSkill(prepared.skills, parts.host, cwd, request.skill);
  const session = binder.create();
  const first = await firstEvents({ parts, request: { ...request, cwd }, chosen, prepared, options, skill });
  await session.create({ cwd, model: chosen.name });
  await session.append(first);
  await session.release();
  return session.state.session_id;
}

/** Begins a turn of a new session. */
export async function promptNew(turns: TurnParts, request: PromptRequest, standing?: StandingAgent): Promise<RunningTurn> {
  const { parts, binder } = turns;
  const cwd = existingFolder(parts.host.tree, request.cwd ?? process.cwd());
  const chosen = await chooseModel(parts, cwd, request.model);
  const { options, ...prepared } = await binder.prepare({ cwd, addDirs: request.addDirs, options: turnOptions(request), needsSkills: request.skill !== undefined });
  const skill = request.skill === undefined || !prepared.skills ? undefined : await bindableSkill(prepared.skills, parts.host, cwd, request.skill);
  const session = binder.create();
  const first = await firstEvents({ parts, request: { ...request, cwd }, chosen, prepared, options, skill, standing });
  await session.create({ cwd, model: chosen.name, ...(standing ? { task_id: standing.task } : {}) });
  return runTurnOf(turns, session, {
    begin: async (signal) => {
      const [begun] = first;
      const note = begun?.type === 'session.started' ? planNote(begun.permission_mode, begun.tools) : {};
      await session.append([...first, turnStarted(parts, { ...request, ...note }, options)]);
      const bound = await bind(turns, session, { chosen, prepared, signal, coming: skill });
      return { ...bound, opening: () => beginTurn(bound, { text: request.text, ...usesOf(request) }) };
    },
  });
}

/** Begins a turn of a session that exists. `adopt` gives the events by which it takes over what its caller leaves it. */
export async function promptExisting(turns: TurnParts, request: PromptRequest & { readonly sessionId: string }, adopt?: (state: SessionState) => readonly EventBody[]): Promise<RunningTurn> {
  const { parts, binder } = turns;
  return binder.take(request.sessionId, async (session) => {
    const { state } = session;
    refuseRepeated(state, request.key);
    existingFolder(parts.host.tree, state.cwd);
    const changes = await changeEvents(parts, session, request);
    const chosen = await chooseModel(parts, projectFolder(state), request.model ?? state.model);
    const isComing = lacksBoundSkill(state);
    const { options, ...prepared } = await binder.prepare({ cwd: projectFolder(state), addDirs: state.add_dirs, options: turnOptions(request), needsSkills: isComing });
    const coming = isComing && prepared.skills ? await boundSkillOf(prepared.skills, parts.host, state) : undefined;
    return runTurnOf(turns, session, {
      begin: async (signal) => {
        const log = { state, append: session.append.bind(session), endRuns: runsEnder(turns, session) };
        const told = interruptedNotice(state);
        await closeInterrupted(log);
        await closeWaiting(log);
        await session.append([...told, ...changes, ...(adopt?.(state) ?? []), ...binder.lostCommands(session), ...sandboxEvents(session, prepared, options), ...binder.changedSkills(session), turnStarted(parts, { ...request, ...noteOf(session, request, { options, prepared }) }, options)]);
        const bound = await bind(turns, session, { chosen, prepared, signal, coming });
        return { ...bound, opening: () => beginTurn(bound, { text: request.text, ...usesOf(request) }) };
      },
    });
  });
}

/**
 * Goes on with a turn that waits, by a person's answer: that of the session, or of one of its sub-agents in the background.
 * Another answer may be worked on at this moment: this one waits for its turn, and stays an answer to what was open when it
 * was given.
 */
export async function answer(turns: TurnParts, given: AnswerRequest): Promise<RunningTurn> {
  const { parts, binder } = turns;
  const { answeredSession } = await import('../agents/waiting-agents.ts');
  const sessionId = await answeredSession(turns, given);
  const requestId = requestOf(await binder.state(sessionId), { ...given, sessionId }).question.request_id;
  return whenFree(parts, () => binder.take(sessionId, async (session) => {
    const { state } = session;
    const { event, rules } = answerEvent(state, { ...given, sessionId, requestId });
    const adopted = await adoptedBy(turns, state);
    const chosen = await chooseModel(parts, projectFolder(state), state.model);
    const { options, ...prepared } = await binder.prepare({ cwd: projectFolder(state), addDirs: state.add_dirs, options: state.turn?.options ?? {}, needsSkills: false });
    return runTurnOf(turns, session, {
      goesOn: true,
      begin: async (signal) => {
        if (rules.length > 0) await parts.store.addRules(projectFolder(state), rules);
        await session.append([...adopted, ...sandboxEvents(session, prepared, options), ...resumedEvents(state), event, ...binder.lostCommands(session)]);
        const bound = await bind(turns, session, { chosen, prepared, signal, coming: undefined });
        await closeLostCalls(bound.ports);
        await goOnBeside(turns, session, prepared);
        if (rules.length > 0) {
          await resolveCovered(bound.ports);
          const { coverRuns } = await import('../agents/cover-runs.ts');
          await coverRuns(turns, session, prepared);
        }
        return bound;
      },
    });
  }));
}

/** Goes on with a turn that the end of the program has cut off, as the same turn, and with its sub-agents in the background. */
export async function resume(turns: TurnParts, request: ResumeRequest): Promise<RunningTurn> {
  const { parts, binder } = turns;
  return binder.take(request.sessionId, async (session) => {
    const { state } = session;
    requireInterrupted(state);
    const changes = await changeEvents(parts, session, request);
    const chosen = await chooseModel(parts, projectFolder(state), request.model ?? state.model);
    const { options, ...prepared } = await binder.prepare({ cwd: projectFolder(state), addDirs: state.add_dirs, options: state.turn?.options ?? {}, needsSkills: lacksBoundSkill(state) });
    const opening = await openingOf(turns, session, prepared);
    const adopted = await adoptedBy(turns, state);
    return runTurnOf(turns, session, {
      goesOn: true,
      begin: async (signal) => {
        await session.append([...resumedEvents(state), ...changes, ...adopted, ...sandboxEvents(session, prepared, options), ...binder.lostCommands(session)]);
        const bound = await bind(turns, session, { chosen, prepared, signal, coming: opening.coming, preload: opening.preload });
        await closeLostCalls(bound.ports);
        await goOnBeside(turns, session, prepared);
        return { ...bound, ...opening.of(bound, usesOf(options)) };
      },
    });
  });
}

/** Runs a turn that a person has begun; `goesOn` where it is one that was begun before, maybe the run of a sub-agent. */
function runTurnOf(turns: TurnParts, session: LiveSession, { begin, goesOn = false }: Pick<LiveTurnParts, 'begin'> & { readonly goesOn?: boolean }): RunningTurn {
  const { session_id } = session.state;
  const over = new AbortController();
  const turn = runLiveTurn({
    session,
    place: turns.parts.turnPlace,
    begin: (signal) => {
      // Whoever stops the turn stops all that it has brought about.
      signal.addEventListener('abort', () => void turns.binder.background(session_id).stopAll(), { once: true, signal: over.signal });
      return begin(signal);
    },
    async end() {
      over.abort();
      await session.release();
      const { parent_run, turn: ended } = session.state;
      // What a sub-agent has left behind ends with its run.
      if (goesOn && parent_run && ended?.status !== 'running' && ended?.status !== 'waiting') await turns.binder.forget(session_id);
    },
  });
  const result = turn.result.then((ended) => withOpenOfAgents(turns, session.state, ended));
  result.catch(() => undefined);
  return { ...turn, result };
}

/** The result, which also says what sub-agents in the background wait for. */
async function withOpenOfAgents(turns: TurnParts, state: SessionState, ended: TurnResult): Promise<TurnResult> {
  if (runsBeside(state).length === 0) return ended;
  const { waitingAgents } = await import('../agents/waiting-agents.ts');
  return { ...ended, open: [...ended.open, ...(await waitingAgents(turns, state))] };
}

/** What the session that has started a sub-agent leaves it by now. */
async function adoptedBy(turns: TurnParts, state: SessionState): Promise<readonly EventBody[]> {
  if (!state.parent_run) return [];
  const { rightsOfNow } = await import('../agents/adopt-rights.ts');
  return rightsOfNow(turns, state);
}

async function goOnBeside(turns: TurnParts, session: LiveSession, prepared: Prepared): Promise<void> {
  if (runsBeside(session.state).length === 0) return;
  const { goOnInBackground } = await import('../agents/run-in-background.ts');
  await goOnInBackground(agentParts(turns, session, prepared));
}

interface BindTurn {
  readonly chosen: ChosenModel;
  readonly prepared: Prepared;
  readonly signal: AbortSignal;
  readonly coming: SkillEntry | undefined;
  readonly preload?: readonly string[];
}

function bind(turns: TurnParts, session: LiveSession, { chosen, prepared, signal, coming, preload = [] }: BindTurn): Promise<BoundSession> {
  return turns.binder.bind(session, {
    model: chosen.model,
    prepared,
    signal,
    coming,
    preload,
    agents: agentParts(turns, session, prepared),
  });
}

/** Told to a person whose message takes the place of a turn that was cut off. */
function interruptedNotice({ turn, calls }: SessionState): readonly EventBody[] {
  if (turn?.status !== 'running') return [];
  const started = [...calls.values()].filter(({ phase }) => phase === 'started').length;
  const unknown = started === 0 ? '' : ` ${started === 1 ? 'A call was' : `${started} calls were`} under way, whose outcome is unknown; the model is told.`;
  return [{ type: 'warning', code: 'interrupted', message: `The turn before was cut off by the end of the program and is closed now.${unknown}` }];
}

function usesOf(request: Pick<PromptRequest, 'skills' | 'tools'>): { readonly calls: boolean; readonly offers: boolean } {
  const calls = request.skills === undefined || request.skills === 'offer';
  return { calls, offers: calls && request.tools !== 'none' };
}

/** What a message of a session carries in plan mode. */
function noteOf({ state }: LiveSession, { mode = state.permission_mode }: PromptRequest, { options, prepared }: { readonly options: TurnOptions; readonly prepared: Prepared }): ReturnType<typeof planNote> {
  return planNote(mode, options.tools === 'none' ? [] : toolsOf(standingLists(state), prepared.tools, { remote: prepared.mcp !== undefined }).map(({ spec }) => spec.name));
}

/** The events that give a session another model or mode. */
export async function changeEvents(parts: RuntimeParts, { state }: Pick<LiveSession, 'state'>, change: { readonly model?: string; readonly mode?: PermissionMode }): Promise<readonly EventBody[]> {
  const events: EventBody[] = [];
  if (change.model !== undefined && change.model !== state.model) {
    await chooseModel(parts, projectFolder(state), change.model);
    events.push({ type: 'model.changed', model: change.model });
  }
  if (change.mode !== undefined && change.mode !== state.permission_mode) events.push({ type: 'mode.changed', mode: change.mode, ...(state.permission_mode === 'plan' ? { note: PLAN_MODE_OVER } : {}) });
  return events;
}
