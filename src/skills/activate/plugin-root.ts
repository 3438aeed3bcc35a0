import path from 'node:path';
import type { SkillEntry } from '../discover/skill-entry.ts';

/** The folder of the plugin that a skill belongs to: the one that holds the folder `skills` which the skill lies in. Undefined for skills of no plugin. */
export function pluginRootOf({ source, folder }: Pick<SkillEntry, 'source' | 'folder'>): string | undefined {
  if (!source.startsWith('plugin:')) return undefined;
  for (let at = path.dirname(folder); at !== path.dirname(at); at = path.dirname(at)) if (path.basename(at) === 'skills') return path.dirname(at);
  return undefined;
}
