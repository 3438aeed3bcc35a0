import type { ApiListedSkill } from '../../../../src/api/skill-endpoints.ts';

/** Which skills are wanted by what has become of them. */
export type StatusFilter = 'all' | 'off' | 'untrusted' | ApiListedSkill['status'];

/** What the list is narrowed to. */
export interface ListFilter {
  readonly text: string;
  readonly source: string;
  readonly status: StatusFilter;
}

/** Nothing is left out. */
export const NO_FILTER: ListFilter = { text: '', source: 'all', status: 'all' };

/**
 * The skills to show. Where there is a ranking they come in its order with their scores; those after it are not offered to a model,
 * so that nothing ranks them, and have the text in their name.
 */
export function shownSkills(all: readonly ApiListedSkill[], ranking: readonly { readonly id: string; readonly score: number }[] | undefined, { text, source, status }: ListFilter): readonly ApiListedSkill[] {
  return ordered(all, ranking, text.trim().toLowerCase()).filter((skill) => (source === 'all' || skill.source === source) && hasStatus(skill, status));
}

function ordered(all: readonly ApiListedSkill[], ranking: readonly { readonly id: string; readonly score: number }[] | undefined, text: string): readonly ApiListedSkill[] {
  if (!ranking) return all;
  const usable = new Map(all.flatMap((skill) => (isUsable(skill) ? [[skill.id, skill]] : [])));
  const ranked = ranking.flatMap(({ id, score }) => {
    const skill = usable.get(id);
    return skill ? [{ ...skill, score }] : [];
  });
  const known = new Set(ranked.map(({ path }) => path));
  return [...ranked, ...all.filter(({ path, name }) => !known.has(path) && name.toLowerCase().includes(text))];
}

/** True for one that a name leads to: another skill can have the id of one that is shadowed. */
export function isUsable({ status }: ApiListedSkill): boolean {
  return status === 'loaded' || status === 'repaired';
}

function hasStatus({ status, enabled, trusted }: ApiListedSkill, wanted: StatusFilter): boolean {
  switch (wanted) {
    case 'all': return true;
    case 'off': return !enabled;
    case 'untrusted': return !trusted;
    default: return status === wanted;
  }
}
