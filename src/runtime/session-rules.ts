import { parseRules, type ParsedRules } from '../permissions/rules.ts';
import { SkillmintError } from '../protocol/errors.ts';
import type { SessionState } from '../protocol/session-state.ts';

/** Where the rules of a session come from, beside its own answers and the flags of its turn. */
export interface RuleSources {
  /** Of the settings, file rules anchored. */
  readonly settings: { readonly allow: readonly string[]; readonly ask: readonly string[]; readonly deny: readonly string[] };
  /** Answers with scope `always` stored for the folder. */
  readonly stored: readonly string[];
}

/**
 * The rules in force, parsed again only when an answer or a turn has added some.
 * @throws SkillmintError config_invalid for an ask or deny rule that cannot be understood: going on without it would be less safe
 */
export function sessionRules(state: SessionState, sources: RuleSources): () => ParsedRules {
  let key = '';
  let parsed: ParsedRules | undefined;
  return () => {
    const options = state.turn?.options;
    const now = JSON.stringify([state.always.length, options?.allow, options?.deny]);
    if (!parsed || now !== key) {
      key = now;
      parsed = parseAll({
        allow: [...sources.settings.allow, ...sources.stored, ...state.always, ...(options?.allow ?? [])],
        ask: sources.settings.ask,
        deny: [...sources.settings.deny, ...(options?.deny ?? [])],
      });
    }
    return parsed;
  };
}

function parseAll(texts: { readonly allow: readonly string[]; readonly ask: readonly string[]; readonly deny: readonly string[] }): ParsedRules {
  const { rules } = parseRules(texts);
  const strict = parseRules({ allow: [], ask: texts.ask, deny: texts.deny });
  const [problem] = strict.problems;
  if (problem) throw new SkillmintError('config_invalid', `The permission rule "${problem.rule}" cannot be used: ${problem.problem}`);
  return rules;
}

/** Problems with rules that a person has just typed. */
export function checkTypedRules(rules: { readonly allow: readonly string[]; readonly deny: readonly string[] }): void {
  const [problem] = parseRules({ ...rules, ask: [] }).problems;
  if (problem) throw new SkillmintError('usage', `The permission rule "${problem.rule}" cannot be used: ${problem.problem}`);
}
