import { textOf } from '../../protocol/content.ts';
import { SkillmintError } from '../../protocol/errors.ts';
import type { StoredEvent } from '../../protocol/events.ts';
import type { SessionStore } from '../../sessions/store.ts';
import { matchingSkills } from '../../skills/activate/path-skills.ts';
import { MAX_OFFERED } from '../../skills/activate/offer-note.ts';
import type { Resolution } from '../../skills/discover/resolve-skill.ts';
import type { SkillEntry } from '../../skills/discover/skill-entry.ts';
import type { SkillView } from '../../skills/skill-view.ts';

/** What became of a skill in one turn; `why` is a sentence for people. */
export interface SkillTurn {
  readonly turn_id: string;
  /** What the person wrote. */
  readonly text: string;
  readonly outcome: 'loaded' | 'offered' | 'known' | 'not offered';
  readonly why: string;
  /** Place among the skills of the offer, from 1. */
  readonly place?: number;
  readonly score?: number;
}

/** The trace of a skill in a session. */
export interface SkillWhy {
  readonly session_id: string;
  readonly skill_id: string;
  /** What keeps it from ever being offered as things are; left out when nothing does. */
  readonly obstacle?: string;
  readonly turns: readonly SkillTurn[];
}

/** What the trace is read from. */
export interface WhyParts {
  readonly store: SessionStore;
  readonly skills: SkillView;
}

/** How far down a ranking is looked. */
const DEEPEST = 500;

/**
 * Tells from the log of a session what became of a skill in each turn. Where it was not offered, its place in a ranking
 * of the same text is taken anew, over the skills of now.
 * @throws SkillmintError skill_not_found when neither the log nor the library knows the name
 */
export async function whySkill({ store, skills }: WhyParts, sessionId: string, name: string): Promise<SkillWhy> {
  const found = await skills.resolve(name);
  const events: StoredEvent[] = [];
  for await (const event of store.read(sessionId)) events.push(event);
  const skillId = found.kind === 'found' || found.kind === 'unusable' ? found.entry.id : idInLog(events, name);
  if (skillId === undefined) throw new SkillmintError('skill_not_found', `There is no skill "${name}"${'suggestions' in found && found.suggestions.length > 0 ? `; did you mean ${found.suggestions.join(' or ')}?` : ', and the session does not know it either.'} See: skillmint skills list`);
  const obstacle = await obstacleOf(found, events);
  const turns: SkillTurn[] = [];
  const seen = new Set<string>();
  for (const turn of turnsOf(events)) turns.push(await traceTurn(turn, { skillId, skills, obstacle, seen }));
  return { session_id: sessionId, skill_id: skillId, ...(obstacle === undefined ? {} : { obstacle }), turns };
}

function idInLog(events: readonly StoredEvent[], name: string): string | undefined {
  const ids = events.flatMap((event) => (event.type === 'skill.activated' ? [event.skill_id] : event.type === 'skill.offered' ? event.skills.map(({ id }) => id) : []));
  return ids.find((id) => id === name || id.slice(id.lastIndexOf(':') + 1) === name);
}

async function obstacleOf(found: Resolution, events: readonly StoredEvent[]): Promise<string | undefined> {
  if (found.kind === 'unusable') return `it cannot be used: ${found.reason}`;
  if (found.kind !== 'found') return 'it is not among the skills of now';
  const { entry } = found;
  if (entry.frontmatter.disableModelInvocation === true) return `only the person may call it (disable-model-invocation), as /${entry.handle}`;
  if (entry.onlyByName) return `it is a skill about skills (type: meta), which turns are only offered with the setting skills.offerMeta; its name loads it`;
  return pathObstacle(entry, events);
}

async function pathObstacle(entry: SkillEntry, events: readonly StoredEvent[]): Promise<string | undefined> {
  const { paths } = entry.frontmatter;
  if (paths === undefined) return undefined;
  const started = events.find((event) => event.type === 'session.started');
  const touched = events.flatMap((event) => (event.type === 'tool.completed' ? Object.keys(event.details?.['stamps'] ?? {}) : []));
  const matching = matchingSkills([entry], touched, started ? [started.cwd, ...(started.add_dirs ?? [])] : []);
  return matching.length > 0 ? undefined : `it waits for a file that matches its paths (${paths.join(', ')}) to be read or changed`;
}

interface LoggedTurn {
  readonly turn_id: string;
  readonly text: string;
  readonly events: readonly StoredEvent[];
}

function turnsOf(events: readonly StoredEvent[]): readonly LoggedTurn[] {
  const turns: { turn_id: string; text: string; events: StoredEvent[] }[] = [];
  for (const event of events) {
    if (event.type === 'turn.started') turns.push({ turn_id: event.turn_id, text: textOf(event.input), events: [] });
    turns.at(-1)?.events.push(event);
  }
  return turns;
}

const TRIGGERS = { model: 'the model called it', user: 'the person called it', router: 'its score was certain', path: 'a file it is meant for was touched', bound: 'the session is bound to it' } as const;

async function traceTurn({ turn_id, text, events }: LoggedTurn, { skillId, skills, obstacle, seen }: { readonly skillId: string; readonly skills: SkillView; readonly obstacle: string | undefined; readonly seen: Set<string> }): Promise<SkillTurn> {
  const base = { turn_id, text };
  const offers = events.flatMap((event) => (event.type === 'skill.offered' ? [event] : []));
  const offer = offers.find((each) => each.skills.some(({ id }) => id === skillId));
  const index = offer?.skills.findIndex(({ id }) => id === skillId) ?? -1;
  const ranked = index >= 0 ? { place: index + 1, score: offer?.skills[index]?.score ?? 0 } : {};
  const loaded = events.find((event) => event.type === 'skill.activated' && event.skill_id === skillId);
  const known = seen.has(skillId);
  if (offer || loaded) seen.add(skillId);
  if (loaded?.type === 'skill.activated') return { ...base, outcome: 'loaded', why: `${TRIGGERS[loaded.trigger]}${known || offer ? ', after it had been offered' : ''}`, ...ranked };
  if (offer) return { ...base, outcome: 'offered', why: `offered${offer.note === '' ? ' as an answer of FindTools' : ` at place ${index + 1} of ${offer.skills.length}`}; the model did not load it`, ...ranked };
  if (known) return { ...base, outcome: 'known', why: 'offered or loaded in an earlier turn; it is not offered twice' };
  return { ...base, outcome: 'not offered', why: obstacle ?? (await whyBelow(skills, text, skillId)) };
}

async function whyBelow(skills: SkillView, text: string, skillId: string): Promise<string> {
  // So few are all offered; of more those are that share a word with the message.
  const ranked = (await skills.rank(text, DEEPEST)).filter(({ score }) => score > 0 || skills.total <= MAX_OFFERED);
  const place = ranked.findIndex(({ entry }) => entry.id === skillId);
  if (place < 0) return 'it shares no word with the message';
  if (place < MAX_OFFERED) return `it would be offered now, at place ${place + 1}; the library or the skill has changed since`;
  return `ranked at place ${place + 1}, and ${MAX_OFFERED} are offered; before it: ${ranked.slice(0, 3).map(({ entry }) => entry.id).join(', ')} and others`;
}
