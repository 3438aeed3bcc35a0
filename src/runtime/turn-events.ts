import { pluginRootOf } from '../skills/activate/plugin-root.ts';
import { parseToolSpecifiers } from '../skills/activate/tool-grant.ts';
import type { SkillEntry } from '../skills/discover/skill-entry.ts';
import type { BoundSkill, EventBody, TurnOptions } from '../protocol/events.ts';
import type { ReadTree } from '../host/host.ts';
import { isObject } from '../protocol/json.ts';
import type { ChosenModel } from './choose-model.ts';
import { checkSchema } from './answer-checker.ts';
import { toolsOf } from './bind-session.ts';
import { describeEnvironment } from './environment.ts';
import { existingFolder } from './existing-folder.ts';
import type { RuntimeParts } from './parts.ts';
import type { PromptRequest } from './runtime.ts';
import type { Prepared } from './session-binder.ts';
import { checkTypedRules, ruleNotices } from './session-rules.ts';
import { activate, bindableSkill } from './skill-library.ts';

/** Share of the context window that a skill may ask to be compacted from. */
const COMPACT_AT = { least: 0.2, most: 0.95 } as const;

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

/** The events that every session begins with. */
export async function firstEvents(given: { readonly parts: RuntimeParts; readonly request: PromptRequest & { readonly cwd: string }; readonly chosen: ChosenModel; readonly prepared: Prepared; readonly options: TurnOptions }): Promise<readonly EventBody[]> {
  const { parts, request, chosen, prepared, options } = given;
  const skill = request.skill === undefined || !prepared.skills ? undefined : await bindableSkill(prepared.skills, parts.host, request.cwd, request.skill);
  const bound = skill && boundSkill(skill, request.cwd);
  const notices = [...prepared.settings.notices, ...ruleNotices(prepared.settings), ...(chosen.notice === undefined ? [] : [chosen.notice]), ...costNotice(chosen, request)];
  return [
    {
      type: 'session.started',
      cwd: request.cwd,
      model: chosen.name,
      permission_mode: request.mode ?? prepared.settings.values.permissions.mode,
      tools: options.tools === 'none' ? [] : toolsOf(bound, prepared.tools).map((tool) => tool.spec.name),
      skills_total: prepared.skills?.total ?? 0,
      sandbox: prepared.sandbox.state,
      environment: describeEnvironment(parts.host.tree, request.cwd, { platform: parts.host.platform, now: parts.now() }),
      ...addedFolders(parts.host.tree, request, prepared),
      ...(bound ? { bound } : {}),
    },
    ...(skill ? [await activate(parts.host, skill, 'bound')] : []),
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

function boundSkill(skill: SkillEntry, projectDir: string): BoundSkill {
  const { allowedTools, maxIterations } = skill.frontmatter;
  const compactAt = compactShare(skill);
  return {
    skill_id: skill.id,
    ...(allowedTools ? { allowed_tools: parseToolSpecifiers(allowedTools, { folder: skill.folder, projectDir, pluginRoot: pluginRootOf(skill) }).map(({ tool, spec }) => (spec === undefined ? tool : `${tool}(${spec})`)) } : {}),
    ...(maxIterations === undefined ? {} : { max_steps: maxIterations }),
    ...(compactAt === undefined ? {} : { compact_at: compactAt }),
  };
}

/** `compact_at` in the frontmatter or its metadata, within what makes sense. */
function compactShare({ frontmatter }: SkillEntry): number | undefined {
  const metadata = isObject(frontmatter.metadata) ? frontmatter.metadata['compact_at'] : undefined;
  const value = Number(frontmatter.other['compact_at'] ?? metadata);
  return value >= COMPACT_AT.least && value <= COMPACT_AT.most ? value : undefined;
}
