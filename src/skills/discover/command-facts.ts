import type { SkillFacts } from './kept-skill.ts';

/** A command has no fields for these. */
const NOT_MISSED = new Set(['name-missing', 'description-missing']);

/** What was read of a command, made a skill: it is called as its file is, and only a person can call it. */
export function commandFacts(facts: SkillFacts, name: string): SkillFacts {
  const frontmatter = { ...facts.frontmatter, name, disableModelInvocation: true, userInvocable: true };
  return { ...facts, name, frontmatter, diagnostics: facts.diagnostics.filter(({ code }) => !NOT_MISSED.has(code)) };
}
