import type { EffortLevel, SkillEffects } from '../../protocol/events.ts';
import { parseToolSpecifiers } from '../../skills/activate/tool-grant.ts';
import type { SkillEntry } from '../../skills/discover/skill-entry.ts';

const EFFORTS: readonly string[] = ['low', 'medium', 'high', 'xhigh', 'max'] satisfies readonly EffortLevel[];

/** What decides on the effects of a skill. */
export interface EffectOptions {
  readonly trusted: boolean;
  /** The session's folder. */
  readonly projectDir: string;
  /** False where the person bound the session to the skill: its list then only takes away. */
  readonly grants: boolean;
  /** Setting `skills.allowedTools`. */
  readonly allowedTools: 'grant' | 'restrict';
  /** The model that the skill's `model` means here; undefined where it names none that can be used. */
  readonly model: string | undefined;
}

/**
 * What loading the skill does to the rest of the turn. Whatever widens rights or costs money is left out for a skill
 * that is not trusted; what takes rights away holds for every skill. Undefined when there is nothing.
 */
export function effectsOf(entry: SkillEntry, { trusted, projectDir, grants, allowedTools, model }: EffectOptions): SkillEffects | undefined {
  const { frontmatter, folder, pluginRoot } = entry;
  const rules = (list: readonly string[]): readonly string[] => parseToolSpecifiers(list, { folder, projectDir, pluginRoot }).map(({ tool, spec }) => (spec === undefined ? tool : `${tool}(${spec})`));
  const effort = isEffort(frontmatter.effort) ? frontmatter.effort : undefined;
  const effects: SkillEffects = {
    ...(frontmatter.allowedTools && allowedTools === 'restrict' ? { restricts: rules(frontmatter.allowedTools) } : {}),
    ...(frontmatter.allowedTools && allowedTools === 'grant' && grants && trusted ? { grants: rules(frontmatter.allowedTools) } : {}),
    ...(frontmatter.disallowedTools ? { disallowed: rules(frontmatter.disallowedTools) } : {}),
    ...(model !== undefined && trusted ? { model } : {}),
    ...(effort !== undefined && trusted ? { effort } : {}),
  };
  return Object.keys(effects).length > 0 ? effects : undefined;
}

/** What an untrusted skill asks for and does not get, in words; empty for none. */
export function withheldFrom({ frontmatter }: SkillEntry, { allowedTools }: Pick<EffectOptions, 'allowedTools'>): readonly string[] {
  return [
    ...(frontmatter.allowedTools && allowedTools === 'grant' ? ['tools without questions (allowed-tools)'] : []),
    ...(frontmatter.hooks === undefined ? [] : ['hooks']),
    ...(frontmatter.model === undefined || frontmatter.model === 'inherit' ? [] : [`the model ${frontmatter.model}`]),
    ...(frontmatter.effort === undefined ? [] : [`the effort ${frontmatter.effort}`]),
  ];
}

function isEffort(value: string | undefined): value is EffortLevel {
  return value !== undefined && EFFORTS.includes(value);
}
