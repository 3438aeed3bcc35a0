import type { Database } from '../../store/database.ts';
import { hasBit, setBit } from './bits.ts';
import { bytesOf, fromBytes } from './row-values.ts';

/** Which documents of a root's segments count, changed within one transaction. */
export interface SegmentMarks {
  /** The document of a skill is out of date or gone. */
  setGone(skill: number): void;
  /** The document of a skill stands behind another with the same name, or does so no longer. */
  setHidden(skill: number, hidden: boolean): void;
  /** Writes what was changed. */
  flush(): void;
}

interface Segment {
  readonly id: number;
  readonly skillIds: Uint32Array;
  readonly gone: Uint8Array;
  readonly hidden: Uint8Array;
  changed: boolean;
}

/** The marks of all segments of a root; they are read with the first change. */
export function segmentMarks(db: Database, root: number): SegmentMarks {
  let segments: readonly Segment[] | undefined;
  const documentOf = (skill: number): { readonly segment: Segment; readonly doc: number } | undefined => {
    segments ??= db.all('SELECT segment_id, skill_ids, gone, hidden FROM segments WHERE root_id = ?', [root]).map((row) => ({ id: Number(row['segment_id']), skillIds: fromBytes(bytesOf(row['skill_ids'])), gone: bytesOf(row['gone']), hidden: bytesOf(row['hidden']), changed: false }));
    for (const segment of segments) {
      const doc = segment.skillIds.indexOf(skill);
      if (doc >= 0) return { segment, doc };
    }
    return undefined;
  };
  const mark = (skill: number, which: 'gone' | 'hidden', value: boolean): void => {
    const found = documentOf(skill);
    if (!found || hasBit(found.segment[which], found.doc) === value) return;
    setBit(found.segment[which], found.doc, value);
    found.segment.changed = true;
  };
  return {
    setGone: (skill) => mark(skill, 'gone', true),
    setHidden: (skill, hidden) => mark(skill, 'hidden', hidden),
    flush: () => {
      for (const { id, gone, hidden, changed } of segments ?? []) if (changed) db.run('UPDATE segments SET gone = ?, hidden = ? WHERE segment_id = ?', [gone, hidden, id]);
    },
  };
}
