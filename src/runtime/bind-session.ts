import type { AgentPorts } from '../agent/ports.ts';
import type { LoadedSettings } from '../config/load-settings.ts';
import { childEnvironment } from '../host/child-environment.ts';
import type { Host } from '../host/host.ts';
import type { Model } from '../model/model.ts';
import { commandGrants } from '../permissions/command-grants.ts';
import type { Workspace } from '../permissions/places.ts';
import type { ParsedRules } from '../permissions/rules.ts';
import type { EffortLevel } from '../protocol/events.ts';
import type { SessionState } from '../protocol/session-state.ts';
import { realOrSame } from '../config/read-settings.ts';
import { failed, type ToolOutcome } from '../protocol/tool.ts';
import type { SkillEntry } from '../skills/discover/skill-entry.ts';
import type { SkillView } from '../skills/skill-view.ts';
import type { BackgroundShells } from '../tools/background-shells.ts';
import type { Tool } from '../tools/define.ts';
import { toolResolver } from '../tools/tool-set.ts';
import { answerChecker } from './answer-checker.ts';
import type { BoundSession } from './begin-turn.ts';
import { bindHooks, type HookLifecycle, type TurnHooks } from './hooks/bind-hooks.ts';
import { bindTools } from './bind-tools.ts';
import { meetsCondition } from './hooks/hook-condition.ts';
import type { LiveSession } from './live-session.ts';
import { sessionOutputs } from './outputs.ts';
import type { RuntimeParts } from './parts.ts';
import type { ActivationParts } from './skills/activate-skill.ts';
import { forkSkill, resumeFork, type ForkParts } from './skills/fork-skill.ts';
import { skillAccess, type SkillAccessParts } from './skills/skill-access.ts';
import { sessionRestriction, standingLists } from './session-restriction.ts';
import { systemPrompt } from './system-prompt.ts';
import { allowedTools, toolsOf } from './tools-of.ts';
import type { TurnBudget } from './turn-budget.ts';
import { turnModels } from './turn-models.ts';
import type { PermitParts } from './permit.ts';

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
  readonly workspace: () => Workspace;
  /** Undefined when the session has no skills. */
  readonly skills: SkillView | undefined;
  readonly tools: readonly Tool[];
  readonly shells: BackgroundShells;
  /** Those in force; see `sessionRules`. */
  readonly rules: () => ParsedRules;
  /** Ends what runs before the loop does. */
  readonly signal: AbortSignal;
  /** Starts sub-agents; undefined where no turn runs. */
  readonly fork: ForkParts | undefined;
  /** The one that a sub-agent shares with the turn that runs it; undefined for a turn of its own. */
  readonly budget: TurnBudget | undefined;
  /** The skill that the session is bound to, where its instructions are not in force yet. */
  readonly coming: SkillEntry | undefined;
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
  const outputs = sessionOutputs(parts.host.files, parts.workFolder, state.session_id);
  const { skills } = given;
  // Without tools a person may still call a skill by its name.
  const usable = given.tools.filter((tool) => (tool.spec.name === 'Skill' ? skills : options.tools !== 'none'));
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
    restriction: sessionRestriction(state),
  };
  const activation: ActivationParts = {
    tree: parts.host.tree,
    trust: { of: (skill, digest) => parts.trust.of(skill, digest, given.workspace().roots) },
    settings: settings.values,
    isSubAgent: state.parent_run !== undefined,
    cwd: state.cwd,
    sessionId: state.session_id,
    modelOf: models.ofSkill,
    effort: () => effortOf(state) ?? options.effort ?? settings.values.effort,
    shell: parts.host.platform === 'win32' ? 'powershell' : 'bash',
    loading: given.loading,
    contextWindow: () => models.current().info.contextWindow,
    runInjected: (command, grants) => bound.runInjected(command, { grants, signal: given.signal, hooks: ports.hooks }),
  };
  const bound = bindTools({
    tools: usable,
    offered: options.tools === 'none' ? [] : toolsOf(standingLists(state), usable),
    state,
    host: given.host,
    childEnv: childEnvironment(parts.env, grantedVariables(parts.env, given.rules())),
    shells: given.shells,
    skills: skillAccess({ activation, skills, state, deferred: allowedTools(standingLists(state), usable).filter((tool) => tool.deferred), fork: forkOf(given.fork) }),
    view: skills,
    model: () => models.current(),
    permit: permitParts,
    refusals: given.refusals,
  });
  const hooks = hooksOfTurn(given);
  const usualSteps = Math.min(state.bound?.max_steps ?? Infinity, settings.values.maxTurns);
  const cost = given.budget ? given.budget.limitUsd : options.max_cost_usd ?? settings.values.maxCost;
  const ports: AgentPorts = {
    get model() { return models.current(); },
    get system() { return systemPrompt(state, { maxSteps: usualSteps, model: state.model, systemPrompt: settings.values.systemPrompt, userPrompt: settings.values.userPrompt }); },
    specs: bound.specs,
    findTool: bound.find,
    state,
    append: (bodies, appendOptions) => session.append(bodies, appendOptions),
    stage: (bodies) => session.stage(bodies),
    ...(given.fork ? { endRuns: given.fork.endRuns } : {}),
    emit: (body) => session.emit(body),
    fitOutcome: outputs.fit,
    hooks,
    limits: { steps: options.max_steps ?? usualSteps, parallelTools: PARALLEL_TOOLS, compactAt: state.bound?.compact_at ?? COMPACT_AT, ...(cost === undefined ? {} : { costUsd: cost }), ...(given.budget ? { spentUsd: given.budget.spentUsd } : {}) },
    get effort() { return effortOf(state) ?? options.effort ?? settings.values.effort; },
    ...(options.output_schema ? { outputSchema: options.output_schema, checkAnswer: answerChecker(options.output_schema) } : {}),
    newRequestId: () => parts.newId('req'),
    now: parts.now,
  };
  return { ports, hooks, activation, skills, coming: given.coming, newCallId: () => parts.newId('call') };
}

/** What `Env` rules add to the environment of commands. */
function grantedVariables(env: RuntimeParts['env'], rules: ParsedRules): Record<string, string> {
  return Object.fromEntries(commandGrants(rules).variables.flatMap((name): [string, string][] => (env[name] === undefined ? [] : [[name, env[name]]])));
}

function hooksOfTurn(given: BindSessionParts): TurnHooks {
  const { parts, session: { state }, workspace } = given;
  const resolve = toolResolver(given.tools);
  return bindHooks({ ...given, meets: async (rule, { tool, input }) => meetsCondition(rule, { tool: resolve(tool), input, files: parts.host.files, cwd: state.cwd, workspace: workspace() }) });
}

function forkOf(fork: ForkParts | undefined): SkillAccessParts['fork'] {
  const none = async (): Promise<ToolOutcome> => failed('No sub-agent can run here.');
  if (!fork) return { start: none, resume: none };
  return { start: (entry, args, call) => forkSkill(fork, entry, args, call), resume: (call, answered) => resumeFork(fork, call, answered) };
}

/** The effort that the skill loaded last wants for the turn. */
function effortOf(state: SessionState): EffortLevel | undefined {
  return [...state.skill_effects.values()].findLast((effects) => effects.effort !== undefined)?.effort;
}

/**
 * Folders of a session: those it may work in, and those it may read beside them. They were real paths when the session or
 * the skill began; one that something was put in the place of since does not count. Looked up again when a skill comes or goes.
 */
export function sessionWorkspace({ host, home, dataFolder }: Pick<RuntimeParts, 'host' | 'home' | 'dataFolder'>, state: SessionState, { outputs, loading }: { readonly outputs: string; readonly loading: ReadonlySet<string> }): () => Workspace {
  const isStill = (folder: string): boolean => realOrSame(host.tree, folder) === folder;
  const fixed = { roots: [state.cwd, ...state.add_dirs].filter(isStill), home: realOrSame(host.tree, home), closed: [realOrSame(host.tree, dataFolder)] };
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
