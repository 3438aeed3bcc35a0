const MIB = 1024 * 1024;

/** Limits of a skillpack, the same for making and opening one. */
export const PACK_LIMITS = {
  /** Bytes of the file, and of the tar in it. */
  packBytes: 50 * MIB,
  files: 10_000,
  /** Bytes of one name in a path. */
  segmentBytes: 255,
  /** Folders. */
  depth: 32,
} as const;
