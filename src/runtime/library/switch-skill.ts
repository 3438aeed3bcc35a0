import { editSetting } from '../../config/edit-settings.ts';
import type { LoadedSettings } from '../../config/load-settings.ts';
import { localFiles } from '../../host/local-files.ts';
import { SkillmintError } from '../../protocol/errors.ts';
import type { SkillEntry } from '../../skills/discover/skill-entry.ts';

/**
 * Switches a skill on or off in the person's own settings (`skills.enabled`). On takes back what their file says against it.
 * @throws SkillmintError permission_denied where another layer of the settings has switched it off
 */
export async function switchSkill(loaded: LoadedSettings, { id, name }: Pick<SkillEntry, 'id' | 'name'>, enabled: boolean): Promise<void> {
  if (!enabled) return editSetting(localFiles(), { file: loaded.userFile, key: `skills.enabled.${id}`, value: false });
  for (const layer of loaded.layers) {
    const keys = [id, name].filter((key) => layer.settings.skills?.enabled?.[key] === false);
    if (keys.length > 0 && layer.name !== 'user') throw new SkillmintError('permission_denied', `${id} is switched off by ${layer.file ?? `the layer "${layer.name}" of the settings`} (skills.enabled). Change it there.`);
    for (const key of keys) await editSetting(localFiles(), { file: loaded.userFile, key: `skills.enabled.${key}`, value: undefined });
  }
}
