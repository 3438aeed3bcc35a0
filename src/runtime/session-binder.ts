import type { LoadedSettings } from '../config/load-settings.ts';
import { realOrSame } from '../config/read-settings.ts';
import type { Model } from '../model/model.ts';
import type { EventBody, TurnOptions } from '../protocol/events.ts';
import type { SessionState } from '../protocol/session-state.ts';
import { digestSkill } from '../skills/digest.ts';
import type { SkillEntry } from '../skills/discover/skill-entry.ts';
import type { SkillView } from '../skills/skill-view.ts';
import { backgroundShells, type BackgroundShells } from '../tools/background-shells.ts';
import type { Tool } from '../tools/define.ts';
import { commandGrants } from '../permissions/command-grants.ts';
import { builtinTools } from '../tools/tool-set.ts';
import type { BoundSession } from './begin-turn.ts';
import type { HookLifecycle } from './hooks/bind-hooks.ts';
import { bindSession, sessionWorkspace } from './bind-session.ts';
import { chooseModel, modelNamed } from './choose-model.ts';
import { LiveSession } from './live-session.ts';
import { outputFolder } from './outputs.ts';
import type { RuntimeParts } from './parts.ts';
import { checkSettingsRules, sessionRules } from './session-rules.ts';
import type { SandboxChoice, SandboxGuard } from './sandbox-guard.ts';
import { loadForCalls } from './load-for-calls.ts';
import { onFirstRequest } from './on-first-request.ts';
import type { TurnSkills } from './skill-views.ts';
import type { TurnBudget } from './turn-budget.ts';
import type { ForkParts } from './skills/fork-skill.ts';

/** By then a request is on its way, ms. */
const SENT_MS = 6;

/** What was found out for a turn before the session is touched. */
export interface Prepared {
  readonly settings: LoadedSettings;
  readonly sandbox: SandboxChoice;
  /** Undefined when the session has no skills. */
  readonly skills: SkillView | undefined;
  /** To be called when the turn has made its first request. */
  readonly requested: TurnSkills['requested'] | undefined;
  readonly tools: readonly Tool[];
}

/** What a session is bound to for a turn; see `BindSessionParts`. */
export interface BindOptions {
  readonly model: Model;
  readonly prepared: Prepared;
  readonly signal: AbortSignal;
  readonly fork?: ForkParts;
  readonly budget?: TurnBudget;
  readonly coming?: SkillEntry | undefined;
}

interface Held {
  readonly session: LiveSession;
  readonly shells: BackgroundShells;
  /** See `PermitParts.refusals`. */
  readonly refusals: Map<string, readonly string[]>;
  readonly lifecycle: HookLifecycle;
}

/** Keeps the sessions of this process, and binds settings, sandbox, skills and tools to them. */
export class SessionBinder {
  readonly #parts: RuntimeParts;
  readonly #guard: SandboxGuard;
  readonly #held = new Map<string, Held>();
  readonly #tools: readonly Tool[];

  constructor(parts: RuntimeParts, guard: SandboxGuard) {
    this.#parts = parts;
    this.#guard = guard;
    this.#tools = builtinTools({ platform: parts.host.platform });
  }

  /** Reads settings and skills of a folder and settles the sandbox, whose setting becomes part of the turn's options. @throws SkillmintError sandbox_unavailable, config_invalid */
  async prepare({ cwd, options, needsSkills }: { readonly cwd: string; readonly options: TurnOptions; readonly needsSkills: boolean }): Promise<Prepared & { readonly options: TurnOptions }> {
    const settings = await this.#parts.settings(cwd);
    await checkSettingsRules(this.#parts.host.tree, settings);
    const noTools = options.tools === 'none';
    const wantsSkills = needsSkills || options.skills !== 'none';
    const skills = wantsSkills ? await this.#parts.skillViews.open(cwd, settings) : undefined;
    const setting = options.sandbox ?? settings.values.sandbox ?? (this.#parts.terminal ? 'ask' : 'required');
    const sandbox = await this.#guard.choose(noTools ? 'unused' : setting);
    return { settings, sandbox, skills: skills?.view, requested: skills?.requested, tools: this.#tools, options: noTools ? options : { ...options, sandbox: setting } };
  }

  /** A new session of this process; nothing is stored yet. */
  create(): LiveSession {
    return this.#keep(this.#parts.newId('ses')).session;
  }

  /** Takes the lease of a session for a turn; gives it back at once when the turn cannot begin. */
  async take<T>(sessionId: string, work: (session: LiveSession) => Promise<T>): Promise<T> {
    const { session } = this.#usable(sessionId);
    await session.acquire();
    try {
      return await work(session);
    } catch (error) {
      await session.release();
      throw error;
    }
  }

  /** Takes the lease, works, and gives it back. */
  async hold<T>(sessionId: string, work: (session: LiveSession) => Promise<T>): Promise<T> {
    return this.take(sessionId, async (session) => {
      const result = await work(session);
      await session.release();
      return result;
    });
  }

  /** The state of a session, without taking it. */
  async state(sessionId: string): Promise<SessionState> {
    const session = new LiveSession(sessionId, this.#parts);
    await session.catchUp();
    return session.state;
  }

  /** What the loop works with in the session's turn. */
  async bind(session: LiveSession, { model, prepared, signal, fork, budget, coming }: BindOptions): Promise<BoundSession> {
    const { state } = session;
    const { tree } = this.#parts.host;
    const loading = new Set(coming ? [realOrSame(tree, coming.folder)] : []);
    const workspace = sessionWorkspace(this.#parts, state, { outputs: outputFolder(realOrSame(tree, this.#parts.workFolder), state.session_id), loading });
    const held = this.#usable(state.session_id);
    const storedRules = await this.#parts.store.rules(state.cwd);
    const rules = sessionRules(state, { settings: prepared.settings, stored: storedRules });
    return bindSession({
      parts: this.#parts,
      session,
      settings: prepared.settings,
      model: this.#announced(session, { model, prepared }),
      host: this.#guard.wrap({
        host: this.#parts.host,
        choice: prepared.sandbox,
        sessionId: state.session_id,
        workspace,
        trustedFolders: prepared.settings.values.trustedFolders,
        limits: prepared.settings.values.sandboxLimits,
        grants: () => commandGrants(rules()),
        allow: prepared.settings.values.network.allow,
        parts: this.#parts,
      }),
      asksForSandbox: prepared.sandbox.asks,
      workspace,
      skills: prepared.skills,
      tools: prepared.tools,
      shells: held.shells,
      lifecycle: held.lifecycle,
      refusals: held.refusals,
      rules,
      signal,
      fork,
      budget,
      coming,
      loading,
    });
  }

  /** The same model; with its first request begins what can be done while it thinks. */
  #announced(session: LiveSession, { model, prepared: { requested, settings } }: Pick<BindOptions, 'model' | 'prepared'>): Model {
    const { smallModel } = settings.values;
    return onFirstRequest(model, () => {
      setTimeout(loadForCalls, SENT_MS).unref();
      requested?.({
        smallModel: () => (smallModel === undefined ? model : modelNamed(this.#parts, settings.values, smallModel)),
        tell: (message) => session.append([{ type: 'warning', code: 'skill_index', message }], { unless: () => session.state.turn?.status !== 'running' }),
      });
    });
  }

  /** The same for a session without a turn. */
  async bindIdle(session: LiveSession): Promise<BoundSession> {
    const { cwd, model } = session.state;
    const chosen = await chooseModel(this.#parts, cwd, model);
    return this.bind(session, { model: chosen.model, prepared: await this.prepare({ cwd, options: { tools: 'none', skills: 'none' }, needsSkills: false }), signal: session.lost });
  }

  /** A warning for each active skill whose files have changed since it was loaded, or are gone. */
  changedSkills(session: LiveSession): readonly EventBody[] {
    return [...session.state.skills.values()].flatMap((skill): EventBody[] => {
      const { digest } = digestSkill(this.#parts.host.tree, skill.folder);
      if (digest === skill.digest) return [];
      if (digest === '') return [{ type: 'warning', code: 'skill_changed', message: `The files of the skill ${skill.skill_id} are no longer there, or cannot be read; the instructions of then stay in force until it is unloaded.` }];
      return [{ type: 'warning', code: 'skill_changed', message: `The files of the skill ${skill.skill_id} have changed since it was loaded; the instructions of then stay in force until it is loaded again.` }];
    });
  }

  /** Ends what a session of a sub-agent has left behind. */
  async forget(sessionId: string): Promise<void> {
    await this.#held.get(sessionId)?.shells.stopAll();
    await this.#guard.forget(sessionId);
    this.#held.delete(sessionId);
  }

  /** Runs SessionEnd hooks, ends background commands of all sessions and gives leases back. */
  async close(): Promise<void> {
    for (const { session, shells, lifecycle } of this.#held.values()) {
      await lifecycle.end?.();
      await shells.stopAll();
      await session.release();
    }
    this.#held.clear();
    await this.#guard.close();
  }

  #usable(sessionId: string): Held {
    const held = this.#held.get(sessionId);
    return held && !held.session.lost.aborted ? held : this.#keep(sessionId, held);
  }

  #keep(sessionId: string, before?: Held): Held {
    const held = { session: new LiveSession(sessionId, this.#parts), shells: before?.shells ?? backgroundShells(), refusals: before?.refusals ?? new Map<string, readonly string[]>(), lifecycle: before?.lifecycle ?? { started: false, end: undefined } };
    this.#held.set(sessionId, held);
    return held;
  }
}
