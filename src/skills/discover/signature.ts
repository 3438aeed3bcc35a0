import path from 'node:path';
import type { FileStat, FolderEntry, ReadTree } from '../../host/host.ts';

/** A skill's folder. */
export interface SkillFolder {
  /** Real path. */
  readonly folder: string;
  /** Listed anew when left out. */
  readonly entries?: readonly FolderEntry[] | undefined;
}

const MAX_DEPTH = 32;
const MOST_ENTRIES = 1_000;
/** ms; how slowly the system's clock for files ticks. */
const TICK = 50;
/** The same where the file system counts in seconds. */
const COARSE_TICK = 2_000;

interface Survey {
  readonly tree: ReadTree;
  /** ms since 1970. */
  readonly now: number;
  text: string;
  entries: number;
}

/**
 * Names, sizes, times and numbers of all files of a skill, `.git` left out: as long as it is the same, so are the files'
 * contents. Undefined when that cannot be said: a file was changed just now, cannot be looked at, or there are very
 * many; also where the tree does not know when files were changed. `now` is the time of the system that holds the files.
 */
export function skillSignature(tree: ReadTree, { folder, entries }: SkillFolder, now: () => number): string | undefined {
  const survey: Survey = { tree, now: now(), text: '', entries: 0 };
  try {
    return addFolder(survey, entries ?? tree.list(folder), { folder, prefix: '', depth: 0 }) ? survey.text : undefined;
  } catch {
    // What is wrong with a file is found out, and named, by reading the skill.
    return undefined;
  }
}

/** False when there can be no signature. Names hold no `/`, so `//` ends them without doubt. */
function addFolder(survey: Survey, entries: readonly FolderEntry[], at: { readonly folder: string; readonly prefix: string; readonly depth: number }): boolean {
  survey.entries += entries.length;
  if (survey.entries > MOST_ENTRIES || at.depth > MAX_DEPTH) return false;
  for (const { name, kind } of entries) {
    if (name === '.git') continue;
    const full = at.folder + path.sep + name;
    if (kind === 'directory') {
      const inner = { folder: full, prefix: `${at.prefix}${name}/`, depth: at.depth + 1 };
      survey.text += `${inner.prefix}/`;
      if (!addFolder(survey, survey.tree.list(full), inner)) return false;
    } else {
      const real = kind === 'symlink' ? survey.tree.realPath(full) : undefined;
      if (!addFile(survey, `${at.prefix}${name}//${real === undefined ? '' : `${real}//`}`, survey.tree.stat(real ?? full))) return false;
    }
  }
  return true;
}

/** False for a file or folder that was changed so lately that it can change again without its time telling. Times in ms since 1970. */
export function isSettled(changed: number, now: number): boolean {
  return changed <= now - (changed % 1_000 === 0 ? COARSE_TICK : TICK);
}

function addFile(survey: Survey, label: string, { kind, size, mtimeMs, ctimeMs, inode }: FileStat): boolean {
  if (ctimeMs === undefined || !isSettled(ctimeMs, survey.now)) return false;
  // A link to a folder stands for itself: what it holds is no part of the skill, or listed where it lies.
  survey.text += kind === 'directory' ? `${label}/` : `${label}${kind[0]} ${size} ${mtimeMs} ${ctimeMs} ${inode ?? ''}//`;
  return true;
}
