import type { EventBody } from '../../protocol/events.ts';
import type { Hook } from '../../protocol/hook.ts';
import type { SkillEntry } from '../../skills/discover/skill-entry.ts';

/** What the activation of a skill stores of its hooks. */
interface SkillHooks {
  /** Those that may run. */
  readonly hooks?: readonly Hook[];
  /** On those that cannot be used. */
  readonly warnings: readonly EventBody[];
}

/** The hooks of a skill; nothing for one that is not trusted or has none. */
export async function hooksOf(entry: SkillEntry, { trusted }: { readonly trusted: boolean }): Promise<SkillHooks> {
  if (!trusted || entry.frontmatter.hooks === undefined) return { warnings: [] };
  const { parseHooks } = await import('../../hooks/parse-hooks.ts');
  const { hooks, diagnostics } = parseHooks(entry.frontmatter.hooks);
  const warnings = diagnostics.map(({ message }): EventBody => ({ type: 'warning', code: 'hooks', message: `Skill ${entry.id}: ${message}.` }));
  return { warnings, ...(hooks.length > 0 ? { hooks } : {}) };
}
