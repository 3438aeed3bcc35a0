import type { SkillCatalogue } from '../../skills/discover/catalogue.ts';
import type { SkillEntry } from '../../skills/discover/skill-entry.ts';
import { messageOf } from '../../protocol/errors.ts';
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
    const problem = problemOf(() => check(entry.frontmatter.other[name], { id: entry.id }));
    return problem === undefined ? [] : [warning('own-field', `the field ${name} ${problem}`)];
  });
  return found.length === 0 ? entry : { ...entry, diagnostics: [...entry.diagnostics, ...found] };
}

/** A check that is broken is a finding, too: one skill must not take the listing of all with it. */
function problemOf(check: () => unknown): string | undefined {
  try {
    const problem = check();
    if (problem === undefined || typeof problem === 'string') return problem;
    return `could not be checked: its check gave ${problem instanceof Promise ? 'a promise' : `a ${typeof problem}`} in place of a text`;
  } catch (error) {
    return `could not be checked: ${messageOf(error)}`;
  }
}
