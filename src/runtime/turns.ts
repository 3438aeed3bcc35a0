import type { EventBody } from '../protocol/events.ts';
import type { PermissionMode } from '../protocol/permission.ts';
import { answerEvent } from './answer-request.ts';
import { beginTurn, type BoundSession } from './begin-turn.ts';
import { chooseModel, type ChosenModel } from './choose-model.ts';
import { existingFolder } from './existing-folder.ts';
import type { LiveSession } from './live-session.ts';
import { coverRuns, endRuns, forkParts } from './child-turns.ts';
import { resolveCovered } from './covered-requests.ts';
import type { RuntimeParts } from './parts.ts';
import { closeInterrupted, closeStartedCalls, closeWaiting } from './recover.ts';
import { runLiveTurn } from './run-live-turn.ts';
import type { AnswerRequest, PromptRequest, RunningTurn } from './runtime.ts';
import type { Prepared } from './session-binder.ts';
import type { SkillEntry } from '../skills/discover/skill-entry.ts';
import { bindableSkill, boundSkillOf } from './skills/bindable-skill.ts';
import { firstEvents, sandboxEvents, turnOptions, turnStarted } from './turn-events.ts';
import type { TurnParts } from './turn-parts.ts';

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
      const bound = await bind(turns, session, { chosen, prepared, signal, coming: skill });
      return { ...bound, opening: () => beginTurn(bound, { text: request.text, ...usesOf(request) }) };
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
    const isComing = state.bound !== undefined && !state.skills.has(state.bound.skill_id);
    const { options, ...prepared } = await binder.prepare({ cwd: state.cwd, options: turnOptions(request), needsSkills: isComing });
    const coming = isComing && prepared.skills ? await boundSkillOf(prepared.skills, parts.host, state) : undefined;
    return runLiveTurn({
      session,
      begin: async (signal) => {
        const log = { state, append: session.append.bind(session), endRuns: endRuns(turns, session) };
        await closeInterrupted(log);
        await closeWaiting(log);
        await session.append([...changes, ...sandboxEvents(session, prepared, options), ...binder.changedSkills(session), turnStarted(parts, request, options)]);
        const bound = await bind(turns, session, { chosen, prepared, signal, coming });
        return { ...bound, opening: () => beginTurn(bound, { text: request.text, ...usesOf(request) }) };
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
        await closeStartedCalls({ state, append: session.append.bind(session), endRuns: endRuns(turns, session) });
        if (rules.length > 0) await parts.store.addRules(state.cwd, rules);
        await session.append([...sandboxEvents(session, prepared, options), event]);
        const bound = await bind(turns, session, { chosen, prepared, signal, coming: undefined });
        if (rules.length > 0) {
          await resolveCovered(bound.ports);
          await coverRuns(turns, session, prepared);
        }
        return bound;
      },
      end: () => session.release(),
    });
  });
}

interface BindTurn {
  readonly chosen: ChosenModel;
  readonly prepared: Prepared;
  readonly signal: AbortSignal;
  readonly coming: SkillEntry | undefined;
}

async function bind(turns: TurnParts, session: LiveSession, { chosen, prepared, signal, coming }: BindTurn): Promise<BoundSession> {
  return turns.binder.bind(session, {
    model: chosen.model,
    prepared,
    signal,
    coming,
    fork: forkParts(turns, session, prepared),
  });
}

function usesOf(request: PromptRequest): { readonly calls: boolean; readonly offers: boolean } {
  const calls = request.skills !== 'none';
  return { calls, offers: calls && request.tools !== 'none' };
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
