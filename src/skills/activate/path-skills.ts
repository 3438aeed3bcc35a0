import path from 'node:path';
import type { SkillEntry } from '../discover/skill-entry.ts';

/**
 * The skills whose `paths` match one of the touched files (absolute paths), relative to one of the session's folders. A
 * glob without a slash matches names at any depth.
 */
export async function matchingSkills(skills: readonly SkillEntry[], touched: readonly string[], folders: readonly string[]): Promise<readonly SkillEntry[]> {
  const relative = touched.flatMap((file) => folders.map((folder) => path.relative(folder, file)).filter(isBelow));
  if (skills.length === 0 || relative.length === 0) return [];
  const { default: picomatch } = await import('picomatch');
  const matches = (glob: string): boolean => {
    const anchored = glob.replace(/^(?:\.?\/)+/, '');
    const isMatch = picomatch(anchored, { dot: true });
    return relative.some((file) => isMatch(anchored.includes('/') ? file.replaceAll('\\', '/') : path.basename(file)));
  };
  return skills.filter((skill) => (skill.frontmatter.paths ?? []).some(matches));
}

function isBelow(relative: string): boolean {
  return relative !== '' && !relative.startsWith('..') && !path.isAbsolute(relative);
}
