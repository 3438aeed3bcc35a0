import type { EventBody } from '../../protocol/events.ts';
import type { SessionState } from '../../protocol/session-state.ts';
import { matchingSkills } from '../../skills/activate/path-skills.ts';
import { MAX_OFFERED, offerNote } from '../../skills/activate/offer-note.ts';
import type { RankedSkill, SkillView } from '../../skills/skill-view.ts';

type Offer = Extract<EventBody, { type: 'skill.offered' }>;

/**
 * The event that offers skills for a message: those for the files that were touched, then those that fit the text best,
 * as far as they were not offered or loaded before.
 */
export async function offerForText(skills: SkillView, text: string, state: SessionState): Promise<Offer | undefined> {
  const touched = await skillsForPaths(skills, [...state.file_stamps.keys()], state);
  // So few are all listed; their words need not be looked at.
  const ranked = await skills.rank(skills.total <= MAX_OFFERED ? '' : text, MAX_OFFERED);
  const byText = ranked.filter(({ entry }) => entry.frontmatter.paths === undefined && !touched.some((one) => one.entry.id === entry.id));
  return offerOf([...touched, ...byText].slice(0, MAX_OFFERED), state);
}

/** The event that offers skills whose `paths` match files that were just touched. */
export async function offerForPaths(skills: SkillView, touched: readonly string[], state: SessionState): Promise<Offer | undefined> {
  return offerOf((await skillsForPaths(skills, touched, state)).slice(0, MAX_OFFERED), state);
}

async function skillsForPaths(skills: SkillView, touched: readonly string[], state: SessionState): Promise<readonly RankedSkill[]> {
  if (touched.length === 0) return [];
  return matchingSkills(await skills.withPaths(), touched, [state.cwd, ...state.add_dirs]).map((entry) => ({ entry, score: 0 }));
}

function offerOf(ranked: readonly RankedSkill[], state: SessionState): Offer | undefined {
  const fresh = ranked.filter(({ entry }) => !state.offered.has(entry.id) && !state.skills.has(entry.id));
  if (fresh.length === 0) return undefined;
  return { type: 'skill.offered', skills: fresh.map(({ entry, score }) => ({ id: entry.id, score })), note: `\n\n${offerNote(fresh)}` };
}
