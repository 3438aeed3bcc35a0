import path from 'node:path';
import type { ReadTree } from '../host/host.ts';
import { SkillmintError } from '../protocol/errors.ts';
import { rightsOfOthers } from '../util/rights-of-others.ts';
import type { SettingsFile } from './settings.ts';

/**
 * Refuses the person's own settings where another user of the machine could have written them, or could read a key in
 * them. @throws SkillmintError config_unreadable
 */
export function refuseOpenSettings(tree: ReadTree, file: string, settings: SettingsFile): void {
  const { read, write } = rightsOfOthers(tree, file);
  if (write) {
    const mend = write.by === file ? `chmod 600 ${file}` : `chmod go-w ${write.by}`;
    throw new SkillmintError('config_unreadable', `other users can change the settings file ${file}, so it is not used; look at what it says, then: ${mend}`);
  }
  if (read && holdsKey(settings)) throw new SkillmintError('config_unreadable', `other users can read the key in the settings file ${file}; close it to them: chmod 600 ${file}`);
}

/** True where everybody can change a project's settings, whoever put the folder there. */
export function canBeChangedByAll(tree: ReadTree, file: string): boolean {
  const { write } = rightsOfOthers(tree, file);
  // Teams share a project by its group; what everybody may write has no author.
  return write !== false && [file, path.dirname(file)].some((place) => (tree.stat(place).mode & 0o002) !== 0);
}

function holdsKey({ providers = {}, skills, search, mcpServers = {} }: SettingsFile): boolean {
  const givesValues = Object.values(mcpServers).some(({ env, headers }) => [...Object.values(env ?? {}), ...Object.values(headers ?? {})].some((value) => !/^\$\{\w+\}$/.test(value)));
  const entries = Object.values(providers);
  return givesValues || typeof skills?.embeddings?.apiKey === 'string' || typeof search?.apiKey === 'string' || entries.some(({ apiKey, headers }) => typeof apiKey === 'string' || Object.keys(headers ?? {}).length > 0);
}
