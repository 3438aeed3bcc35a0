import type { AgentFacts, EventBody, TurnOptions } from '../../protocol/events.ts';
import type { SessionState } from '../../protocol/session-state.ts';
import { stricterOf } from '../../permissions/mode.ts';
import { parseToolSpecifiers } from '../../skills/activate/tool-grant.ts';
import type { Tool } from '../../tools/define.ts';
import { boundSkill } from '../skills/bound-skill.ts';
import { projectFolder } from '../session/project-folder.ts';
import { restrictionsFor, standingLists } from '../session/session-restriction.ts';
import { toolsOf } from '../session/tools-of.ts';
import type { TurnBudget } from '../turn/turn-budget.ts';
import { depthOf } from './agent-depth.ts';
import type { AgentTask } from './agent-task.ts';
import type { Worktree } from './git-worktree.ts';
import { listAgents } from './list-agents.ts';
import type { AgentCatalogue } from './agent-profile.ts';

/** What the session of a sub-agent begins with. */
export interface ChildBeginning {
  readonly parent: SessionState;
  readonly task: AgentTask;
  readonly model: string;
  /** The one that was made for the task. */
  readonly worktree: Worktree | undefined;
  readonly tools: readonly Tool[];
  /** Agents that it may start itself; undefined where it may start none. */
  readonly catalogue: AgentCatalogue | undefined;
  readonly skillsTotal: number;
  /** What of the task's profile does not count here. */
  readonly notices: readonly string[];
}

/** The events that the session of a sub-agent begins with: its folder, model, mode and rights are those of the session that starts it, or less. */
export function childEvents({ parent, task, model, worktree, tools, catalogue, skillsTotal, notices }: ChildBeginning): readonly EventBody[] {
  const { sandbox, add_dirs } = parent;
  const cwd = worktree?.folder ?? parent.cwd;
  const environment = worktree ? { ...parent.environment, git_branch: worktree.branch } : parent.environment;
  const agent = { ...agentFacts(parent, task), ...worktreeFacts(parent, worktree) };
  const bound = task.skill && boundSkill(task.skill, projectFolder(parent));
  const restrictions = restrictionsFor(parent);
  const offered = toolsOf(standingLists({ bound, restrictions, agent }), tools, { agents: catalogue !== undefined });
  const listed = catalogue ? listAgents(catalogue) : [];
  return [
    {
      type: 'session.started', cwd, model,
      permission_mode: childMode(parent, agent),
      tools: offered.map((tool) => tool.spec.name),
      skills_total: skillsTotal,
      sandbox, environment,
      ...(add_dirs.length > 0 ? { add_dirs } : {}),
      ...(bound ? { bound } : {}),
      parent: { session_id: parent.session_id, task_id: task.taskId },
      ...(Object.keys(restrictions).length > 0 ? { restrictions } : {}),
      agent,
      ...(listed.length > 0 ? { agents: listed } : {}),
    },
    ...[...(task.profile.notices ?? []), ...notices].map((message): EventBody => ({ type: 'warning', code: 'agent', message })),
  ];
}

/** The mode of a sub-agent: that of the session that has started it, or a stricter one of its own. */
export function childMode(parent: Pick<SessionState, 'permission_mode'>, agent: AgentFacts | undefined): SessionState['permission_mode'] {
  return agent?.mode === undefined ? parent.permission_mode : stricterOf(parent.permission_mode, agent.mode);
}

/** Those of the task, or those of the agent that starts it, in whose folder it works. */
function worktreeFacts({ agent }: SessionState, worktree: Worktree | undefined): Pick<AgentFacts, 'worktree'> {
  if (!worktree) return agent?.worktree ? { worktree: agent.worktree } : {};
  const { of, branch, base } = worktree;
  return { worktree: { of, branch, base } };
}

function agentFacts(parent: SessionState, task: AgentTask): AgentFacts {
  const { profile, allowedTools } = task;
  const entries = (list: readonly string[]): readonly string[] => parseToolSpecifiers(list, { folder: '', projectDir: parent.cwd }).map(({ tool, spec }) => (spec === undefined ? tool : `${tool}(${spec})`));
  const lists = [profile.tools, allowedTools].flatMap((list) => (list ? [entries(list)] : []));
  const maxSteps = stepsOf(task);
  const permissions = [...(parent.agent?.skill_permissions ?? []), ...(profile.skillPermissions ? [profile.skillPermissions] : [])];
  return {
    type: profile.name,
    depth: depthOf(parent) + 1,
    ...(profile.instructions === undefined ? {} : { instructions: profile.instructions }),
    ...(lists.length > 0 ? { allowed_tools: lists } : {}),
    ...(profile.disallowedTools ? { disallowed_tools: entries(profile.disallowedTools) } : {}),
    ...(profile.readOnly || parent.agent?.read_only ? { read_only: true } : {}),
    ...(profile.mode === undefined ? {} : { mode: profile.mode }),
    ...(maxSteps === undefined ? {} : { max_steps: maxSteps }),
    ...(permissions.length > 0 ? { skill_permissions: permissions } : {}),
  };
}

/** What the turn of a sub-agent inherits of the turn that starts it; neither a skill nor an agent can widen a limit that the person has set. */
export function childOptions(outer: TurnOptions, task: AgentTask, budget: TurnBudget): TurnOptions {
  const { output_schema: _form, ...inherited } = outer;
  return {
    ...inherited,
    ...(outer.max_steps === undefined ? {} : { max_steps: Math.min(outer.max_steps, stepsOf(task) ?? Infinity) }),
    // For a later turn of its own; within this one it shares what is left.
    ...(budget.limitUsd === undefined ? {} : { max_cost_usd: Math.max(0, budget.limitUsd - budget.spentUsd()) }),
  };
}

function stepsOf({ profile, skill }: Pick<AgentTask, 'profile' | 'skill'>): number | undefined {
  return skill?.frontmatter.maxIterations ?? profile.maxSteps;
}
