import { isObject } from '../../protocol/json.ts';
import type { Database, Row, SqlValue } from '../../store/database.ts';
import type { SkillProblem } from '../discover/skill-root.ts';
import { applyBatch } from './apply-batch.ts';
import { damaged, storedJson } from './damaged.ts';
import { inLists } from './in-list.ts';
import type { IndexStore, RootRecord, SegmentRecord, SkillRecord } from './index-store.ts';
import { bytesOf, fromBytes, nextNumber, numberOr, textOr } from './row-values.ts';
import { finishMerge } from './finish-merge.ts';
import { keptTags } from './kept-tags.ts';

const SKILL = 'skill_id, root_id, place, sort_key, name, name_key, linked_to, signature, digest, notes, facts, wants_tags';
const SEGMENT = 'segment_id, root_id, docs, gone, hidden';
const MOST_VIEWS = 100;
const PARAMS_OF_ROOT = ['complete', 'listed_ms', 'problems', 'checked_to', 'checked_at', 'seen_at'] as const;

/** The index in an open database. `program` is the version of the program: what another one has read is not used. */
export function sqliteIndexStore(db: Database, program: string): IndexStore {
  return { ...rootOperations(db, program), ...skillOperations(db), ...segmentOperations(db), ...countOperations(db), ...tagOperations(db), apply: (root, batch) => applyBatch(db, root, batch) };
}

function rootOperations(db: Database, program: string): Pick<IndexStore, 'roots' | 'generations' | 'openRoot' | 'changeRoot' | 'claimRoot' | 'forgetRoots'> {
  const find = (key: string): RootRecord | undefined => {
    const row = db.get('SELECT * FROM roots WHERE root = ? AND program = ?', [key, program]);
    return row && toRoot(row);
  };
  return {
    roots: (keys) => inLists(keys, (list, params) => db.all(`SELECT * FROM roots WHERE root IN ${list} AND program = ?`, [...params, program])).map(toRoot),
    generations: (roots) => inLists(roots, (list, params) => db.all(`SELECT root_id, generation FROM roots WHERE root_id IN ${list} ORDER BY root_id`, params)).map((row) => `${String(row['root_id'])}:${String(row['generation'])}`).join(' '),
    openRoot: (key, now) => find(key) ?? db.transaction(() => {
      const known = find(key);
      if (known) return known;
      for (const { root_id } of db.all('SELECT root_id FROM roots WHERE root = ?', [key])) forgetRoot(db, Number(root_id));
      const id = nextNumber(db, 'root');
      db.run('INSERT INTO roots (root_id, root, program, seen_at) VALUES (?, ?, ?, ?)', [id, key, program, now]);
      return { id, key, generation: 0, complete: false, listedMs: undefined, problems: [], checkedTo: undefined, checkedAt: 0, seenAt: now };
    }),
    changeRoot: (id, { complete, listedMs, problems, checkedTo, checkedAt, seenAt }) => {
      const values = [complete === undefined ? undefined : Number(complete), listedMs, problems && JSON.stringify(problems), checkedTo, checkedAt, seenAt];
      const changed = values.flatMap((value, i) => (value === undefined ? [] : [{ column: PARAMS_OF_ROOT[i] ?? '', value }]));
      const counts = complete === undefined && problems === undefined ? '' : ', generation = generation + 1';
      if (changed.length > 0) db.transaction(() => db.run(`UPDATE roots SET ${changed.map(({ column }) => `${column} = ?`).join(', ')}${counts} WHERE root_id = ?`, [...changed.map(({ value }) => value), id]));
    },
    claimRoot: (id, worker, now, until) => db.transaction(() => db.run('UPDATE roots SET worker = ?, worker_until = ? WHERE root_id = ? AND (worker IS NULL OR worker = ? OR worker_until < ?)', [worker, until, id, worker, now])).changes === 1,
    forgetRoots: (before) => {
      for (const { root_id } of db.all('SELECT root_id FROM roots WHERE seen_at < ?', [before])) db.transaction(() => forgetRoot(db, Number(root_id)));
    },
  };
}

function forgetRoot(db: Database, id: number): void {
  db.run('DELETE FROM blocks WHERE segment_id IN (SELECT segment_id FROM segments WHERE root_id = ?)', [id]);
  for (const table of ['segments', 'skills', 'roots']) db.run(`DELETE FROM ${table} WHERE root_id = ?`, [id]);
}

function skillOperations(db: Database): Pick<IndexStore, 'places' | 'skillsOf' | 'skillsAt' | 'skillsById' | 'idsNamed' | 'idsLinkedTo' | 'idsLinked' | 'skillsWithPaths' | 'setDigests'> {
  const within = (roots: readonly number[], column: string, values: readonly SqlValue[]): readonly number[] => {
    const wanted = new Set<SqlValue | undefined>(roots);
    return inLists(values, (list, params) => db.all(`SELECT skill_id, root_id FROM skills WHERE ${column} IN ${list}`, params)).flatMap((row) => (wanted.has(row['root_id']) ? [Number(row['skill_id'])] : []));
  };
  return {
    places: (root, after, limit) => db.all('SELECT skill_id, place, sort_key, signature FROM skills WHERE root_id = ? AND skill_id > ? ORDER BY skill_id LIMIT ?', [root, after, limit]).map((row) => ({ id: Number(row['skill_id']), place: String(row['place']), sortKey: String(row['sort_key']), signature: numberOr(row['signature']) })),
    skillsOf: (root) => db.all(`SELECT ${SKILL} FROM skills WHERE root_id = ?`, [root]).map(toSkill),
    skillsAt: (root, places) => inLists(places, (list, params) => db.all(`SELECT ${SKILL} FROM skills WHERE root_id = ? AND place IN ${list}`, [root, ...params])).map(toSkill),
    skillsById: (ids) => inLists(ids, (list, params) => db.all(`SELECT ${SKILL} FROM skills WHERE skill_id IN ${list}`, params)).map(toSkill),
    idsNamed: (roots, keys) => within(roots, 'name_key', keys),
    idsLinkedTo: (roots, folders) => within(roots, 'linked_to', folders),
    idsLinked: (roots) => {
      const wanted = new Set<SqlValue | undefined>(roots);
      return db.all('SELECT skill_id, root_id FROM skills WHERE linked_to IS NOT NULL').flatMap((row) => (wanted.has(row['root_id']) ? [Number(row['skill_id'])] : []));
    },
    skillsWithPaths: (roots) => inLists(roots, (list, params) => db.all(`SELECT ${SKILL} FROM skills WHERE root_id IN ${list} AND has_paths = 1`, params)).map(toSkill),
    setDigests: (digests) => db.transaction(() => {
      for (const { id, digest } of digests) db.run('UPDATE skills SET digest = ? WHERE skill_id = ?', [digest, id]);
    }),
  };
}

function segmentOperations(db: Database): Pick<IndexStore, 'segments' | 'skillIds' | 'names' | 'block' | 'blocksAfter' | 'newSegment' | 'addBlocks' | 'finishMerge' | 'dropBlocks' | 'straySegments'> {
  const part = (segment: number, column: 'skill_ids' | 'names'): SqlValue | undefined => db.get(`SELECT ${column} FROM segments WHERE segment_id = ?`, [segment])?.[column];
  return {
    segments: (roots) => inLists(roots, (list, params) => db.all(`SELECT ${SEGMENT} FROM segments WHERE root_id IN ${list} ORDER BY segment_id`, params)).map(toSegment),
    skillIds: (segment) => fromBytes(bytesOf(part(segment, 'skill_ids'))),
    names: (segment) => String(part(segment, 'names') ?? '').split('\n'),
    block: (segment, key) => {
      const data = db.get('SELECT data FROM blocks WHERE segment_id = ? AND first_key <= ? ORDER BY first_key DESC LIMIT 1', [segment, key])?.['data'];
      if (data === undefined || data instanceof Uint8Array) return data;
      throw damaged('A list of words');
    },
    blocksAfter: (segment, key, limit) => db.all('SELECT first_key, data FROM blocks WHERE segment_id = ? AND first_key > ? ORDER BY first_key LIMIT ?', [segment, key, limit]).map((row) => ({ firstKey: Number(row['first_key']), data: bytesOf(row['data']) })),
    newSegment: () => db.transaction(() => nextNumber(db, 'segment')),
    addBlocks: (segment, blocks) => db.transaction(() => {
      for (const { firstKey, data } of blocks) db.run('INSERT INTO blocks (segment_id, first_key, data) VALUES (?, ?, ?)', [segment, firstKey, data]);
    }),
    finishMerge: (merged) => finishMerge(db, merged),
    dropBlocks: (segment, most) => db.transaction(() => db.run('DELETE FROM blocks WHERE segment_id = ? AND first_key IN (SELECT first_key FROM blocks WHERE segment_id = ? LIMIT ?)', [segment, segment, most])).changes > 0,
    straySegments: () => db.all('SELECT DISTINCT segment_id FROM blocks WHERE segment_id NOT IN (SELECT segment_id FROM segments)').map((row) => Number(row['segment_id'])),
  };
}

function countOperations(db: Database): Pick<IndexStore, 'countOf' | 'keepCount'> {
  return {
    countOf: (view) => numberOr(db.get('SELECT total FROM views WHERE view = ?', [view])?.['total']),
    keepCount: (view, total, now) => db.transaction(() => {
      db.run('DELETE FROM views WHERE view = ?', [view]);
      db.run('INSERT INTO views (view, total, counted_at) VALUES (?, ?, ?)', [view, total, now]);
      db.run('DELETE FROM views WHERE counted_at < (SELECT min(counted_at) FROM (SELECT counted_at FROM views ORDER BY counted_at DESC LIMIT ?) AS newest)', [MOST_VIEWS]);
    }),
  };
}

function tagOperations(db: Database): Pick<IndexStore, 'skillsWantingTags' | 'tags' | 'claimTagging' | 'setTaggingFrom'> {
  return {
    skillsWantingTags: (root, after, limit) => db.all(`SELECT ${SKILL} FROM skills WHERE root_id = ? AND wants_tags = 1 AND skill_id > ? ORDER BY skill_id LIMIT ?`, [root, after, limit]).map(toSkill),
    tags: keptTags(db),
    claimTagging: (now, until) => db.transaction(() => db.run("UPDATE counters SET value = ? WHERE name = 'tagging_from' AND value <= ?", [until, now])).changes === 1,
    setTaggingFrom: (time) => void db.transaction(() => db.run("UPDATE counters SET value = ? WHERE name = 'tagging_from'", [time])),
  };
}

function toRoot(row: Row): RootRecord {
  return {
    id: Number(row['root_id']),
    key: String(row['root']),
    generation: Number(row['generation']),
    complete: row['complete'] === 1,
    listedMs: numberOr(row['listed_ms']),
    problems: problemsOf(String(row['problems'])),
    checkedTo: textOr(row['checked_to']),
    checkedAt: Number(row['checked_at']),
    seenAt: Number(row['seen_at']),
  };
}

function problemsOf(text: string): readonly SkillProblem[] {
  if (text === '[]') return [];
  const value = storedJson('What is wrong with a root', text);
  if (!Array.isArray(value)) throw damaged('What is wrong with a root');
  return value.flatMap((each: unknown) => (isObject(each) ? [{ path: String(each['path']), message: String(each['message']) }] : []));
}

function toSkill(row: Row): SkillRecord {
  return {
    id: Number(row['skill_id']),
    rootId: Number(row['root_id']),
    place: String(row['place']),
    sortKey: String(row['sort_key']),
    name: String(row['name']),
    nameKey: String(row['name_key']),
    linkedTo: textOr(row['linked_to']),
    signature: numberOr(row['signature']),
    digest: textOr(row['digest']),
    notes: textOr(row['notes']),
    facts: textOr(row['facts']),
    wantsTags: row['wants_tags'] === 1,
  };
}

function toSegment(row: Row): SegmentRecord {
  return { id: Number(row['segment_id']), rootId: Number(row['root_id']), docs: Number(row['docs']), gone: bytesOf(row['gone']), hidden: bytesOf(row['hidden']) };
}
