import type { AgentPorts } from '../agent/ports.ts';
import type { LoadedSettings } from '../config/load-settings.ts';
import { childEnvironment } from '../host/child-environment.ts';
import type { Host } from '../host/host.ts';
import type { Model } from '../model/model.ts';
import { restrictTo } from '../permissions/restrict.ts';
import { parseRule } from '../permissions/rule.ts';
import type { Workspace } from '../permissions/places.ts';
import type { BoundSkill } from '../protocol/events.ts';
import type { SessionState } from '../protocol/session-state.ts';
import { realOrSame } from '../config/read-settings.ts';
import { parseToolSpecifiers, skillAllows } from '../skills/activate/tool-grant.ts';
import type { SkillView } from '../skills/skill-view.ts';
import type { BackgroundShells } from '../tools/background-shells.ts';
import type { Tool } from '../tools/define.ts';
import { toolResolver } from '../tools/tool-set.ts';
import { answerChecker } from './answer-checker.ts';
import { bindHooks, type HookLifecycle } from './bind-hooks.ts';
import { bindTools } from './bind-tools.ts';
import { meetsCondition } from './hook-condition.ts';
import type { LiveSession } from './live-session.ts';
import { sessionOutputs } from './outputs.ts';
import type { RuntimeParts } from './parts.ts';
import { sessionRules } from './session-rules.ts';
import { loadSkill } from './skill-library.ts';
import { systemPrompt } from './system-prompt.ts';

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
  readonly workspace: () => Workspace;
  /** Undefined when the session has no skills. */
  readonly skills: SkillView | undefined;
  readonly tools: readonly Tool[];
  readonly shells: BackgroundShells;
  readonly storedRules: readonly string[];
  /** See `HookBinding`. */
  readonly lifecycle?: HookLifecycle;
}

/** Everything that the loop needs for a turn of this session. */
export function bindSession(given: BindSessionParts): AgentPorts {
  const { parts, session, settings, model } = given;
  const { state } = session;
  const options = state.turn?.options ?? {};
  const outputs = sessionOutputs(parts.host.files, parts.workFolder, state.session_id);
  const { skills } = given;
  const usable = options.tools === 'none' ? [] : given.tools.filter((tool) => skills || tool.spec.name !== 'Skill');
  const bound = bindTools({
    tools: usable,
    offered: toolsOf(state.bound, usable),
    state,
    host: given.host,
    childEnv: childEnvironment(parts.env),
    shells: given.shells,
    skills: { load: (name, args) => loadSkill(skills, parts, name, args) },
    model,
    permit: {
      state,
      files: parts.host.files,
      rules: sessionRules(state, { settings, stored: given.storedRules }),
      workspace: given.workspace,
      asksForSandbox: given.asksForSandbox,
      ...(state.bound?.allowed_tools ? { restriction: restrictionOf(state.bound.allowed_tools) } : {}),
    },
  });
  const resolve = toolResolver(given.tools);
  const hooks = bindHooks({ ...given, meets: async (rule, call) => meetsCondition(rule, { tool: resolve(call.tool), input: call.input, files: parts.host.files, cwd: state.cwd, workspace: given.workspace() }) });
  const usualSteps = state.bound?.max_steps ?? settings.values.maxTurns;
  const cost = options.max_cost_usd ?? settings.values.maxCost;
  const effort = options.effort ?? settings.values.effort;
  return {
    model,
    system: systemPrompt(state, { maxSteps: usualSteps, model: state.model, systemPrompt: settings.values.systemPrompt, userPrompt: settings.values.userPrompt }),
    specs: bound.specs,
    findTool: bound.find,
    state,
    append: (bodies, appendOptions) => session.append(bodies, appendOptions),
    stage: (bodies) => session.stage(bodies),
    emit: (body) => session.emit(body),
    fitOutcome: outputs.fit,
    hooks,
    limits: { steps: options.max_steps ?? usualSteps, parallelTools: PARALLEL_TOOLS, compactAt: state.bound?.compact_at ?? COMPACT_AT, ...(cost === undefined ? {} : { costUsd: cost }) },
    ...(effort === undefined ? {} : { effort }),
    ...(options.output_schema ? { outputSchema: options.output_schema, checkAnswer: answerChecker(options.output_schema) } : {}),
    newRequestId: () => parts.newId('req'),
    now: parts.now,
  };
}

/**
 * Folders of a session: those it may work in, and those it may read beside them. They were real paths when the session or
 * the skill began; one that something was put in the place of since does not count. Looked up again when a skill comes or goes.
 */
export function sessionWorkspace({ host, home }: Pick<RuntimeParts, 'host' | 'home'>, state: SessionState, outputs: string): () => Workspace {
  const isStill = (folder: string): boolean => realOrSame(host.tree, folder) === folder;
  const fixed = { roots: [state.cwd, ...state.add_dirs].filter(isStill), home: realOrSame(host.tree, home) };
  let known: { readonly skills: string; readonly workspace: Workspace } | undefined;
  return () => {
    const skills = [...state.skills.keys()].join('\n');
    if (known?.skills !== skills) {
      const readableRoots = [...[...state.skills.values()].map((skill) => skill.folder), outputs].filter(isStill);
      known = { skills, workspace: { ...fixed, readableRoots } };
    }
    return known.workspace;
  };
}

/** The tools that a bound skill lists, or all. */
export function toolsOf(bound: BoundSkill | undefined, tools: readonly Tool[]): readonly Tool[] {
  if (!bound?.allowed_tools) return tools;
  const specifiers = parseToolSpecifiers(bound.allowed_tools, { folder: '' });
  return tools.filter((tool) => skillAllows(specifiers, tool.spec.name).kind !== 'denied');
}

/** Entries that cannot be understood allow nothing. */
function restrictionOf(allowedTools: readonly string[]): ReturnType<typeof restrictTo> {
  return restrictTo(allowedTools.flatMap((text) => {
    const parsed = parseRule(text, { purpose: 'restrict' });
    return 'rule' in parsed ? [parsed.rule] : [];
  }));
}
