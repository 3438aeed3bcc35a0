import path from 'node:path';
import type { SkillEntry } from '../discover/skill-entry.ts';
import { matchesPathGlobs, parsePathGlobs } from '../path-globs.ts';

/**
 * The skills whose `paths` match one of the touched files (absolute paths), relative to one of the session's folders. A
 * glob without a slash matches names at any depth.
 */
export function matchingSkills(skills: readonly SkillEntry[], touched: readonly string[], folders: readonly string[]): readonly SkillEntry[] {
  const relative = touched.flatMap((file) => folders.map((folder) => path.relative(folder, file)).filter(isBelow)).map((file) => file.replaceAll('\\', '/'));
  if (relative.length === 0) return [];
  return skills.filter(({ frontmatter }) => {
    const globs = parsePathGlobs(frontmatter.paths ?? []);
    return relative.some((file) => matchesPathGlobs(globs, file));
  });
}

function isBelow(relative: string): boolean {
  return relative !== '' && !relative.startsWith('..') && !path.isAbsolute(relative);
}
