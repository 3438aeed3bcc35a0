import fs from 'node:fs';
import { systemCode } from '../../protocol/errors.ts';

/** Watches on folders, each by itself: what lies deeper has its own. */
export interface FolderWatches {
  /** Makes these the folders that are watched. Those beyond the system's or this process's limit are left out. */
  set(folders: Iterable<string>): void;
  close(): void;
}

/** Most folders that one process watches. */
const MOST_WATCHED = 4_096;

/** Calls `changed` with a folder when something in it has changed. It may be called often, and without need. */
export function watchFolders(changed: (folder: string) => void): FolderWatches {
  const watchers = new Map<string, fs.FSWatcher>();
  const end = (folder: string): void => {
    watchers.get(folder)?.close();
    watchers.delete(folder);
  };
  return {
    set: (folders) => {
      const wanted = new Set<string>();
      for (const folder of folders) {
        wanted.add(folder);
        if (wanted.size >= MOST_WATCHED) break;
      }
      for (const folder of watchers.keys()) if (!wanted.has(folder)) end(folder);
      for (const folder of wanted) {
        if (watchers.has(folder)) continue;
        const watcher = watchFolder(folder, () => changed(folder));
        if (watcher === 'none left') return;
        // A folder that is gone is told of by the one above it.
        if (watcher === 'gone') continue;
        watcher.on('error', () => end(folder));
        watchers.set(folder, watcher);
      }
    },
    close: () => {
      for (const folder of watchers.keys()) end(folder);
    },
  };
}

function watchFolder(folder: string, changed: () => void): fs.FSWatcher | 'gone' | 'none left' {
  try {
    return fs.watch(folder, { persistent: false }, changed);
  } catch (error) {
    const code = systemCode(error);
    if (code === '') throw error;
    return code === 'ENOSPC' || code === 'EMFILE' || code === 'ENFILE' ? 'none left' : 'gone';
  }
}
