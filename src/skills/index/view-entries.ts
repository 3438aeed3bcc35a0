import path from 'node:path';
import { isObject } from '../../protocol/json.ts';
import { buildEntries, type ReadSkill, type Visibility } from '../discover/catalogue.ts';
import { isDiagnostic, keptFacts } from '../discover/kept-skill.ts';
import { foundReader } from '../discover/read-found.ts';
import type { SkillEntry } from '../discover/skill-entry.ts';
import { timeSlices } from '../discover/time-slices.ts';
import type { FoundSkill } from '../discover/walk-root.ts';
import { damaged, storedJson } from './damaged.ts';
import type { IndexingParts, OpenRoot } from './index-root.ts';
import type { SkillRecord } from './index-store.ts';
import type { FoundNotes } from './new-skill.ts';
import { bySortKey } from './sort-key.ts';

/** Roots in the order of their precedence, and what hides skills in them. */
export interface ViewParts extends IndexingParts {
  readonly roots: readonly OpenRoot[];
  readonly visibility: Visibility;
}

/** A skill of the index as a session sees it. */
export interface PlacedSkill {
  readonly record: SkillRecord;
  readonly entry: SkillEntry;
}

/** Numbers of the roots. */
export function rootIds({ roots }: Pick<ViewParts, 'roots'>): readonly number[] {
  return roots.map(({ record }) => record.id);
}

/** Real path of a skill's folder. */
export function realFolderOf(record: SkillRecord, { real }: OpenRoot): string {
  return record.linkedTo ?? real + folderOf(record);
}

/** Where the skill of a record lies. */
export function foundOf(record: SkillRecord, at: OpenRoot): FoundSkill {
  const { diagnostics = [], command, pluginRoot } = notesOf(record);
  return {
    ...(pluginRoot === undefined ? { root: at.root } : { root: { ...at.root, pluginRoot }, within: at.root }),
    folder: at.root.folder + folderOf(record),
    realFolder: realFolderOf(record, at),
    file: at.root.folder + record.place,
    diagnostics,
    ...(command === undefined ? {} : { command }),
  };
}

/** From the root. Of a command it is the file. */
function folderOf(record: SkillRecord): string {
  return notesOf(record).command === undefined ? path.dirname(record.place) : record.place;
}

/** The records, and all others of these roots that could stand before or behind one of them: of the same name or folder. */
export function withRivals({ store, roots }: ViewParts, records: readonly SkillRecord[]): readonly SkillRecord[] {
  const byId = new Map(roots.map((at) => [at.record.id, at]));
  const folders = [...new Set(records.flatMap((record) => {
    const at = byId.get(record.rootId);
    return at ? [realFolderOf(record, at)] : [];
  }))];
  const linked = records.flatMap(({ linkedTo }) => linkedTo ?? []);
  const given = new Set(records.map(({ id }) => id));
  const rivals = [...store.idsNamed(rootIds({ roots }), [...new Set(records.map(({ nameKey }) => nameKey))]), ...store.idsLinkedTo(rootIds({ roots }), folders)];
  const all = [
    ...records,
    ...store.skillsById([...new Set(rivals)].filter((id) => !given.has(id))),
    ...roots.flatMap((at) => store.skillsAt(at.record.id, linked.filter((folder) => folder.startsWith(at.real + path.sep)).flatMap((folder) => placesAt(folder.slice(at.real.length))))),
  ];
  return [...new Map(all.map((record) => [record.id, record])).values()];
}

/** Where the file of a skill in this folder can be; a command is a file itself. */
function placesAt(folder: string): readonly string[] {
  return [folder, ...['SKILL.md', 'skill.md', 'Skill.md'].map((name) => folder + path.sep + name)];
}

/** Records as entries, in the order of precedence, each judged beside the others that are given. */
export async function placeSkills(parts: ViewParts, records: readonly SkillRecord[]): Promise<readonly PlacedSkill[]> {
  const { store, tree, roots, visibility, now } = parts;
  const order = new Map(roots.map((at, i) => [at.record.id, { at, i }]));
  const sorted = records
    .flatMap((record) => {
      const root = order.get(record.rootId);
      return root ? [{ record, ...root }] : [];
    })
    .sort((a, b) => a.i - b.i || bySortKey(a.record, b.record));
  const read = foundReader(tree);
  const skills: ReadSkill[] = [];
  const recordOf = new Map<ReadSkill, SkillRecord>();
  for (const { record, at } of sorted) {
    const found = foundOf(record, at);
    const facts = (record.facts === undefined ? undefined : keptFacts(record.facts)) ?? (await read(found)).facts;
    const skill: ReadSkill = { found, facts, signature: undefined, kept: undefined, digest: record.digest };
    skills.push(skill);
    recordOf.set(skill, record);
  }
  const digestOf = async (skill: ReadSkill): Promise<string> => {
    if (skill.digest !== undefined) return skill.digest;
    const { digestSkill } = await import('../digest.ts');
    const { digest, diagnostics } = digestSkill(tree, skill.found.realFolder);
    skill.digest = digest;
    const record = recordOf.get(skill);
    if (record?.signature !== undefined && diagnostics.length === 0) store.setDigests([{ id: record.id, digest }]);
    return digest;
  };
  const entries = await buildEntries(skills, { visibility, digests: false, digestOf, slices: timeSlices(now) });
  return entries.flatMap((entry, i) => {
    const record = sorted[i]?.record;
    return record ? [{ record, entry }] : [];
  });
}

/** Only this program writes them. */
function notesOf({ notes }: SkillRecord): FoundNotes {
  const value = notes === undefined ? {} : storedJson('What was noted of a skill', notes);
  if (!isObject(value)) throw damaged('What was noted of a skill');
  const { diagnostics, command, pluginRoot } = value;
  return {
    ...(Array.isArray(diagnostics) && diagnostics.every(isDiagnostic) ? { diagnostics } : {}),
    ...(typeof command === 'string' ? { command } : {}),
    ...(typeof pluginRoot === 'string' ? { pluginRoot } : {}),
  };
}
