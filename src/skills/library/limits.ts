import { MAX_SKILL_MD_BYTES } from '../read/read-skill-md.ts';

const MIB = 1024 * 1024;

/** What a source of skills may be at most. All sizes in bytes; sizes of files are those really written, not those claimed. */
export const LIMITS = {
  archiveBytes: 50 * MIB,
  unpackedBytes: 200 * MIB,
  fileBytes: 50 * MIB,
  skillMdBytes: MAX_SKILL_MD_BYTES,
  /** Files and folders. */
  entries: 10_000,
  /** Unpacked to packed, for what is larger than `ratioFloorBytes` when unpacked. */
  ratio: 100,
  ratioFloorBytes: MIB,
  /** Of one name in a path. */
  nameBytes: 255,
  /** Of a whole path; systems end at 4,096, of which the folder it is unpacked into takes its part. */
  pathBytes: 2_000,
  /** Names in a path. */
  depth: 32,
} as const;

/** A size for a person: `1.5 MiB`. */
export function sizeText(bytes: number): string {
  return bytes < MIB ? `${Math.ceil(bytes / 1024)} KiB` : `${Number((bytes / MIB).toFixed(1))} MiB`;
}
