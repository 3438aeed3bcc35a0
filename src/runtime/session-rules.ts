import type { LoadedSettings } from '../config/load-settings.ts';
import { anchorRule, parseRules, type ParsedRules, type PermissionRules } from '../permissions/rules.ts';
import { SkillmintError } from '../protocol/errors.ts';
import type { SessionState } from '../protocol/session-state.ts';

/** Where the rules of a session come from, beside its own answers and the flags of its turn. */
export interface RuleSources {
  readonly settings: LoadedSettings;
  /** Answers with scope `always` stored for the folder. */
  readonly stored: readonly string[];
}

/**
 * The rules in force, parsed again only when an answer or a turn has added some.
 * @throws SkillmintError config_invalid for an ask or deny rule that cannot be understood: going on without it would be less safe
 */
export function sessionRules(state: SessionState, sources: RuleSources): () => ParsedRules {
  const settings = settingsRules(sources.settings);
  let key = '';
  let parsed: ParsedRules | undefined;
  return () => {
    const options = state.turn?.options;
    const now = JSON.stringify([state.always.length, options?.allow, options?.deny]);
    if (!parsed || now !== key) {
      key = now;
      parsed = parseAll({
        allow: [...settings.allow, ...sources.stored, ...state.always, ...(options?.allow ?? [])],
        ask: settings.ask,
        deny: [...settings.deny, ...(options?.deny ?? [])],
      });
    }
    return parsed;
  };
}

/** The rules of all layers; those that begin with `/` are meant from the folder of their file. */
function settingsRules({ layers }: LoadedSettings): PermissionRules {
  const of = (list: 'allow' | 'ask' | 'deny'): readonly string[] => layers.flatMap((layer) => (layer.settings.permissions?.[list] ?? []).map((rule) => anchorRule(rule, layer.folder)));
  return { allow: of('allow'), ask: of('ask'), deny: of('deny') };
}

function parseAll(texts: PermissionRules): ParsedRules {
  const { rules } = parseRules(texts);
  const [problem] = parseRules({ ...texts, allow: [] }).problems;
  if (problem) throw new SkillmintError('config_invalid', `The permission rule "${problem.rule}" cannot be used: ${problem.problem}`);
  return rules;
}

/** Sentences on allow rules of the settings that cannot be understood and therefore grant nothing. */
export function ruleNotices(settings: LoadedSettings): readonly string[] {
  const { problems } = parseRules({ ...settingsRules(settings), ask: [], deny: [] });
  return problems.map(({ rule, problem }) => `The permission rule "${rule}" of the settings grants nothing: ${problem}`);
}

/** @throws SkillmintError usage for a rule that a person has just typed and that cannot be understood */
export function checkTypedRules(rules: { readonly allow: readonly string[]; readonly deny: readonly string[] }): void {
  const [problem] = parseRules({ ...rules, ask: [] }).problems;
  if (problem) throw new SkillmintError('usage', `The permission rule "${problem.rule}" cannot be used: ${problem.problem}`);
}
