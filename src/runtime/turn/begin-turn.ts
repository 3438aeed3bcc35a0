import type { AgentPorts } from '../../agent/ports.ts';
import type { EventBody } from '../../protocol/events.ts';
import type { SkillEntry } from '../../skills/discover/skill-entry.ts';
import type { SkillView } from '../../skills/skill-view.ts';
import type { TurnHooks } from '../hooks/hook-binding.ts';
import type { ActivationParts } from '../skills/activate-skill.ts';
import type { PermitParts } from '../permissions/permit.ts';
import { offerForText } from '../skills/offer-skills.ts';

/** A session with everything that its turn works with. */
export interface BoundSession {
  readonly ports: AgentPorts;
  readonly hooks: TurnHooks;
  readonly activation: ActivationParts;
  /** Undefined when the session has no skills. */
  readonly skills: SkillView | undefined;
  /** What brings instructions of the project and notes of its memory into the prompt. */
  readonly projectNotes: () => Promise<readonly EventBody[]>;
  /** What the person is told of MCP servers. */
  readonly notices: readonly string[];
  /** Names of those that may be used. */
  readonly servers: readonly string[];
  /** The skill that the session is bound to, where its instructions are not in force yet. */
  readonly coming: SkillEntry | undefined;
  /** Names of skills that are to be in force from the beginning. */
  readonly preload: readonly string[];
  /** Decides whether they may be. */
  readonly permit: PermitParts;
  readonly newCallId: () => string;
}

/** What a message brings with it. */
export interface Beginning {
  readonly text: string;
  /** Skills may be called by name in the text. */
  readonly calls: boolean;
  /** Skills are offered with it. */
  readonly offers: boolean;
}

/**
 * Stores what follows from a message before the model is asked: the skill that the session is bound to, those that the
 * person called, and those that are offered. Loading a skill may run commands, so the message's hooks come before.
 */
export async function beginTurn({ ports, activation, skills, projectNotes, notices, servers, coming, preload, permit, newCallId }: BoundSession, { text, calls, offers }: Beginning): Promise<void> {
  const events: EventBody[] = [...(await projectNotes())];
  if (coming) {
    const { activateSkill } = await import('../skills/activate-skill.ts');
    const { event, warnings } = await activateSkill(activation, coming, { trigger: 'bound' });
    events.push(event, ...warnings);
  }
  if (preload.length > 0) {
    const { preloadEvents } = await import('../agents/preload-skills.ts');
    events.push(...(await preloadEvents({ activation, skills, permit }, preload)));
  }
  if (servers.length > 0 && calls && mayCall(text)) {
    const { promptCall } = await import('../mcp/prompt-call.ts');
    events.push(...promptCall(text, servers, newCallId));
  }
  if (skills && calls && mayCall(text)) {
    const { invocationEvents } = await import('../skills/invocation-events.ts');
    events.push(...(await invocationEvents(skills, text, newCallId)));
  }
  if (skills && offers) {
    const offer = ports.state.bound ? undefined : await offerForText(skills, text, ports.state);
    if (offer) events.push(offer);
    if (!skills.complete && !ports.state.bound) events.push({ type: 'warning', code: 'skills_incomplete', message: `Not all skills have been read yet: ${skills.total} could be offered with this message. The others are read while it is answered.` });
  }
  for (const message of skills?.takeNotices() ?? []) events.push({ type: 'warning', code: 'skill_index', message });
  for (const message of notices) events.push({ type: 'warning', code: 'mcp', message });
  if (events.length > 0) await ports.append(events);
}

/** False for a text without `/name` at its start and without `$name`; what it takes to read those is loaded only for others. */
function mayCall(text: string): boolean {
  return /^\s*\/|\$/.test(text);
}
