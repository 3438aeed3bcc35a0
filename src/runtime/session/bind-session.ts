import type { AgentPorts } from '../../agent/ports.ts';
import type { LoadedSettings } from '../../config/load-settings.ts';
import type { LocalServers } from '../../egress/check-target.ts';
import { childEnvironment } from '../../host/child-environment.ts';
import type { Host } from '../../host/host.ts';
import type { Model } from '../../model/model.ts';
import { commandGrants } from '../../permissions/command-grants.ts';
import { changeable, type Workspace } from '../../permissions/places.ts';
import type { ParsedRules } from '../../permissions/rules.ts';
import type { EffortLevel } from '../../protocol/events.ts';
import { namesBrowserTool } from '../../protocol/tool-names.ts';
import type { SessionState } from '../../protocol/session-state.ts';
import { realOrSame } from '../../config/read-settings.ts';
import type { SkillEntry } from '../../skills/discover/skill-entry.ts';
import type { SkillView } from '../../skills/skill-view.ts';
import type { BackgroundShells } from '../../tools/background-shells.ts';
import type { Tool } from '../../tools/define.ts';
import { toolResolver } from '../../tools/tool-set.ts';
import { answerChecker } from '../turn/answer-checker.ts';
import type { BoundSession } from '../turn/begin-turn.ts';
import type { HookLifecycle, TurnHooks } from '../hooks/hook-binding.ts';
import { turnHooks } from '../hooks/turn-hooks.ts';
import { bindTools } from './bind-tools.ts';
import type { LiveSession } from '../turn/live-session.ts';
import type { SessionMcp } from '../mcp/session-mcp.ts';
import { memoryAccess, skillMemory } from '../memory/memory-access.ts';
import { notesEvents } from '../memory/session-notes.ts';
import { sessionOutputs } from './outputs.ts';
import type { RuntimeParts } from '../parts.ts';
import { preImages } from '../rewind/pre-images.ts';
import { projectFolder } from './project-folder.ts';
import type { ActivationParts } from '../skills/activate-skill.ts';
import type { AgentParts } from '../agents/agent-task.ts';
import { permittedSkills } from '../agents/skill-permissions.ts';
import { agentAccess, forkAccess } from '../agents/agent-access.ts';
import { skillAccess } from '../skills/skill-access.ts';
import { sessionRestriction, standingLists } from './session-restriction.ts';
import { depthOf } from '../agents/agent-depth.ts';
import { systemPrompt } from './system-prompt.ts';
import { allowedTools, toolsOf } from './tools-of.ts';
import type { TurnBudget } from '../turn/turn-budget.ts';
import { turnModels } from '../turn/turn-models.ts';
import type { PageCache } from '../../web/page-cache.ts';
import { webAccess } from '../web/web-access.ts';
import type { WebParts } from '../web/web-parts.ts';
import type { SessionBrowser } from '../browser/runtime-browser.ts';
import type { PermitParts } from '../permissions/permit.ts';

/** Tools that run at the same time in one turn. */
const PARALLEL_TOOLS = 10;
/** Share of the context window from which the history is compacted, unless the bound skill says otherwise. */
const COMPACT_AT = 0.7;

/** What a turn of a session works with. */
export interface BindSessionParts {
  readonly parts: RuntimeParts;
  readonly session: LiveSession;
  readonly settings: LoadedSettings;
  readonly model: Model;
  /** Runs commands, in the sandbox where there is one. */
  readonly host: Host;
  readonly asksForSandbox: boolean;
  /** See `PermitParts.refusals`. */
  readonly refusals: Map<string, readonly string[]>;
  /** Web pages that were read a short while ago. */
  readonly pages: PageCache;
  readonly browser: SessionBrowser;
  /** See `SandboxGuard`. */
  readonly servers: LocalServers;
  readonly workspace: () => Workspace;
  /** Undefined when the session has no skills. */
  readonly skills: SkillView | undefined;
  readonly tools: readonly Tool[];
  readonly mcp: SessionMcp | undefined;
  /** What the person is to be told of at the beginning of the turn. */
  readonly notices: readonly string[];
  readonly shells: BackgroundShells;
  /** Those in force; see `sessionRules`. */
  readonly rules: () => ParsedRules;
  /** Ends what runs before the loop does. */
  readonly signal: AbortSignal;
  /** Starts sub-agents; undefined where no turn runs. */
  readonly agents: AgentParts | undefined;
  /** See `PermitParts`. */
  readonly agentNamed: PermitParts['agentNamed'];
  /** The one that a sub-agent shares with the turn that runs it; undefined for a turn of its own. */
  readonly budget: TurnBudget | undefined;
  /** The skill that the session is bound to, where its instructions are not in force yet. */
  readonly coming: SkillEntry | undefined;
  /** Names of skills that are to be in force from the beginning. */
  readonly preload: readonly string[];
  /** See `HookSourceParts`. */
  readonly outers: readonly SessionState[];
  /** Real folders of skills that are about to come into force: their hooks and commands use their files. */
  readonly loading: Set<string>;
  /** See `HookBinding`. */
  readonly lifecycle: HookLifecycle;
}

/** Everything that the loop needs for a turn of this session, and what a message brings with it. */
export function bindSession(given: BindSessionParts): BoundSession {
  const { parts, session, settings } = given;
  const { state } = session;
  const options = state.turn?.options ?? {};
  const outputs = sessionOutputs(parts.sessionFolder('outputs', state.session_id));
  const skills = given.skills && permittedSkills(given.skills, state.agent?.skill_permissions);
  const startsAgents = depthOf(state) < settings.values.agents.maxDepth;
  // Without tools a person may still call a skill by its name.
  const usable = given.tools.filter((tool) => (tool.spec.name === 'Skill' ? skills : options.tools !== 'none'));
  const late = async (): Promise<readonly Tool[]> => (options.tools === 'none' ? [] : given.browser.tools());
  const models = turnModels(given);
  const permitParts: PermitParts = {
    state,
    files: parts.host.files,
    rules: given.rules,
    workspace: given.workspace,
    asksForSandbox: given.asksForSandbox,
    refusals: given.refusals,
    skillNamed: async (name) => {
      const found = await skills?.resolve(name);
      return found?.kind === 'found' ? found.entry : undefined;
    },
    agentNamed: given.agentNamed,
    restriction: sessionRestriction(state),
    pageFor: given.browser.pageFor,
  };
  const web: WebParts = { parts, settings: settings.values, permit: permitParts, servers: given.servers, pages: given.pages };
  const activation: ActivationParts = {
    tree: parts.host.tree,
    trust: { of: (skill, digest) => parts.trust.of(skill, digest, changeable(given.workspace())) },
    settings: settings.values,
    isSubAgent: state.parent_run !== undefined,
    cwd: state.cwd,
    sessionId: state.session_id,
    modelOf: models.ofSkill,
    effort: () => effortOf(state) ?? options.effort ?? settings.values.effort,
    shell: parts.host.platform === 'win32' ? 'powershell' : 'bash',
    loading: given.loading,
    memoryOf: async (id) => (settings.values.memory ? skillMemory(parts, { id, cwd: projectFolder(state) }) : undefined),
    contextWindow: () => models.current().info.contextWindow,
    runInjected: (command, grants) => bound.runInjected(command, { grants, signal: given.signal, hooks: ports.hooks }),
  };
  const bound = bindTools({
    tools: usable,
    offered: options.tools === 'none' ? [] : toolsOf(standingLists(state), usable, { remote: given.mcp !== undefined, agents: startsAgents }),
    state,
    host: given.host,
    childEnv: childEnvironment(parts.env, grantedVariables(parts.env, given.rules())),
    shells: given.shells,
    skills: skillAccess({ activation, skills, state, deferred: async () => allowedTools(standingLists(state), [...usable, ...(await late()), ...((await given.mcp?.tools()) ?? [])]).filter((tool) => tool.deferred), problems: async () => (await given.mcp?.problems()) ?? [], fork: forkAccess(given.agents, startsAgents) }),
    agents: agentAccess(given.agents, startsAgents),
    mcp: given.mcp,
    web: webAccess(web),
    browser: given.browser.access(web),
    late,
    memory: memoryAccess(parts, state),
    view: options.skills === undefined ? skills : undefined,
    model: () => models.current(),
    permit: permitParts,
    refusals: given.refusals,
    keepBefore: preImages(parts.sessionFolder('before', state.session_id)).keep,
    newRequestId: () => parts.newId('req'),
  });
  const hooks = hooksOfTurn(given);
  const usualSteps = Math.min(state.bound?.max_steps ?? Infinity, state.agent?.max_steps ?? Infinity, settings.values.maxTurns);
  const cost = given.budget ? given.budget.limitUsd : options.max_cost_usd ?? settings.values.maxCost;
  const ports: AgentPorts = {
    get model() { return models.current(); },
    get system() { return systemPrompt(state, { maxSteps: usualSteps, model: state.model, startsAgents: startsAgents && bound.specs.some(({ name }) => name === 'Task'), systemPrompt: settings.values.systemPrompt, userPrompt: settings.values.userPrompt, mcpServers: bound.specs.some(({ name }) => name === 'CallTool') ? given.mcp?.names : undefined }); },
    specs: bound.specs,
    findTool: bound.find,
    state,
    append: (bodies, appendOptions) => session.append(bodies, appendOptions),
    stage: (bodies) => session.stage(bodies),
    ...(given.agents ? { endRuns: given.agents.endRuns, beforeRequest: given.agents.settleAll } : {}),
    emit: (body) => session.emit(body),
    fitOutcome: outputs.fit,
    hooks,
    limits: { steps: options.max_steps ?? usualSteps, parallelTools: PARALLEL_TOOLS, compactAt: state.bound?.compact_at ?? COMPACT_AT, ...(cost === undefined ? {} : { costUsd: cost }), ...(given.budget ? { spentUsd: given.budget.spentUsd } : {}) },
    get effort() { return effortOf(state) ?? options.effort ?? settings.values.effort; },
    ...(options.output_schema ? { outputSchema: options.output_schema, checkAnswer: answerChecker(options.output_schema) } : {}),
    newRequestId: () => parts.newId('req'),
    now: parts.now,
  };
  const projectNotes = () => notesEvents({ places: parts, state, settings, workspace: given.workspace, rules: given.rules });
  return { ports, hooks, activation, skills, projectNotes, notices: given.notices, servers: given.mcp?.names ?? [], coming: given.coming, preload: given.preload, permit: permitParts, newCallId: () => parts.newId('call') };
}

/** What `Env` rules add to the environment of commands. */
function grantedVariables(env: RuntimeParts['env'], rules: ParsedRules): Record<string, string> {
  return Object.fromEntries(commandGrants(rules).variables.flatMap((name): [string, string][] => (env[name] === undefined ? [] : [[name, env[name]]])));
}

function hooksOfTurn(given: BindSessionParts): TurnHooks {
  const { parts, session: { state }, workspace } = given;
  const resolve = toolResolver(given.tools);
  const known = async (name: string): Promise<Pick<Tool, 'spec' | 'needs'> | undefined> => resolve(name) ?? remoteTool(name) ?? (namesBrowserTool(name) ? toolResolver(await given.browser.tools())(name) : undefined);
  return turnHooks({
    ...given,
    meets: async (rule, { tool, input }) => {
      const { meetsCondition } = await import('../hooks/hook-condition.ts');
      return meetsCondition(rule, { tool: await known(tool), input, files: parts.host.files, cwd: state.cwd, workspace: workspace() });
    },
  });
}

/** What rules say of a tool of an MCP server depends on its name alone. */
function remoteTool(name: string): Pick<Tool, 'spec' | 'needs'> | undefined {
  return name.startsWith('mcp__') ? { spec: { name, description: '', input_schema: {} }, needs: () => [{ action: 'tool' }] } : undefined;
}

/** The effort that the skill loaded last wants for the turn. */
function effortOf(state: SessionState): EffortLevel | undefined {
  return [...state.skill_effects.values()].findLast((effects) => effects.effort !== undefined)?.effort;
}

/**
 * Folders of a session: those it may work in, and those it may read beside them. They were real paths when the session or
 * the skill began; one that something was put in the place of since does not count. Looked up again when a skill comes or goes.
 */
export function sessionWorkspace({ host, home, dataFolder, tenant }: Pick<RuntimeParts, 'host' | 'home' | 'dataFolder' | 'tenant'>, state: SessionState, { outputs, loading }: { readonly outputs: string; readonly loading: ReadonlySet<string> }): () => Workspace {
  const isStill = (folder: string): boolean => realOrSame(host.tree, folder) === folder;
  const fixed = { roots: [state.cwd, ...state.add_dirs].filter(isStill), home: realOrSame(host.tree, home), closed: [realOrSame(host.tree, tenant?.allData ?? dataFolder)], ...(tenant?.confinedTo === undefined ? {} : { confined: true }), ...(state.agent?.worktree ? { copyOf: state.agent.worktree.of } : {}) };
  let known: { readonly skills: string; readonly workspace: Workspace } | undefined;
  return () => {
    const skills = [...state.skills.keys(), ...loading].join('\n');
    if (known?.skills !== skills) {
      const readableRoots = [...[...state.skills.values()].map((skill) => skill.folder), ...loading, outputs].filter(isStill);
      known = { skills, workspace: { ...fixed, readableRoots } };
    }
    return known.workspace;
  };
}
