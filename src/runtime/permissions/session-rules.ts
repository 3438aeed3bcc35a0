import type { LoadedSettings } from '../../config/load-settings.ts';
import { contradictions, ruleProblems, settingPlace } from '../../config/rule-problems.ts';
import type { ReadTree } from '../../host/host.ts';
import { anchorRule, emptyGrants, parseRules, type ParsedRules, type PermissionRules } from '../../permissions/rules.ts';
import { givesToCommands, opensInside } from '../../permissions/command-grants.ts';
import { parseRule } from '../../permissions/rule.ts';
import { SkillmintError } from '../../protocol/errors.ts';
import type { SessionState } from '../../protocol/session-state.ts';
import { standingDenials } from '../session/session-restriction.ts';

/** Where the rules of a session come from, beside its own answers and the flags of its turn. */
export interface RuleSources {
  readonly settings: LoadedSettings;
  /** Answers with scope `always` stored for the folder. */
  readonly stored: readonly string[];
  /** See `TenantOptions`. */
  readonly confined?: boolean;
}

/**
 * The rules in force, parsed again only when an answer or a turn has added some. Their problems were looked for before the
 * turn. What skills take away they take from the model, not from a person's own calls.
 */
export function sessionRules(state: SessionState, sources: RuleSources): (by?: 'person') => ParsedRules {
  const settings = settingsRules(sources.settings);
  let key = '';
  let parsed: ParsedRules | undefined;
  return (by) => {
    const options = state.turn?.options;
    const effects = [...state.skill_effects.values()];
    const now = JSON.stringify([by, state.always.length, options?.allow, options?.deny, effects, standingDenials(state)]);
    if (!parsed || now !== key) {
      key = now;
      const allow = [...settings.allow, ...sources.stored, ...state.always, ...(options?.allow ?? []), ...effects.flatMap((each) => each.grants ?? []).filter(mayComeFromSkill)];
      parsed = parseRules({
        allow: sources.confined ? allow.filter((rule) => !opensInside(rule)) : allow,
        ask: settings.ask,
        deny: [...settings.deny, ...standingDenials(state), ...(options?.deny ?? []), ...(by === 'person' ? [] : effects.flatMap((each) => each.disallowed ?? []))],
      }).rules;
    }
    return parsed;
  };
}

/** What commands may reach and read is for the person to give. */
function mayComeFromSkill(text: string): boolean {
  const answer = parseRule(text, { purpose: 'grant' });
  return !('rule' in answer) || !givesToCommands(answer.rule);
}

/** The rules of all layers; those that begin with `/` are meant from the folder of their file. */
export function settingsRules({ layers }: LoadedSettings): PermissionRules {
  const of = (list: 'allow' | 'ask' | 'deny'): readonly string[] => layers.flatMap((layer) => (layer.settings.permissions?.[list] ?? []).map((rule) => anchorRule(rule, layer.folder)));
  return { allow: of('allow'), ask: of('ask'), deny: of('deny') };
}

/**
 * Refuses ask and deny rules of the settings that cannot be understood: going on without one would be less safe. Rejects
 * with `config_invalid`, which names file, line and place.
 */
export async function checkSettingsRules(tree: Pick<ReadTree, 'read'>, { layers }: LoadedSettings): Promise<void> {
  for (const layer of layers) {
    const [problem] = ruleProblems(layer.settings.permissions, ['ask', 'deny']);
    if (problem) throw new SkillmintError('config_invalid', `${await settingPlace(tree, layer, problem.path)}: ${problem.says}`);
  }
}

/** Sentences on allow rules of the settings that grant nothing, and on rules that contradict each other. */
export async function ruleNotices(tree: Pick<ReadTree, 'read'>, settings: LoadedSettings): Promise<readonly string[]> {
  const problems = settings.layers.flatMap((layer) => ruleProblems(layer.settings.permissions, ['allow']).map((problem) => ({ layer, ...problem })));
  const useless = await Promise.all(problems.map(async ({ layer, path, says }) => `${await settingPlace(tree, layer, path)}: ${says}; it grants nothing`));
  return [...useless, ...contradictions(settings.values.permissions)];
}

/** @throws SkillmintError usage for a rule that a person has just typed and that cannot be understood */
export function checkTypedRules(rules: { readonly allow: readonly string[]; readonly deny: readonly string[] }): void {
  const [problem] = [...parseRules({ ...rules, ask: [] }).problems, ...emptyGrants(rules.allow)];
  if (problem) throw new SkillmintError('usage', `The permission rule "${problem.rule}" cannot be used: ${problem.problem}`);
}
