import fs from 'node:fs/promises';
import { startsAsPack } from '../pack/read-pack.ts';

/** Whether a file is a zip, a tar packed with gzip (judged by gzip alone), or neither; decided by its first bytes. */
export async function archiveKind(file: string): Promise<'zip' | 'tgz' | undefined> {
  const start = (await startOf(file)).toString('latin1');
  if (/^PK(?:\x03\x04|\x05\x06)/.test(start)) return 'zip';
  return start.startsWith('\x1f\x8b') ? 'tgz' : undefined;
}

/** Whether a file begins as a skillpack does, encrypted or not. */
export async function isSkillpack(file: string): Promise<boolean> {
  return startsAsPack(await startOf(file));
}

async function startOf(file: string): Promise<Buffer> {
  const handle = await fs.open(file, 'r');
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(100), 0, 100, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}
