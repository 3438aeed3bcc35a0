import type { Database, Row } from '../../store/database.ts';
import { emptyBits, setBit } from './bits.ts';
import { inLists } from './in-list.ts';
import type { IndexBatch, NewSkill } from './index-store.ts';
import { nextNumber, numberOr, textOr, toBytes } from './row-values.ts';
import { bySortKey } from './sort-key.ts';
import { segmentMarks, type SegmentMarks } from './segment-marks.ts';

/** Writes a batch of one root in one transaction: rows, a segment with the words, and which of the same name comes first. */
export function applyBatch(db: Database, root: number, batch: IndexBatch): void {
  if (batch.skills.length === 0 && batch.removed.length === 0) return;
  db.transaction(() => {
    if (!db.get('SELECT root_id FROM roots WHERE root_id = ?', [root])) return;
    const marks = segmentMarks(db, root);
    const known = new Map(rowsAt(db, root, [...batch.skills.map(({ place }) => place), ...batch.removed]).map((row) => [String(row['place']), row]));
    const isKept = ({ place, signature, notes, wantsTags }: NewSkill): boolean => {
      const row = known.get(place);
      if (row?.['wants_tags'] === 1 && !wantsTags) return false;
      return signature !== undefined && numberOr(row?.['signature']) === signature && textOr(row?.['notes']) === notes;
    };
    const replaced = [...batch.skills.filter((skill) => !isKept(skill)).map(({ place }) => place), ...batch.removed].map((place) => known.get(place)).filter((row) => row !== undefined);
    for (const row of replaced) {
      marks.setGone(Number(row['skill_id']));
      db.run('DELETE FROM skills WHERE skill_id = ?', [row['skill_id'] ?? null]);
    }
    // Before the new segment is there: what stood behind a skill that is gone may come first now.
    marks.flush();
    insertSkills(db, root, batch, isKept);
    const names = new Set([...batch.skills.map(({ nameKey }) => nameKey), ...replaced.map((row) => String(row['name_key']))]);
    const moved = new Set(replaced.map((row) => String(row['name'])));
    const later = segmentMarks(db, root);
    orderNames(db, { root, names: [...names], moved, marks: later });
    later.flush();
    db.run('UPDATE roots SET generation = generation + 1 WHERE root_id = ?', [root]);
  });
}

function rowsAt(db: Database, root: number, places: readonly string[]): readonly Row[] {
  return inLists(places, (list, params) => db.all(`SELECT skill_id, place, name, name_key, signature, notes, wants_tags FROM skills WHERE root_id = ? AND place IN ${list}`, [root, ...params]));
}

function insertSkills(db: Database, root: number, { skills, blocks }: IndexBatch, isKept: (skill: NewSkill) => boolean): void {
  if (skills.length === 0) return;
  const first = nextNumber(db, 'skill', skills.length);
  const docs = skills.filter(({ claims }) => claims).length;
  const skillIds = new Uint32Array(docs);
  const gone = emptyBits(docs);
  const names: string[] = [];
  skills.forEach((skill, i) => {
    if (skill.claims) {
      if (isKept(skill)) setBit(gone, names.length, true);
      skillIds[names.length] = first + i;
      names.push(skill.name.replace(/\s+/g, ' '));
    }
    if (isKept(skill)) return;
    const { place, sortKey, name, nameKey, linkedTo, claims, hasPaths, signature, digest, notes, facts, wantsTags } = skill;
    db.run('INSERT INTO skills (skill_id, root_id, place, sort_key, name, name_key, linked_to, claims, has_paths, signature, digest, notes, facts, wants_tags) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)', [first + i, root, place, sortKey, name, nameKey, linkedTo ?? null, Number(claims), Number(hasPaths), signature ?? null, digest ?? null, notes ?? null, facts ?? null, Number(wantsTags)]);
  });
  if (docs === 0) return;
  const segment = nextNumber(db, 'segment');
  db.run('INSERT INTO segments (segment_id, root_id, docs, skill_ids, gone, hidden, names) VALUES (?, ?, ?, ?, ?, ?, ?)', [segment, root, docs, toBytes(skillIds), gone, emptyBits(docs), names.join('\n')]);
  for (const { firstKey, data } of blocks) db.run('INSERT INTO blocks (segment_id, first_key, data) VALUES (?, ?, ?)', [segment, firstKey, data]);
}

/** Of the skills of one name in a root, the one that a walk meets first counts; the others are hidden. `moved` are names of which one went away. */
function orderNames(db: Database, { root, names, moved, marks }: { readonly root: number; readonly names: readonly string[]; readonly moved: ReadonlySet<string>; readonly marks: SegmentMarks }): void {
  const groups = new Map<string, { readonly id: number; readonly sortKey: string }[]>();
  for (const row of inLists(names, (list, params) => db.all(`SELECT skill_id, name, sort_key FROM skills WHERE name_key IN ${list} AND root_id = ? AND claims = 1`, [...params, root]))) {
    const group = groups.get(String(row['name'])) ?? [];
    if (group.length === 0) groups.set(String(row['name']), group);
    group.push({ id: Number(row['skill_id']), sortKey: String(row['sort_key']) });
  }
  for (const [name, group] of groups) {
    if (group.length === 1 && !moved.has(name)) continue;
    group.sort(bySortKey).forEach(({ id }, i) => marks.setHidden(id, i > 0));
  }
}
