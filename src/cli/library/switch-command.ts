import type { SkillEntry } from '../../skills/discover/skill-entry.ts';
import { mostSimilar } from '../../util/similar.ts';
import { missingSkill } from '../../runtime/library/named-skill.ts';
import { skillsHere } from '../listings/skills-here.ts';
import { switchSkill } from '../../runtime/library/switch-skill.ts';
import { commandSettings } from '../load-settings.ts';
import { oneLine, printJson, write } from '../terminal.ts';

/** `skillmint skills enable` and `disable`: writes `skills.enabled` in the person's own settings. */
export async function switchCommand(name: string, { enabled, json }: { readonly enabled: boolean; readonly json: boolean }): Promise<void> {
  const { catalogue } = await skillsHere();
  const entry = skillCalled(catalogue.entries, name);
  const settings = await commandSettings();
  await switchSkill(settings.loaded, entry, enabled);
  if (json) await printJson({ id: entry.id, enabled, file: settings.loaded.userFile });
  else await write(process.stderr, `${oneLine(entry.id)} is switched ${enabled ? 'on' : 'off'} (${oneLine(settings.loaded.userFile)}).\n`);
}

function skillCalled(entries: readonly SkillEntry[], name: string): SkillEntry {
  const found = entries.find(({ id }) => id === name) ?? entries.find((entry) => entry.name === name && entry.status !== 'shadowed') ?? entries.find((entry) => entry.name === name);
  if (found) return found;
  throw missingSkill(name, mostSimilar(name, [...new Set(entries.map((entry) => entry.name))], 3));
}
