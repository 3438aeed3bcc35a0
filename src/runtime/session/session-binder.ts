import path from 'node:path';
import type { LoadedSettings } from '../../config/load-settings.ts';
import { realOrSame } from '../../config/read-settings.ts';
import type { Host } from '../../host/host.ts';
import { isInside } from '../../host/paths.ts';
import type { Model } from '../../model/model.ts';
import { SkillmintError } from '../../protocol/errors.ts';
import type { EventBody, TurnOptions } from '../../protocol/events.ts';
import type { SessionState } from '../../protocol/session-state.ts';
import type { Repository } from '../../sandbox/policy.ts';
import { digestSkill } from '../../skills/digest.ts';
import type { SkillEntry } from '../../skills/discover/skill-entry.ts';
import type { SkillView } from '../../skills/skill-view.ts';
import { backgroundShells, type BackgroundShells } from '../../tools/background-shells.ts';
import type { Tool } from '../../tools/define.ts';
import { commandGrants } from '../../permissions/command-grants.ts';
import { builtinTools, memoryTools, webTools } from '../../tools/tool-set.ts';
import { engineAddress } from '../../web/search/engine-address.ts';
import { pageCache, type PageCache } from '../../web/page-cache.ts';
import { cutStart } from '../../util/cut-text.ts';
import type { BoundSession } from '../turn/begin-turn.ts';
import { runtimeBrowser, type RuntimeBrowser } from '../browser/runtime-browser.ts';
import type { HookLifecycle } from '../hooks/hook-binding.ts';
import { bindSession, sessionWorkspace } from './bind-session.ts';
import { backgroundRuns, type BackgroundRuns } from '../agents/background-runs.ts';
import { agentNamed } from '../agents/choose-agent.ts';
import { chooseModel, modelNamed } from '../turn/choose-model.ts';
import { LiveSession } from '../turn/live-session.ts';
import { runtimeMcp, untilStopped, type RuntimeMcp } from '../mcp/runtime-mcp.ts';
import type { SessionMcp } from '../mcp/session-mcp.ts';
import { sessionFolderPath } from './session-folder.ts';
import type { RuntimeParts } from '../parts.ts';
import { projectFolder } from './project-folder.ts';
import { checkSettingsRules, sessionRules } from '../permissions/session-rules.ts';
import type { SandboxChoice, SandboxGuard } from '../permissions/sandbox-guard.ts';
import { loadForCalls } from './load-for-calls.ts';
import { onFirstRequest } from '../turn/on-first-request.ts';
import type { TurnSkills } from '../skills/skill-views.ts';
import type { TurnBudget } from '../turn/turn-budget.ts';
import type { AgentCatalogue } from '../agents/agent-profile.ts';
import type { AgentParts } from '../agents/agent-task.ts';
import { findAgents } from '../agents/find-agents.ts';
import { slots, type Slots } from '../../util/slots.ts';

/** By then a request is on its way, ms. */
const SENT_MS = 6;
/** Of a command in the background, where it is told that it has ended. */
const COMMAND_CHARS = 200;

/** What was found out for a turn before the session is touched. */
export interface Prepared {
  readonly settings: LoadedSettings;
  readonly sandbox: SandboxChoice;
  /** Undefined when the session has no skills. */
  readonly skills: SkillView | undefined;
  /** To be called when the turn has made its first request. */
  readonly requested: TurnSkills['requested'] | undefined;
  readonly tools: readonly Tool[];
  /** Undefined when there are no MCP servers. */
  readonly mcp: SessionMcp | undefined;
  /** The agents that can be started; looked for once. */
  readonly agents: () => Promise<AgentCatalogue>;
}

/** What a session is bound to for a turn; see `BindSessionParts`. */
export interface BindOptions {
  readonly model: Model;
  readonly prepared: Prepared;
  readonly signal: AbortSignal;
  readonly agents?: AgentParts | undefined;
  readonly budget?: TurnBudget;
  readonly coming?: SkillEntry | undefined;
  /** Names of skills that are to be in force from the beginning. */
  readonly preload?: readonly string[];
  /** The session that this sub-agent works for, where that has a turn; else it is looked up. */
  readonly outer?: SessionState;
}

/** Sessions that are kept beside those that run. */
const MOST_HELD = 64;

interface Held {
  readonly session: LiveSession;
  readonly shells: BackgroundShells;
  /** See `PermitParts.refusals`. */
  readonly refusals: Map<string, readonly string[]>;
  readonly lifecycle: HookLifecycle;
  /** Notices that the person has been told. */
  readonly told: Set<string>;
  /** Of its sub-agents that run at once. */
  readonly places: Slots;
  /** See `BindOptions`. */
  outer: SessionState | undefined;
  readonly background: BackgroundRuns;
}

/** Keeps the sessions of this process, and binds settings, sandbox, skills and tools to them. */
export class SessionBinder {
  readonly #parts: RuntimeParts;
  readonly #guard: SandboxGuard;
  readonly #held = new Map<string, Held>();
  readonly #tools: readonly Tool[];
  readonly #mcp: RuntimeMcp;
  readonly #pages: PageCache;
  readonly #browser: RuntimeBrowser;
  #suspended = false;

  constructor(parts: RuntimeParts, guard: SandboxGuard) {
    this.#parts = parts;
    this.#guard = guard;
    this.#tools = builtinTools({ platform: parts.host.platform });
    this.#mcp = runtimeMcp(parts);
    this.#pages = pageCache(parts.now);
    this.#browser = runtimeBrowser(parts);
  }

  /** Reads settings and skills of a folder and settles the sandbox, whose setting becomes part of the turn's options. @throws SkillmintError sandbox_unavailable, config_invalid, permission_denied */
  async prepare({ cwd, addDirs, options, needsSkills }: { readonly cwd: string; readonly addDirs?: readonly string[] | undefined; readonly options: TurnOptions; readonly needsSkills: boolean }): Promise<Prepared & { readonly options: TurnOptions }> {
    this.refuseElsewhere(cwd);
    await this.#parts.replica?.fresh();
    await this.#makeRoom();
    const settings = await this.#parts.settings(cwd);
    await checkSettingsRules(this.#parts.host.tree, settings);
    const noTools = options.tools === 'none';
    const wantsSkills = needsSkills || options.skills !== 'none';
    const skills = wantsSkills ? await this.#parts.skillViews.open(cwd, settings, addDirs) : undefined;
    const setting = options.sandbox ?? settings.values.sandbox ?? (this.#parts.terminal ? 'ask' : 'required');
    const sandbox = await this.#guard.choose(noTools ? 'unused' : setting);
    const mcp = noTools ? undefined : await this.#mcp.open(cwd, settings);
    const { search, memory } = settings.values;
    const tools = [...this.#tools, ...this.#parts.ownTools, ...memoryTools({ memory }), ...webTools({ searchUrl: engineAddress(search?.engine ?? 'duckduckgo', search?.baseUrl) })];
    let agents: Promise<AgentCatalogue> | undefined;
    const places = { tree: this.#parts.host.tree, home: this.#parts.home, dataFolder: this.#parts.dataFolder, settings };
    return { agents: () => (agents ??= findAgents(cwd, places)), settings, sandbox, skills: skills?.view, requested: skills?.requested, tools, mcp, options: noTools ? options : { ...options, sandbox: setting } };
  }

  /** A session may have been made when its person could work in more folders. @throws SkillmintError permission_denied */
  refuseElsewhere(cwd: string): void {
    const { tenant, host } = this.#parts;
    const folder = tenant?.confinedTo;
    if (folder === undefined || isInside(folder, realOrSame(host.tree, cwd))) return;
    throw new SkillmintError('permission_denied', `${cwd} lies outside the workspace ${folder}, and users of this server work in theirs alone. Begin another session there.`);
  }

  /** A new session of this process; nothing is stored yet. */
  create(): LiveSession {
    this.#refuseSuspended();
    return this.#keep(this.#parts.newId('ses')).session;
  }

  /** Takes the lease of a session for a turn; gives it back at once when the turn cannot begin. */
  async take<T>(sessionId: string, work: (session: LiveSession) => Promise<T>): Promise<T> {
    this.#refuseSuspended();
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
  async bind(session: LiveSession, { model, prepared, signal, agents, budget, coming, preload = [], outer }: BindOptions): Promise<BoundSession> {
    const { state } = session;
    const { tree } = this.#parts.host;
    const held = this.#usable(state.session_id);
    held.outer = outer ?? (await this.outerOf(state));
    const outers = await this.#outersOf(held);
    const watching = outers.flatMap(({ skills }) => [...skills.values()].flatMap(({ hooks, folder }) => (hooks ? [folder] : [])));
    const loading = new Set([...watching, ...(coming ? [realOrSame(tree, coming.folder)] : [])]);
    const workspace = sessionWorkspace(this.#parts, state, { outputs: sessionFolderPath(realOrSame(tree, this.#parts.workFolder), 'outputs', state.session_id), loading });
    // Another worker may have begun what goes on here.
    await this.#parts.sessionFolder('outputs', state.session_id).fetch();
    const storedRules = await this.#parts.store.rules(projectFolder(state));
    const rules = sessionRules(state, { settings: prepared.settings, stored: storedRules, confined: this.#parts.tenant?.confinedTo !== undefined });
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
        repositories: state.agent?.worktree ? [{ folder: state.agent.worktree.of, worktree: path.basename(state.cwd) }] : [],
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
      mcp: prepared.mcp && untilStopped(prepared.mcp, signal),
      notices: (prepared.mcp?.notices ?? []).filter((notice) => !held.told.has(notice) && held.told.add(notice)),
      shells: held.shells,
      lifecycle: held.lifecycle,
      refusals: held.refusals,
      pages: this.#pages,
      browser: this.#browser.of(state.session_id),
      servers: this.#guard.servers(state.session_id),
      rules,
      signal,
      agents,
      agentNamed: async (name) => agentNamed(await prepared.agents(), name) ?? { name },
      budget,
      coming,
      preload,
      outers,
      loading,
    });
  }

  /** Sessions that one works for, the nearest first. */
  async #outersOf(held: Held): Promise<readonly SessionState[]> {
    const outers: SessionState[] = [];
    for (let { outer } = held; outer; outer = this.#held.get(outer.session_id)?.outer ?? (await this.outerOf(outer))) outers.push(outer);
    return outers;
  }

  /** The session that has started this one, as it stands; a sub-agent may go on without a turn of it. Undefined where it is gone. */
  async outerOf({ parent_run }: SessionState): Promise<SessionState | undefined> {
    if (!parent_run) return undefined;
    try {
      return await this.state(parent_run.session_id);
    } catch (error) {
      if (error instanceof SkillmintError && error.code === 'session_not_found') return undefined;
      throw error;
    }
  }

  /** The same model; with its first request begins what can be done while it thinks. */
  #announced(session: LiveSession, { model, prepared: { requested, settings, mcp } }: Pick<BindOptions, 'model' | 'prepared'>): Model {
    const { smallModel } = settings.values;
    return onFirstRequest(model, () => {
      setTimeout(() => {
        loadForCalls();
        mcp?.begin();
      }, SENT_MS).unref();
      requested?.({
        smallModel: () => (smallModel === undefined ? model : modelNamed(this.#parts, settings.values, smallModel)),
        tell: (message) => session.append([{ type: 'warning', code: 'skill_index', message }], { unless: () => session.state.turn?.status !== 'running' }),
      });
    });
  }

  /** The same for a session without a turn. */
  async bindIdle(session: LiveSession): Promise<BoundSession> {
    const { model } = session.state;
    const cwd = projectFolder(session.state);
    const chosen = await chooseModel(this.#parts, cwd, model);
    return this.bind(session, { model: chosen.model, prepared: await this.prepare({ cwd, options: { tools: 'none', skills: 'none' }, needsSkills: false }), signal: session.lost });
  }

  /** Runs git for worktrees as the commands of a session run, with these folders and repositories alone. */
  gitHost({ sandbox, settings }: Prepared, folders: { readonly writable: readonly string[]; readonly repositories: readonly Repository[] }): Host {
    const { host, home } = this.#parts;
    return this.#guard.wrapScript({ host, choice: sandbox, folders: { ...folders, readable: [] }, limits: settings.values.sandboxLimits, grants: { hosts: [], refused: [] }, allow: [], parts: { ...this.#parts, home: realOrSame(host.tree, home) } });
  }

  /** Where the session's sub-agents wait until they may run. */
  places(sessionId: string): Slots {
    return this.#usable(sessionId).places;
  }

  /** The session's sub-agents that run beside its turns in this process. */
  background(sessionId: string): BackgroundRuns {
    return this.#usable(sessionId).background;
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

  /** Tells the model of commands in the background that ended with another process. */
  lostCommands({ state }: LiveSession): readonly EventBody[] {
    const known = new Set(this.#usable(state.session_id).shells.ids());
    const lost = [...state.background].filter(([id]) => !known.has(id));
    if (lost.length === 0) return [];
    const list = lost.map(([id, command]) => `${id} (${cutStart(command.replace(/\s+/g, ' '), COMMAND_CHARS)})`).join(', ');
    return [{ type: 'background.lost', bash_ids: lost.map(([id]) => id), note: `\n\n<background>The program that ran these commands in the background has ended, and they with it: ${list}. Start again what is still needed.</background>` }];
  }

  /** Ends what a session of a sub-agent has left behind. */
  async forget(sessionId: string): Promise<void> {
    await this.#held.get(sessionId)?.background.stopAll();
    await this.#held.get(sessionId)?.shells.stopAll();
    await this.#browser.forget(sessionId);
    await this.#guard.forget(sessionId);
    this.#held.delete(sessionId);
  }

  /** Leaves all sessions where they stand, so that another process can go on with them. */
  suspend(): void {
    this.#suspended = true;
    for (const { session } of this.#held.values()) session.leave();
  }

  /** Runs SessionEnd hooks, ends background commands of all sessions and gives leases back. */
  async close(): Promise<void> {
    await Promise.all([...this.#held.values()].map(({ background }) => background.stopAll()));
    for (const { session, shells, lifecycle } of this.#held.values()) {
      if (!this.#suspended) await lifecycle.end?.();
      await shells.stopAll();
      await session.release();
    }
    this.#held.clear();
    await this.#browser.close();
    await this.#mcp.close();
    await this.#guard.close();
  }

  /** Forgets the sessions that were used longest ago, where nothing of them runs; they are read again when they are wanted. */
  async #makeRoom(): Promise<void> {
    const idle = [...this.#held].filter(([, { session, shells, background }]) => !session.inUse && shells.ids().length === 0 && background.all().length === 0);
    for (const [sessionId, held] of idle.slice(0, Math.max(0, this.#held.size - MOST_HELD))) {
      this.#held.delete(sessionId);
      await held.lifecycle.end?.();
      await this.#browser.forget(sessionId);
      await this.#guard.forget(sessionId);
    }
  }

  #refuseSuspended(): void {
    if (this.#suspended) throw new SkillmintError('interrupted', 'The program is about to end; nothing is begun any more.');
  }

  #usable(sessionId: string): Held {
    const held = this.#held.get(sessionId);
    if (!held || held.session.lost.aborted) return this.#keep(sessionId, held);
    // The last ones are those that were used last.
    this.#held.delete(sessionId);
    this.#held.set(sessionId, held);
    return held;
  }

  #keep(sessionId: string, before?: Held): Held {
    const held = { session: new LiveSession(sessionId, this.#parts), shells: before?.shells ?? backgroundShells(), refusals: before?.refusals ?? new Map<string, readonly string[]>(), lifecycle: before?.lifecycle ?? { started: false, end: undefined }, told: before?.told ?? new Set<string>(), places: before?.places ?? slots(), outer: before?.outer, background: before?.background ?? backgroundRuns() };
    this.#held.set(sessionId, held);
    return held;
  }
}
