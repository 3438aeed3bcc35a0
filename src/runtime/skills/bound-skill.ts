import type { BoundSkill } from '../../protocol/events.ts';
import { isObject } from '../../protocol/json.ts';
import { parseToolSpecifiers } from '../../skills/activate/tool-grant.ts';
import type { SkillEntry } from '../../skills/discover/skill-entry.ts';

/** Share of the context window that a skill may ask to be compacted from. */
const COMPACT_AT = { least: 0.2, most: 0.95 } as const;

/** What a session in that folder which is bound to the skill is held to. */
export function boundSkill(skill: SkillEntry, projectDir: string): BoundSkill {
  const { allowedTools, maxIterations } = skill.frontmatter;
  const compactAt = compactShare(skill);
  return {
    skill_id: skill.id,
    path: skill.path,
    ...(allowedTools ? { allowed_tools: parseToolSpecifiers(allowedTools, { folder: skill.folder, projectDir, pluginRoot: skill.pluginRoot }).map(({ tool, spec }) => (spec === undefined ? tool : `${tool}(${spec})`)) } : {}),
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
