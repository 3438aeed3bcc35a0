import type { Database } from '../../store/database.ts';
import { emptyBits, hasBit, setBit } from './bits.ts';
import type { MergedSegments } from './index-store.ts';
import { bytesOf, fromBytes, toBytes } from './row-values.ts';

/**
 * Puts a merged segment in the place of those that it was made from, with the marks that they have by now. False when one
 * of them is gone, since another process has merged it, or has swept away what looked like left over: the new blocks are
 * dropped then. The blocks of the others stay; `dropBlocks` removes them bit by bit.
 */
export function finishMerge(db: Database, { from, id, blocks, skillIds, docOf }: MergedSegments): boolean {
  return db.transaction(() => {
    const sources = from.flatMap((segment) => {
      const row = db.get('SELECT skill_ids, gone, hidden, names FROM segments WHERE segment_id = ?', [segment.id]);
      return row ? [{ segment, row }] : [];
    });
    const written = Number(db.get('SELECT count(*) AS blocks FROM blocks WHERE segment_id = ?', [id])?.['blocks']);
    if (sources.length < from.length || written !== blocks) {
      db.run('DELETE FROM blocks WHERE segment_id = ?', [id]);
      return false;
    }
    const docs = skillIds.length;
    const [gone, hidden] = [emptyBits(docs), emptyBits(docs)];
    const names = Array.from({ length: docs }, () => '');
    sources.forEach(({ segment, row }) => {
      const [oldGone, oldHidden] = [bytesOf(row['gone']), bytesOf(row['hidden'])];
      const oldNames = String(row['names']).split('\n');
      fromBytes(bytesOf(row['skill_ids'])).forEach((_, doc) => {
        const at = docOf(segment.id, doc);
        if (at === undefined) return;
        if (hasBit(oldGone, doc)) setBit(gone, at, true);
        if (hasBit(oldHidden, doc)) setBit(hidden, at, true);
        names[at] = oldNames[doc] ?? '';
      });
      db.run('DELETE FROM segments WHERE segment_id = ?', [segment.id]);
    });
    const root = from[0]?.rootId ?? 0;
    if (docs > 0) db.run('INSERT INTO segments (segment_id, root_id, docs, skill_ids, gone, hidden, names) VALUES (?, ?, ?, ?, ?, ?, ?)', [id, root, docs, toBytes(skillIds), gone, hidden, names.join('\n')]);
    db.run('UPDATE roots SET generation = generation + 1 WHERE root_id = ?', [root]);
    return true;
  });
}
