import type { ReadTree } from '../../host/host.ts';
import type { EventBody } from '../../protocol/events.ts';
import type { SessionState } from '../../protocol/session-state.ts';
import { existingFolder } from '../existing-folder.ts';
import type { RuntimeParts } from '../parts.ts';
import { projectFolder } from '../session/project-folder.ts';

/** The folders of a session beside its own: those of the settings, then those that were asked for, as real paths. @throws SkillmintError invalid_argument */
export function furtherFolders(tree: ReadTree, ofSettings: readonly string[], asked: readonly string[]): readonly string[] {
  return [...new Set([...ofSettings, ...asked].map((folder) => existingFolder(tree, folder)))];
}

/** The event that gives a session these further folders in place of those it has; none where they are the same. */
export async function folderEvents(parts: Pick<RuntimeParts, 'host' | 'settings'>, state: SessionState, asked: readonly string[]): Promise<readonly EventBody[]> {
  const { values } = await parts.settings(projectFolder(state));
  const folders = furtherFolders(parts.host.tree, values.addDirs, asked);
  const isSame = folders.length === state.add_dirs.length && folders.every((folder) => state.add_dirs.includes(folder));
  return isSame ? [] : [{ type: 'folders.changed', add_dirs: folders }];
}
