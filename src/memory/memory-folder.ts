import { createHash } from 'node:crypto';
import path from 'node:path';

const HASH_CHARS = 16;
const NAME_CHARS = 40;

/** Whose memory it is. */
export type MemoryOwner =
  /** `root` is the real path of the repository, or of the folder outside of one. */
  | { readonly scope: 'project'; readonly root: string }
  /** `root` is set for skills that belong to a project: another project's skill of the same id has a memory of its own. */
  | { readonly scope: 'skill'; readonly id: string; readonly root?: string };

/** The folder of a memory below the data folder: a name for people, and a hash that tells owners apart. */
export function memoryFolder(dataFolder: string, owner: MemoryOwner): string {
  const [name, identity] = owner.scope === 'project' ? [path.basename(owner.root), [owner.root]] : [owner.id, [owner.id, owner.root ?? '']];
  const hash = createHash('sha256').update(JSON.stringify(identity)).digest('hex').slice(0, HASH_CHARS);
  return path.join(dataFolder, 'memory', owner.scope === 'project' ? 'projects' : 'skills', `${readable(name)}-${hash}`);
}

/** What is left of a name that any file system takes. */
function readable(name: string): string {
  return name.replace(/[^A-Za-z0-9_-]+/g, '-').replace(/^-+|-+$/g, '').slice(0, NAME_CHARS) || 'memory';
}
