/** What a file is by its first bytes. */
export type FileKind =
  | { readonly kind: 'text'; readonly encoding: 'utf-8' | 'utf-16le' | 'utf-16be' }
  | { readonly kind: 'image'; readonly mediaType: 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp' }
  | { readonly kind: 'pdf' }
  | { readonly kind: 'binary'; readonly name: string };

/** Bytes that `fileKind` wants to see. */
export const SAMPLE_BYTES = 8_192;

const BINARIES: readonly (readonly [start: string, name: string])[] = [
  ['504b0304', 'ZIP archive or office document'],
  ['1f8b', 'gzip archive'],
  ['425a68', 'bzip2 archive'],
  ['fd377a585a00', 'xz archive'],
  ['28b52ffd', 'Zstandard archive'],
  ['377abcaf271c', '7-Zip archive'],
  ['7f454c46', 'ELF program'],
  ['cafebabe', 'Java class or Mach-O program'],
  ['cffaedfe', 'Mach-O program'],
  ['4d5a', 'Windows program'],
  ['0061736d', 'WebAssembly module'],
  ['53514c69746520666f726d6174203300', 'SQLite database'],
  ['49443303', 'MP3 audio'],
  ['4f676753', 'Ogg media'],
  ['424d', 'BMP image'],
  ['49492a00', 'TIFF image'],
  ['4d4d002a', 'TIFF image'],
  ['00000100', 'icon'],
];

/** Judges a file by its first `SAMPLE_BYTES` bytes. */
export function fileKind(sample: Uint8Array): FileKind {
  const bytes = Buffer.from(sample.buffer, sample.byteOffset, sample.byteLength);
  const start = bytes.subarray(0, 16).toString('hex');
  if (start.startsWith('89504e470d0a1a0a')) return { kind: 'image', mediaType: 'image/png' };
  if (start.startsWith('ffd8ff')) return { kind: 'image', mediaType: 'image/jpeg' };
  if (start.startsWith('47494638')) return { kind: 'image', mediaType: 'image/gif' };
  if (start.startsWith('52494646') && start.slice(16, 24) === '57454250') return { kind: 'image', mediaType: 'image/webp' };
  if (start.startsWith('255044462d')) return { kind: 'pdf' };
  if (start.startsWith('fffe')) return { kind: 'text', encoding: 'utf-16le' };
  if (start.startsWith('feff')) return { kind: 'text', encoding: 'utf-16be' };
  if (!bytes.includes(0)) {
    const archive = BINARIES.find(([magic]) => magic.length >= 4 && start.startsWith(magic) && !isPrintable(bytes));
    return archive === undefined ? { kind: 'text', encoding: 'utf-8' } : { kind: 'binary', name: archive[1] };
  }
  const known = BINARIES.find(([magic]) => start.startsWith(magic));
  return { kind: 'binary', name: known?.[1] ?? 'unknown type' };
}

/** Text may begin with letters that a format uses as its mark ("BM", "MZ"); a real one soon shows control characters. */
function isPrintable(bytes: Uint8Array): boolean {
  return !bytes.some((byte) => byte < 9 || (byte > 13 && byte < 27));
}

/** A size for people: `812 bytes`, `3.4 kB`, `1.2 GB`. */
export function sizeText(bytes: number): string {
  if (bytes < 1_000) return `${bytes} bytes`;
  const units = ['kB', 'MB', 'GB', 'TB'];
  const power = Math.min(units.length, Math.floor(Math.log10(bytes) / 3));
  return `${(bytes / 1_000 ** power).toFixed(1)} ${units[power - 1] ?? ''}`;
}
