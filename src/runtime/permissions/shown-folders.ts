import { MAC_SYSTEM_FOLDERS, SYSTEM_FOLDERS } from '../../sandbox/places.ts';

/** Folders that every command in the sandbox may read. */
export const SHOWN_FOLDERS: readonly string[] = [...SYSTEM_FOLDERS, ...MAC_SYSTEM_FOLDERS];
