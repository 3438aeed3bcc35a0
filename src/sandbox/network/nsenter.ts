import fs from 'node:fs';

/** Where nsenter lies, or undefined. */
export function findNsenter(candidates: readonly string[] = ['/usr/bin/nsenter', '/bin/nsenter', '/run/current-system/sw/bin/nsenter']): string | undefined {
  return candidates.find((candidate) => fs.existsSync(candidate));
}
