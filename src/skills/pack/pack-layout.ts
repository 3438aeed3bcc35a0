import type { TarEntry } from './tar-blocks.ts';

/** First in the tar. */
export function manifestEntry(size: number): TarEntry {
  return { path: 'skillpack.json', size, executable: false };
}

/** Second. */
export function sealEntry(size: number): TarEntry {
  return { path: 'skillpack.seal.json', size, executable: false };
}

/** Then the files of the skill, in the order of the manifest. */
export function tarEntry(file: TarEntry): TarEntry {
  return { ...file, path: `skill/${file.path}` };
}
