import { textOf } from '../../protocol/content.ts';
import { SkillmintError } from '../../protocol/errors.ts';
import type { EventBody } from '../../protocol/events.ts';
import type { SessionState } from '../../protocol/session-state.ts';
import type { SkillEntry } from '../../skills/discover/skill-entry.ts';
import { beginTurn, type Beginning, type BoundSession } from './begin-turn.ts';
import type { LiveSession } from './live-session.ts';
import type { Prepared } from '../session/session-binder.ts';
import { agentNamed } from '../agents/choose-agent.ts';
import { boundSkillOf } from '../skills/bindable-skill.ts';
import type { TurnParts } from './turn-parts.ts';

/** What a turn that goes on has still to do before the model is asked. */
export interface Opening {
  /** The skill that the session is bound to, where its instructions are not in force yet. */
  readonly coming: SkillEntry | undefined;
  /** Names of skills of a sub-agent's file that are to be in force from the beginning. */
  readonly preload: readonly string[];
  /** What `runTurn` opens the turn with; nothing where that is stored already. */
  of(bound: BoundSession, uses: Omit<Beginning, 'text'>): { readonly opening?: () => Promise<void> };
}

/** True where the session is bound to a skill that is not in force yet. */
export function lacksBoundSkill({ bound, skills }: Pick<SessionState, 'bound' | 'skills'>): boolean {
  return bound !== undefined && !skills.has(bound.skill_id);
}

/** What is left to do of the beginning of a turn that the end of the program may have cut off. Rejects as `boundSkillOf` does. */
export async function openingOf({ parts }: Pick<TurnParts, 'parts'>, { state }: LiveSession, { skills, agents }: Pick<Prepared, 'skills' | 'agents'>): Promise<Opening> {
  const coming = lacksBoundSkill(state) && skills ? await boundSkillOf(skills, parts.host, state) : undefined;
  const { turn, agent } = state;
  if (turn?.opened) return { coming, preload: [], of: () => ({}) };
  const preload = agent ? agentNamed(await agents(), agent.type)?.skills ?? [] : [];
  // The prompt of a sub-agent is nothing that a person has said, so it calls no skills in their name.
  return { coming, preload, of: (bound, uses) => ({ opening: () => beginTurn(bound, { text: textOf(turn?.input ?? []), ...uses, calls: uses.calls && !agent }) }) };
}

/** The event with which an interrupted turn goes on; none for one that has waited. */
export function resumedEvents({ turn }: SessionState): readonly EventBody[] {
  return turn?.status === 'running' ? [{ type: 'turn.resumed', turn_id: turn.turn_id }] : [];
}

/** @throws SkillmintError nothing_to_resume, unless the last turn of the session was interrupted */
export function requireInterrupted({ session_id, turn }: SessionState): void {
  if (turn?.status === 'running') return;
  const why = turn?.status === 'waiting' ? 'it waits for a person; answer it with: skillmint answer' : 'give a prompt to go on with it: skillmint run "…" --session';
  throw new SkillmintError('nothing_to_resume', `The last turn of session ${session_id} was not interrupted; ${why} ${session_id}`);
}
