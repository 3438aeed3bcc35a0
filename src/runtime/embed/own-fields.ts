import type { SkillCatalogue } from '../../skills/discover/catalogue.ts';
import type { SkillEntry } from '../../skills/discover/skill-entry.ts';
import { warning } from '../../skills/read/diagnostic.ts';

/**
 * Fields of the frontmatter to which the embedding program gives a meaning: each says what is wrong with a value, in a clause, or
 * nothing. The value is undefined where a skill does not have the field. What they find stands with the skill's other findings; the
 * values themselves are in `entry.frontmatter.other`.
 */
export type OwnFields = Readonly<Record<string, (value: unknown, skill: { readonly id: string }) => string | undefined>>;

/** The same skills, with what the checks of own fields say. */
export function withOwnFields(catalogue: SkillCatalogue, fields: OwnFields | undefined): SkillCatalogue {
  if (!fields) return catalogue;
  return { ...catalogue, entries: catalogue.entries.map((entry) => checked(entry, fields)) };
}

function checked(entry: SkillEntry, fields: OwnFields): SkillEntry {
  const found = Object.entries(fields).flatMap(([name, check]) => {
    const problem = check(entry.frontmatter.other[name], { id: entry.id });
    return problem === undefined ? [] : [warning('own-field', `the field ${name} ${problem}`)];
  });
  return found.length === 0 ? entry : { ...entry, diagnostics: [...entry.diagnostics, ...found] };
}
