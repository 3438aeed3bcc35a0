import type { EventBody } from '../../protocol/events.ts';
import type { SkillView } from '../../skills/skill-view.ts';
import { permit, type PermitParts } from '../permissions/permit.ts';
import { activateSkill, type ActivationParts } from '../skills/activate-skill.ts';
import { skillTool } from '../../tools/skill.ts';

/** What preloading works with. */
export interface PreloadParts {
  readonly activation: ActivationParts;
  readonly skills: SkillView | undefined;
  readonly permit: PermitParts;
}

/** The events that put the skills of an agent's file in force from its beginning; what may not be, or needs a person, is a warning. */
export async function preloadEvents(parts: PreloadParts, names: readonly string[]): Promise<readonly EventBody[]> {
  const events: EventBody[] = [];
  for (const name of new Set(names)) events.push(...(await eventsOf(parts, name)));
  return events;
}

async function eventsOf({ activation, skills, permit: permits }: PreloadParts, name: string): Promise<readonly EventBody[]> {
  const without = (why: string): readonly EventBody[] => [{ type: 'warning', code: 'skill_preload', message: `The skill ${name} of this agent's file is not loaded: ${why}.` }];
  const found = await skills?.resolve(name);
  if (found?.kind === 'unusable') return without(found.reason);
  if (found?.kind === 'ambiguous') return without(`it could be ${found.candidates.join(' or ')}`);
  if (found?.kind !== 'found') return without('there is none of that name');
  const { entry } = found;
  if (entry.frontmatter.disableModelInvocation === true) return without('only the person may call it (disable-model-invocation)');
  // The agent's own list of tools says what it may call, and this is no call of it.
  const verdict = await permit(permits, skillTool(), { input: { skill: name }, repeats: 0, by: 'person' });
  if (verdict.verdict === 'deny') return without(verdict.reason);
  if (verdict.verdict === 'ask') return without(`${verdict.reason}; the agent may call it, which asks`);
  const { event, warnings } = await activateSkill(activation, entry, { trigger: 'bound' });
  return [event, ...warnings];
}
