import type { SkillEntry } from '../discover/skill-entry.ts';
import { plainLine } from './plain-line.ts';

const NAME_CHARS = 100;

/** A skill as one line of a list: its name, what it does and when to use it (`when_to_use`), in at most `limit` characters. A stranger's words stay data. */
export function skillLine({ handle, description, frontmatter }: Pick<SkillEntry, 'handle' | 'description' | 'frontmatter'>, limit: number): string {
  const { whenToUse } = frontmatter;
  return `- ${plainLine(handle, NAME_CHARS)}: ${plainLine(whenToUse === undefined ? description : `${description} ${whenToUse}`, limit)}`;
}
