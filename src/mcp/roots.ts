import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ListRootsResult } from '@modelcontextprotocol/client';

/** Folders as servers are told of them. */
export function rootsOf(folders: readonly string[]): ListRootsResult {
  return { roots: folders.map((folder) => ({ uri: pathToFileURL(folder).href, name: path.basename(folder) })) };
}
