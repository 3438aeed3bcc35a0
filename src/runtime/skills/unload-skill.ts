import { SkillmintError } from '../../protocol/errors.ts';
import type { EventBody } from '../../protocol/events.ts';
import type { SessionState } from '../../protocol/session-state.ts';

/**
 * The event that unloads an active skill, by its id or its bare name. What the model has read stays in the history until
 * a compaction, so the next message says that it no longer holds.
 * @throws SkillmintError skill_not_found, invalid_argument for the skill that the session is bound to
 */
export function unloadEvent(state: SessionState, skill: string): EventBody {
  const active = [...state.skills.values()];
  const found = active.find(({ skill_id }) => skill_id === skill) ?? active.find(({ skill_id }) => skill_id.slice(skill_id.lastIndexOf(':') + 1) === skill.replace(/^[/$]/, ''));
  if (!found) throw new SkillmintError('skill_not_found', `The skill ${skill} is not active in this session. Active: ${active.map(({ skill_id }) => skill_id).join(', ') || 'none'}.`);
  if (found.trigger === 'bound') throw new SkillmintError('invalid_argument', `The session is bound to the skill ${found.skill_id}; begin a new session to work without it.`);
  return { type: 'skill.deactivated', skill_id: found.skill_id, note: `\n\n<note>The skill ${found.skill_id} was unloaded: its instructions above no longer hold.</note>` };
}
