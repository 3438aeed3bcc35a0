import { MAX_SKILL_FILES } from '../files.ts';
import { LIMITS } from '../library/limits.ts';

/** Limits of a skillpack, the same for making and opening one; those of paths are the library's. */
export const PACK_LIMITS = {
  /** Bytes of the file, and of the tar in it. */
  packBytes: LIMITS.archiveBytes,
  files: MAX_SKILL_FILES,
} as const;
