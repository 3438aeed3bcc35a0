import { createHash } from 'node:crypto';
import path from 'node:path';
import type { HostFiles } from '../../host/host.ts';
import { SkillmintError, systemCode } from '../../protocol/errors.ts';

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

/** Folder of a session's pre-images. */
export function preImageFolder(workFolder: string, sessionId: string): string {
  return path.join(workFolder, 'before', sessionId);
}

/** The pre-images of a session. */
export function preImages(files: HostFiles, workFolder: string, sessionId: string): PreImages {
  const folder = preImageFolder(workFolder, sessionId);
  let kept: Promise<number> | undefined;
  return {
    async keep(bytes) {
      if (bytes.length > MOST_FILE_BYTES) return undefined;
      const digest = digestOf(bytes);
      const file = path.join(folder, digest);
      try {
        if (await isThere(files, file)) return digest;
        const before = await (kept ??= bytesIn(files, folder));
        if (before + bytes.length > MOST_BYTES) return undefined;
        kept = Promise.resolve(before + bytes.length);
        await files.write(file, bytes, { mode: 0o600, folderMode: 0o700 });
        return digest;
      } catch (error) {
        // An edit is worth more than that it can be taken back.
        if (error instanceof SkillmintError || systemCode(error) !== '') return undefined;
        throw error;
      }
    },
    async read(digest) {
      const file = path.join(folder, digest);
      if (!/^[0-9a-f]{64}$/.test(digest) || !(await isThere(files, file))) return undefined;
      const bytes = await files.read(file);
      return digestOf(bytes) === digest ? bytes : undefined;
    },
  };
}

/** The digest that names a content. */
export function digestOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

async function isThere(files: HostFiles, file: string): Promise<boolean> {
  return (await sizeOf(files, file)) !== undefined;
}

async function sizeOf(files: HostFiles, file: string): Promise<number | undefined> {
  try {
    return (await files.lstat(file)).size;
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

async function bytesIn(files: HostFiles, folder: string): Promise<number> {
  if (!(await isThere(files, folder))) return 0;
  const sizes = await Promise.all((await files.list(folder)).map(({ name }) => sizeOf(files, path.join(folder, name))));
  return sizes.reduce<number>((sum, size) => sum + (size ?? 0), 0);
}
