import fs from 'node:fs/promises';

/** Whether a file is a zip, a tar packed with gzip (judged by gzip alone), or neither; decided by its first bytes. */
export async function archiveKind(file: string): Promise<'zip' | 'tgz' | undefined> {
  const handle = await fs.open(file, 'r');
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(4), 0, 4, 0);
    const start = buffer.subarray(0, bytesRead).toString('latin1');
    if (/^PK(?:\x03\x04|\x05\x06)/.test(start)) return 'zip';
    return start.startsWith('\x1f\x8b') ? 'tgz' : undefined;
  } finally {
    await handle.close();
  }
}
