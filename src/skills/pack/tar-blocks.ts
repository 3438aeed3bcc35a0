const BLOCK = 512;

/** A file in a tar. */
export interface TarEntry {
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  readonly executable: boolean;
}

/** What stands at the end of a tar. */
export const TAR_END = Buffer.alloc(2 * BLOCK);

/** Bytes from the beginning of a file's content to the next header. */
export function paddedSize(size: number): number {
  return Math.ceil(size / BLOCK) * BLOCK;
}

/**
 * The header of a file, with a pax header before it where its path has more than 100 bytes. There is one form for each file:
 * no owner, no time, modes 644 and 755. So the same files are always the same tar, and every other byte is a change.
 */
export function tarHeader(entry: TarEntry): Buffer {
  const path = Buffer.from(entry.path);
  if (path.length <= 100) return headerBlock(path, entry, '0');
  const record = paxRecord('path', entry.path);
  const padding = Buffer.alloc(paddedSize(record.length) - record.length);
  const pax = headerBlock(Buffer.from('PaxHeader'), { size: record.length, executable: false }, 'x');
  return Buffer.concat([pax, record, padding, headerBlock(path.subarray(0, 100), entry, '0')]);
}

/** Size that a header at this place gives, in bytes; undefined where none can be read. */
export function sizeInHeader(bytes: Uint8Array, offset: number): number | undefined {
  const text = Buffer.from(bytes.subarray(offset + 124, offset + 135)).toString('latin1');
  return /^[0-7]{11}$/.test(text) ? Number.parseInt(text, 8) : undefined;
}

function headerBlock(path: Uint8Array, { size, executable }: Pick<TarEntry, 'size' | 'executable'>, type: '0' | 'x'): Buffer {
  const block = Buffer.alloc(BLOCK);
  block.set(path, 0);
  block.write(executable ? '0000755\0' : '0000644\0', 100, 'latin1');
  block.write('0000000\0', 108, 'latin1');
  block.write('0000000\0', 116, 'latin1');
  block.write(`${octal(size, 11)}\0`, 124, 'latin1');
  block.write(`${octal(0, 11)}\0`, 136, 'latin1');
  block.write(`        ${type}`, 148, 'latin1');
  block.write('ustar\u000000', 257, 'latin1');
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${octal(sum, 6)}\0 `, 148, 'latin1');
  return block;
}

/** `LENGTH KEY=VALUE` and a line end; the length counts itself. */
function paxRecord(key: string, value: string): Buffer {
  const rest = Buffer.byteLength(` ${key}=${value}\n`);
  let length = rest + 1;
  while (rest + String(length).length !== length) length = rest + String(length).length;
  return Buffer.from(`${length} ${key}=${value}\n`);
}

function octal(value: number, digits: number): string {
  return value.toString(8).padStart(digits, '0');
}
