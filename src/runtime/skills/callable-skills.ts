import type { SkillCatalogue } from '../../skills/discover/catalogue.ts';
import { isUsable } from '../../skills/discover/skill-entry.ts';

/** A skill that a person may call as `/name`. */
export interface CallableSkill {
  readonly name: string;
  readonly description: string;
  /** What may follow the name, in the words of its author. */
  readonly hint?: string;
}

/** The skills of a catalogue that a person may call, in its order. */
export function callableSkills({ entries }: Pick<SkillCatalogue, 'entries'>): readonly CallableSkill[] {
  return entries
    .filter((entry) => isUsable(entry) && entry.frontmatter.userInvocable !== false)
    .map(({ handle, description, frontmatter: { argumentHint } }) => ({ name: handle, description, ...(argumentHint === undefined ? {} : { hint: argumentHint }) }));
}
