import type { SkillEntry } from '../skills/discover/skill-entry.ts';
import { boundSkill } from './bound-skill.ts';
import type { EventBody, TurnOptions } from '../protocol/events.ts';
import type { ReadTree } from '../host/host.ts';
import type { ChosenModel } from './choose-model.ts';
import { checkSchema } from './answer-checker.ts';
import { toolsOf } from './tools-of.ts';
import { describeEnvironment } from './environment.ts';
import { existingFolder } from './existing-folder.ts';
import { settingsHooks } from './hooks/hook-sources.ts';
import type { LiveSession } from './live-session.ts';
import type { RuntimeParts } from './parts.ts';
import type { PromptRequest } from './runtime.ts';
import type { Prepared } from './session-binder.ts';
import { checkTypedRules, ruleNotices } from './session-rules.ts';
import { restrictionsFor, standingLists } from './session-restriction.ts';
import { agentTypeOf, isKnownAgent, toolsOfFork } from './skills/agent-type.ts';
import type { TurnBudget } from './turn-budget.ts';
import type { ChildTask } from './skills/fork-skill.ts';
import type { SessionState } from '../protocol/session-state.ts';
import type { Tool } from '../tools/define.ts';

/** What a prompt sets for its turn. Rejects rules that cannot be understood with a usage error. */
export function turnOptions(request: PromptRequest): TurnOptions {
  checkTypedRules({ allow: request.allow ?? [], deny: request.deny ?? [] });
  if (request.outputSchema) checkSchema(request.outputSchema);
  return {
    ...(request.tools === 'none' ? { tools: 'none' } : {}),
    ...(request.skills === 'none' ? { skills: 'none' } : {}),
    ...(request.maxSteps === undefined ? {} : { max_steps: request.maxSteps }),
    ...(request.maxCostUsd === undefined ? {} : { max_cost_usd: request.maxCostUsd }),
    ...(request.effort === undefined ? {} : { effort: request.effort }),
    ...(request.outputSchema === undefined ? {} : { output_schema: request.outputSchema }),
    ...(request.allow?.length ? { allow: request.allow } : {}),
    ...(request.deny?.length ? { deny: request.deny } : {}),
    ...(request.sandbox === undefined ? {} : { sandbox: request.sandbox }),
  };
}

/** The events that every session begins with. `skill` is the one that it is bound to. */
export async function firstEvents(given: { readonly parts: RuntimeParts; readonly request: PromptRequest & { readonly cwd: string }; readonly chosen: ChosenModel; readonly prepared: Prepared; readonly options: TurnOptions; readonly skill: SkillEntry | undefined }): Promise<readonly EventBody[]> {
  const { parts, request, chosen, prepared, options, skill } = given;
  const bound = skill && boundSkill(skill, request.cwd);
  const ofHooks = (await settingsHooks(prepared.settings)).flatMap(({ problems }) => problems);
  const notices = [...prepared.settings.notices, ...ofHooks, ...(await ruleNotices(parts.host.tree, prepared.settings)), ...(chosen.notice === undefined ? [] : [chosen.notice]), ...costNotice(chosen, request)];
  return [
    {
      type: 'session.started',
      cwd: request.cwd,
      model: chosen.name,
      permission_mode: request.mode ?? prepared.settings.values.permissions.mode,
      tools: options.tools === 'none' ? [] : toolsOf(standingLists({ bound, restrictions: {} }), prepared.tools).map((tool) => tool.spec.name),
      skills_total: prepared.skills?.total ?? 0,
      sandbox: prepared.sandbox.state,
      environment: describeEnvironment(parts.host.tree, request.cwd, { platform: parts.host.platform, now: parts.now() }),
      ...addedFolders(parts.host.tree, request, prepared),
      ...(bound ? { bound } : {}),
    },
    ...notices.map((message): EventBody => ({ type: 'warning', code: 'settings', message })),
    ...(prepared.sandbox.notice === undefined ? [] : [{ type: 'warning', code: 'not_isolated', message: prepared.sandbox.notice } as const]),
  ];
}

function addedFolders(tree: ReadTree, request: PromptRequest, prepared: Prepared): { readonly add_dirs?: readonly string[] } {
  const folders = [...prepared.settings.values.addDirs, ...(request.addDirs ?? [])].map((folder) => existingFolder(tree, folder));
  return folders.length > 0 ? { add_dirs: folders } : {};
}

function costNotice({ name, model }: ChosenModel, { maxCostUsd }: PromptRequest): readonly string[] {
  return maxCostUsd !== undefined && !model.info.price ? [`The price of ${name} is not known, so --max-cost has no effect. Add it as "price" to the model in config.json.`] : [];
}

/** The events that the session of a sub-agent begins with: its folder, model, mode and rights are those of the session that starts it. */
export function childEvents(given: { readonly parent: SessionState; readonly task: ChildTask; readonly model: string; readonly tools: readonly Tool[] }): readonly EventBody[] {
  const { parent, task, model, tools } = given;
  const { cwd, permission_mode, sandbox, environment, add_dirs } = parent;
  const own = boundSkill(task.skill, cwd);
  const restrictions = restrictionsFor(parent);
  const allowed = toolsOfFork(task.skill, own.allowed_tools);
  const maxSteps = stepsOf(task.skill);
  const bound = { ...own, ...(allowed ? { allowed_tools: allowed } : {}), ...(maxSteps === undefined ? {} : { max_steps: maxSteps }) };
  const unknown = isKnownAgent(task.skill) ? [] : [`The skill ${task.skill.id} asks for the agent "${task.skill.frontmatter.agent ?? ''}", which does not exist; general-purpose runs it.`];
  return [
    { type: 'session.started', cwd, model, permission_mode, tools: toolsOf(standingLists({ bound, restrictions }), tools).map((tool) => tool.spec.name), skills_total: 0, sandbox, environment, ...(add_dirs.length > 0 ? { add_dirs } : {}), bound, parent: { session_id: parent.session_id, task_id: task.taskId }, ...(Object.keys(restrictions).length > 0 ? { restrictions } : {}) },
    ...unknown.map((message): EventBody => ({ type: 'warning', code: 'agent_unknown', message })),
  ];
}

/** The event that begins a turn. */
export function turnStarted(parts: RuntimeParts, request: Pick<PromptRequest, 'text' | 'attachments'>, options: TurnOptions): EventBody {
  return {
    type: 'turn.started',
    turn_id: parts.newId('turn'),
    input: [{ type: 'text', text: request.text }, ...(request.attachments ?? [])],
    ...(Object.keys(options).length > 0 ? { options } : {}),
  };
}

/** What the turn of a sub-agent inherits of the turn that starts it; a skill cannot widen a limit that the person has set. */
export function childOptions(outer: TurnOptions, skill: SkillEntry, budget: TurnBudget): TurnOptions {
  const { output_schema: _form, ...inherited } = outer;
  return {
    ...inherited,
    ...(outer.max_steps === undefined ? {} : { max_steps: Math.min(outer.max_steps, stepsOf(skill) ?? Infinity) }),
    // For a later turn of its own; within this one it shares what is left.
    ...(budget.limitUsd === undefined ? {} : { max_cost_usd: Math.max(0, budget.limitUsd - budget.spentUsd()) }),
  };
}

function stepsOf(skill: SkillEntry): number | undefined {
  return skill.frontmatter.maxIterations ?? agentTypeOf(skill).maxSteps;
}

/** A turn may run its commands otherwise than the one before; the log and the person are told. */
export function sandboxEvents({ state }: Pick<LiveSession, 'state'>, { sandbox }: Pick<Prepared, 'sandbox'>, options: TurnOptions): readonly EventBody[] {
  if (options.tools === 'none' || sandbox.state === state.sandbox) return [];
  return [{ type: 'sandbox.changed', sandbox: sandbox.state }, ...(sandbox.notice === undefined ? [] : [{ type: 'warning', code: 'not_isolated', message: sandbox.notice } as const])];
}
