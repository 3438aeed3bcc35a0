import fs from 'node:fs/promises';
import { systemCode } from '../protocol/errors.ts';

/** Text of a file; empty where there is none. @throws system errors */
export async function textIfThere(file: string): Promise<string> {
  return ifThere(() => fs.readFile(file, 'utf8'), '');
}

/** Names in a folder; none where it does not exist. @throws system errors */
export async function namesIn(folder: string): Promise<readonly string[]> {
  return ifThere(() => fs.readdir(folder), []);
}

async function ifThere<T>(read: () => Promise<T>, nothing: T): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(systemCode(error))) return nothing;
    throw error;
  }
}
