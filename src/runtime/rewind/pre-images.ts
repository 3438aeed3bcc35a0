import { createHash } from 'node:crypto';
import { SkillmintError, systemCode } from '../../protocol/errors.ts';
import type { SessionFolder } from '../session/session-folder.ts';

/** Larger files are not kept. */
const MOST_FILE_BYTES = 10_000_000;
/** What is kept for one session. */
const MOST_BYTES = 200_000_000;

/** Contents of files as they were before a session changed them, each once, by the SHA-256 of its bytes. */
export interface PreImages {
  /** Resolves to the digest; to nothing where the content is too large, the session has kept too much, or it cannot be written. */
  keep(bytes: Uint8Array): Promise<string | undefined>;
  /** Undefined where it was not kept, or is another by now. */
  read(digest: string): Promise<Uint8Array | undefined>;
}

/** The pre-images of a session. */
export function preImages(folder: SessionFolder): PreImages {
  let kept: Promise<number> | undefined;
  return {
    async keep(bytes) {
      if (bytes.length > MOST_FILE_BYTES) return undefined;
      const digest = digestOf(bytes);
      try {
        if ((await folder.size(digest)) !== undefined) return digest;
        const before = await (kept ??= folder.bytes());
        if (before + bytes.length > MOST_BYTES) return undefined;
        kept = Promise.resolve(before + bytes.length);
        await folder.write(digest, bytes);
        return digest;
      } catch (error) {
        // An edit is worth more than that it can be taken back.
        if (error instanceof SkillmintError || systemCode(error) !== '') return undefined;
        throw error;
      }
    },
    async read(digest) {
      if (!/^[0-9a-f]{64}$/.test(digest)) return undefined;
      const bytes = await folder.read(digest);
      return bytes && digestOf(bytes) === digest ? bytes : undefined;
    },
  };
}

/** The digest that names a content. */
export function digestOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
