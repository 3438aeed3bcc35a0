import type { StoredEvent } from './events.ts';
import { appendNote } from './fold-messages.ts';
import { openCalls, type SessionState } from './session-state.ts';

type SkillEvent = Extract<StoredEvent, { type: 'skill.offered' | 'skill.activated' | 'skill.deactivated' }>;

/** Applies what happened to a skill. */
export function applySkillEvent(state: SessionState, event: SkillEvent): void {
  switch (event.type) {
    case 'skill.offered': return offer(state, event);
    case 'skill.activated': return activate(state, event);
    case 'skill.deactivated': {
      state.skills.delete(event.skill_id);
      state.skill_effects.delete(event.skill_id);
      state.notes.push(event.note);
    }
  }
}

/** An offer goes with the person's message; one that follows from a tool call comes after that step. */
function offer(state: SessionState, event: Extract<SkillEvent, { type: 'skill.offered' }>): void {
  for (const { id } of event.skills) state.offered.add(id);
  if (event.note === '') return;
  if (openCalls(state).some(({ by }) => by === undefined)) state.queued.push({ seq: event.seq, message: { role: 'user', content: [{ type: 'text', text: event.note.trimStart() }] } });
  else appendNote(state, event.note);
}

/** The text of a skill that the session is bound to stands in the system prompt, that of others in the result of the call. */
function activate(state: SessionState, event: Extract<SkillEvent, { type: 'skill.activated' }>): void {
  const { skill_id, digest, path, folder, trigger, body, hooks, effects } = event;
  // What was loaded last comes last.
  state.skills.delete(skill_id);
  state.skills.set(skill_id, { skill_id, digest, path, folder, trigger, body, ...(hooks ? { hooks } : {}) });
  if (effects) {
    state.skill_effects.delete(skill_id);
    state.skill_effects.set(skill_id, effects);
  }
}
