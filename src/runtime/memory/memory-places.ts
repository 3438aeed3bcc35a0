import { memoryFolder, type MemoryOwner } from '../../memory/memory-folder.ts';
import { realOrSame } from '../../config/read-settings.ts';
import { projectRoot } from '../../memory/instruction-files.ts';
import type { SessionState } from '../../protocol/session-state.ts';
import type { RuntimeParts } from '../parts.ts';

/** What finds memories. */
export type MemoryPlaces = Pick<RuntimeParts, 'host' | 'home' | 'dataFolder'>;

/** What of a session decides which memories it has. */
export type MemoryUser = Pick<SessionState, 'cwd' | 'agent' | 'skills' | 'bound'>;

/** Sources of skills that lie in a project. */
const OF_PROJECTS = /^(?:project|npm:.*)$/s;

/** The project that a folder lies in; see `projectRoot`. */
export function rootOf({ host: { tree }, home }: Pick<MemoryPlaces, 'host' | 'home'>, cwd: string): string {
  return projectRoot(tree, cwd, realOrSame(tree, home));
}

/** Folder of the memory of a project. */
export function projectMemoryFolder({ host, dataFolder }: MemoryPlaces, root: string): string {
  return memoryFolder(dataFolder, { scope: 'project', root: realOrSame(host.tree, root) });
}

/** Folder of the memory of a skill, in a session in that folder. */
export function skillMemoryFolder(places: MemoryPlaces, { id, cwd }: { readonly id: string; readonly cwd: string }): string {
  const source = id.slice(0, Math.max(id.lastIndexOf(':'), 0));
  const owner: MemoryOwner = { scope: 'skill', id, ...(OF_PROJECTS.test(source) ? { root: realOrSame(places.host.tree, rootOf(places, cwd)) } : {}) };
  return memoryFolder(places.dataFolder, owner);
}
