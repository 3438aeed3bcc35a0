import fs from 'node:fs/promises';
import { systemCode } from '../../protocol/errors.ts';

/** Also true for a link that leads nowhere. */
export async function exists(at: string): Promise<boolean> {
  try {
    await fs.lstat(at);
    return true;
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return false;
    throw error;
  }
}
