import type { SkillEntry } from '../../skills/discover/skill-entry.ts';
import { boundSkill } from '../skills/bound-skill.ts';
import type { EventBody, TurnOptions } from '../../protocol/events.ts';
import type { ReadTree } from '../../host/host.ts';
import type { ChosenModel } from './choose-model.ts';
import { checkSchema } from './answer-checker.ts';
import { toolsOf } from '../session/tools-of.ts';
import { describeEnvironment } from '../session/environment.ts';
import { listAgents } from '../agents/list-agents.ts';
import { furtherFolders } from './further-folders.ts';
import { settingsHooks } from '../hooks/settings-hooks.ts';
import type { LiveSession } from './live-session.ts';
import type { RuntimeParts } from '../parts.ts';
import type { PromptRequest } from '../runtime.ts';
import type { StandingAgent } from './standing-agent.ts';
import type { Prepared } from '../session/session-binder.ts';
import { checkTypedRules, ruleNotices } from '../permissions/session-rules.ts';
import { standingLists } from '../session/session-restriction.ts';

/** What a prompt sets for its turn. Rejects rules that cannot be understood with a usage error. */
export function turnOptions(request: PromptRequest): TurnOptions {
  checkTypedRules({ allow: request.allow ?? [], deny: request.deny ?? [] });
  if (request.outputSchema) checkSchema(request.outputSchema);
  return {
    ...(request.tools === 'none' ? { tools: 'none' } : {}),
    ...(request.skills === undefined || request.skills === 'offer' ? {} : { skills: request.skills }),
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
export async function firstEvents(given: { readonly parts: RuntimeParts; readonly request: Omit<PromptRequest, 'text'> & { readonly cwd: string }; readonly chosen: ChosenModel; readonly prepared: Prepared; readonly options: TurnOptions; readonly skill: SkillEntry | undefined; readonly standing?: StandingAgent | undefined }): Promise<readonly EventBody[]> {
  const { parts, request, chosen, prepared, options, skill, standing } = given;
  const { agent, restrictions = {} } = standing ?? {};
  const bound = skill && boundSkill(skill, request.cwd);
  const ofHooks = (await settingsHooks(prepared.settings)).flatMap(({ problems }) => problems);
  const startsAgents = prepared.settings.values.agents.maxDepth > 0;
  const catalogue = await prepared.agents();
  const agents = startsAgents ? listAgents(catalogue) : [];
  const unusable = catalogue.problems.map(({ name, path, reason }) => `The agent ${name} cannot be used: ${reason} (${path}).`);
  const notices = [...prepared.settings.notices, ...ofHooks, ...(await ruleNotices(parts.host.tree, prepared.settings)), ...(chosen.notice === undefined ? [] : [chosen.notice]), ...costNotice(chosen, request), ...unusable];
  return [
    {
      type: 'session.started',
      cwd: request.cwd,
      model: chosen.name,
      permission_mode: request.mode ?? prepared.settings.values.permissions.mode,
      tools: options.tools === 'none' ? [] : toolsOf(standingLists({ bound, restrictions, agent }), prepared.tools, { remote: prepared.mcp !== undefined, agents: startsAgents }).map((tool) => tool.spec.name),
      skills_total: prepared.skills?.total ?? 0,
      sandbox: prepared.sandbox.state,
      environment: describeEnvironment(parts.host.tree, request.cwd, { platform: parts.host.platform, now: parts.now() }),
      ...addedFolders(parts.host.tree, request, prepared),
      ...(bound ? { bound } : {}),
      ...(Object.keys(restrictions).length > 0 ? { restrictions } : {}),
      ...(agent ? { agent } : {}),
      ...(agents.length > 0 ? { agents } : {}),
    },
    ...notices.map((message): EventBody => ({ type: 'warning', code: 'settings', message })),
    ...(prepared.sandbox.notice === undefined ? [] : [{ type: 'warning', code: 'not_isolated', message: prepared.sandbox.notice } as const]),
  ];
}

function addedFolders(tree: ReadTree, request: Pick<PromptRequest, 'addDirs'>, prepared: Prepared): { readonly add_dirs?: readonly string[] } {
  const folders = furtherFolders(tree, prepared.settings.values.addDirs, request.addDirs ?? []);
  return folders.length > 0 ? { add_dirs: folders } : {};
}

function costNotice({ name, model }: ChosenModel, { maxCostUsd }: Pick<PromptRequest, 'maxCostUsd'>): readonly string[] {
  return maxCostUsd !== undefined && !model.info.price ? [`The price of ${name} is not known, so --max-cost has no effect. Add it as "price" to the model in config.json.`] : [];
}

/** The event that begins a turn. */
export function turnStarted(parts: RuntimeParts, request: Pick<PromptRequest, 'text' | 'attachments' | 'key'> & { readonly note?: string }, options: TurnOptions): EventBody {
  return {
    type: 'turn.started',
    turn_id: parts.newId('turn'),
    input: [{ type: 'text', text: request.text }, ...(request.attachments ?? [])],
    ...(Object.keys(options).length > 0 ? { options } : {}),
    ...(request.note === undefined ? {} : { note: request.note }),
    ...(request.key === undefined ? {} : { key: request.key }),
  };
}

/** A turn may run its commands otherwise than the one before; the log and the person are told. */
export function sandboxEvents({ state }: Pick<LiveSession, 'state'>, { sandbox }: Pick<Prepared, 'sandbox'>, options: TurnOptions): readonly EventBody[] {
  if (options.tools === 'none' || sandbox.state === state.sandbox) return [];
  return [{ type: 'sandbox.changed', sandbox: sandbox.state }, ...(sandbox.notice === undefined ? [] : [{ type: 'warning', code: 'not_isolated', message: sandbox.notice } as const])];
}
