import { PACK_LIMITS } from './pack-limits.ts';

/** What a file system of any kind takes for something else than the name of a file. */
const SPECIAL = /[\u0000-\u001f\u007f\\:*?"<>|\p{Cs}]|[. ]$/u;
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

/** Why a path cannot stand in a skillpack, or undefined: it has to be relative, plain, and the name of a file on every system. */
export function pathFault(path: string): string | undefined {
  const segments = path.split('/');
  if (segments.length > PACK_LIMITS.depth) return `lies more than ${PACK_LIMITS.depth} folders deep`;
  for (const segment of segments) {
    if (segment === '' || segment === '.' || segment === '..') return 'is no plain relative path';
    if (segment.toLowerCase() === '.git') return 'lies in a version history';
    if (Buffer.byteLength(segment) > PACK_LIMITS.segmentBytes) return `has a name of more than ${PACK_LIMITS.segmentBytes} bytes`;
    if (SPECIAL.test(segment) || DEVICE.test(segment)) return 'has a name that not every system can store';
  }
  return undefined;
}

/** The first of the paths that another one gets in the way of, on a system that does not tell letter cases apart too. */
export function clash(paths: readonly string[]): string | undefined {
  const files = new Set<string>();
  const folders = new Set<string>();
  for (const path of paths) {
    const segments = path.normalize('NFC').toLowerCase().split('/');
    const above = segments.slice(0, -1).map((_, i) => segments.slice(0, i + 1).join('/'));
    const folded = segments.join('/');
    if (files.has(folded) || folders.has(folded) || above.some((folder) => files.has(folder))) return path;
    files.add(folded);
    for (const folder of above) folders.add(folder);
  }
  return undefined;
}
