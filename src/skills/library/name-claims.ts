import { shown } from './refusal.ts';

/** The names of files and folders that are to lie side by side. */
export interface NameClaims {
  /** Files and folders so far. */
  readonly count: () => number;
  /** Takes a path and the folders above it. Why it is in the way of an earlier one, or cannot lie beside it on every system; undefined when all is well. */
  readonly claim: (segments: readonly string[], kind: 'file' | 'folder') => string | undefined;
}

interface Known {
  readonly spelling: string;
  readonly kind: 'file' | 'folder';
}

/** No names yet. Those that are one on some systems, by letter case or by form of an accent, are one here too. */
export function nameClaims(): NameClaims {
  const known = new Map<string, Known>();
  const claimOne = (spelling: string, kind: Known['kind']): string | undefined => {
    const key = spelling.normalize('NFC').toLowerCase().normalize('NFC');
    const other = known.get(key);
    if (other === undefined) known.set(key, { spelling, kind });
    else if (other.spelling !== spelling) return `the names ${shown(other.spelling)} and ${shown(spelling)} are one on some systems`;
    else if (other.kind !== kind) return `${shown(spelling)} is both a file and a folder`;
    else if (kind === 'file') return `the file ${shown(spelling)} is there twice`;
    return undefined;
  };
  return {
    count: () => known.size,
    claim: (segments, kind) => {
      for (let i = 1; i <= segments.length; i += 1) {
        const fault = claimOne(segments.slice(0, i).join('/'), i < segments.length ? 'folder' : kind);
        if (fault !== undefined) return fault;
      }
      return undefined;
    },
  };
}
