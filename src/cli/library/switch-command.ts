import { editSetting } from '../../config/edit-settings.ts';
import { localFiles } from '../../host/local-files.ts';
import { SkillmintError } from '../../protocol/errors.ts';
import type { SkillEntry } from '../../skills/discover/skill-entry.ts';
import { mostSimilar } from '../../util/similar.ts';
import { missingSkill } from '../listings/named-skill.ts';
import { skillsHere } from '../listings/skills-here.ts';
import { commandSettings, type CommandSettings } from '../load-settings.ts';
import { oneLine, printJson, write } from '../terminal.ts';

/** `skillmint skills enable` and `disable`: writes `skills.enabled` in the person's own settings. */
export async function switchCommand(name: string, { enabled, json }: { readonly enabled: boolean; readonly json: boolean }): Promise<void> {
  const { catalogue } = await skillsHere();
  const entry = skillCalled(catalogue.entries, name);
  const settings = await commandSettings();
  if (enabled) await switchOn(settings, entry);
  else await editSetting(localFiles(), { file: settings.loaded.userFile, key: `skills.enabled.${entry.id}`, value: false });
  if (json) await printJson({ id: entry.id, enabled, file: settings.loaded.userFile });
  else await write(process.stderr, `${oneLine(entry.id)} is switched ${enabled ? 'on' : 'off'} (${oneLine(settings.loaded.userFile)}).\n`);
}

function skillCalled(entries: readonly SkillEntry[], name: string): SkillEntry {
  const found = entries.find(({ id }) => id === name) ?? entries.find((entry) => entry.name === name && entry.status !== 'shadowed') ?? entries.find((entry) => entry.name === name);
  if (found) return found;
  throw missingSkill(name, mostSimilar(name, [...new Set(entries.map((entry) => entry.name))], 3));
}

/** Takes back what the person's own file says against it; what another layer says stays, and is an error. */
async function switchOn({ loaded }: CommandSettings, { id, name }: SkillEntry): Promise<void> {
  for (const layer of loaded.layers) {
    const keys = [id, name].filter((key) => layer.settings.skills?.enabled?.[key] === false);
    if (keys.length > 0 && layer.name !== 'user') throw new SkillmintError('permission_denied', `${id} is switched off by ${layer.file ?? `the layer "${layer.name}" of the settings`} (skills.enabled). Change it there.`);
    for (const key of keys) await editSetting(localFiles(), { file: loaded.userFile, key: `skills.enabled.${key}`, value: undefined });
  }
}
