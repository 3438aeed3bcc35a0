import fs from 'node:fs';
import { systemCode } from '../protocol/errors.ts';
import { endWithReader, OutputFault, write } from './terminal.ts';

/** False when standard output is a file, pipe or socket; only then is there no need to ask Node's stream, which takes a while to load. */
export function mayBeTerminal(): boolean {
  try {
    return fs.fstatSync(1).isCharacterDevice();
  } catch {
    // There is no standard output; Node's stream knows what to do then.
    return true;
  }
}

/** Writes to standard output past Node's stream, which takes longer to load than a listing to make. A reader that went away is no error. */
export async function printNow(text: string): Promise<void> {
  const bytes = Buffer.from(text);
  let written = 0;
  try {
    // The console of Windows needs Node's stream, which knows its encoding.
    const direct = process.platform !== 'win32' || !mayBeTerminal();
    while (direct && written < bytes.length) written += fs.writeSync(1, bytes, written);
  } catch (error) {
    const code = systemCode(error);
    if (code === 'EPIPE') return;
    if (code !== 'EAGAIN') throw new OutputFault(process.stdout, error);
  }
  if (written === bytes.length) return;
  // What a pipe that does not block cannot take yet is waited for by the stream.
  endWithReader(process.stdout);
  await write(process.stdout, bytes.subarray(written));
}
