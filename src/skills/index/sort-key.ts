import path from 'node:path';
import type { SkillRoot } from '../discover/skill-root.ts';
import type { FoundSkill } from '../discover/walk-root.ts';

/** Stands between a plugin's place among skills and what lies in it. */
const NESTED = '\u0002';

/** A text that sorts as a walk of the root comes upon its skills: level by level, and by name; a plugin among them as a whole, where its folder is. */
export function sortKey({ file, root: own, within }: Pick<FoundSkill, 'file' | 'root' | 'within'>): string {
  if (!within || own.pluginRoot === undefined) return levelKey(file.slice((within ?? own).folder.length));
  const plugin = levelKey(path.join(own.pluginRoot, 'SKILL.md').slice(within.folder.length));
  return `${plugin}${NESTED}${orderInPlugin(own, own.pluginRoot)}${NESTED}${levelKey(file.slice(own.pluginRoot.length))}`;
}

/** True for the key of a skill that lies in a plugin among other skills. */
export function isNestedKey(key: string): boolean {
  return key.includes(NESTED);
}

/** Texts are compared as the walk compares names. */
export function bySortKey(a: { readonly sortKey: string }, b: { readonly sortKey: string }): number {
  return a.sortKey < b.sortKey ? -1 : Number(a.sortKey > b.sortKey);
}

function levelKey(place: string): string {
  const names = place.split(path.sep);
  return `${String.fromCharCode(0x21 + names.length)}${names.join('\u0001')}`;
}

/** A plugin's own skill, its `skills/`, what its manifest adds, its commands. */
function orderInPlugin({ folder, kind }: SkillRoot, plugin: string): string {
  if (kind === 'commands') return `3${folder}`;
  if (folder === plugin) return '0';
  return folder === path.join(plugin, 'skills') ? '1' : `2${folder}`;
}
