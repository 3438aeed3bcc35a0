import type { SkillRoot } from '../discover/skill-root.ts';

/** Names a root in the index: its folder, and how it is walked. */
export function rootKey({ folder, kind, prefix, nested, holdsPlugins, pluginRoot, diagnostics }: SkillRoot): string {
  const ways = JSON.stringify({ kind, prefix, nested, holdsPlugins, pluginRoot, diagnostics });
  return ways === '{}' ? folder : `${folder} ${ways}`;
}
