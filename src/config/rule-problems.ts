import type { ReadTree } from '../host/host.ts';
import { emptyGrants, parseRules } from '../permissions/rules.ts';
import { systemCode } from '../protocol/errors.ts';
import type { SettingProblem } from './check-settings.ts';
import type { Layer } from './layers.ts';
import { placeInText } from './parse-settings.ts';
import type { PermissionSettings } from './settings.ts';
import { showPath } from './settings-keys.ts';

/** A list of rules in `permissions`. */
export type RuleList = 'allow' | 'ask' | 'deny';

const NOTHING = { allow: [], ask: [], deny: [] };

/** The rules of these lists that cannot be understood, and allow rules that grant nothing. */
export function ruleProblems(permissions: PermissionSettings | undefined, lists: readonly RuleList[]): readonly SettingProblem[] {
  return lists.flatMap((list) => (permissions?.[list] ?? []).flatMap((rule, place) => {
    const [problem] = [...parseRules({ ...NOTHING, [list]: [rule] }).problems, ...(list === 'allow' ? emptyGrants([rule]) : [])];
    return problem ? [{ path: ['permissions', list, place], says: `the permission rule "${rule}" cannot be used: ${problem.problem}` }] : [];
  }));
}

/** Sentences on rules that stand in two lists: the stricter one holds. */
export function contradictions(permissions: { readonly [list in RuleList]: readonly string[] }): readonly string[] {
  const texts = (list: RuleList): ReadonlySet<string> => new Set(permissions[list].map((rule) => rule.trim()));
  const [allow, ask, deny] = [texts('allow'), texts('ask'), texts('deny')];
  const denied = [...deny].filter((rule) => allow.has(rule) || ask.has(rule)).map((rule) => `The permission rule "${rule}" stands in deny and in ${allow.has(rule) ? 'allow' : 'ask'}: it denies.`);
  const asked = [...ask].filter((rule) => allow.has(rule) && !deny.has(rule)).map((rule) => `The permission rule "${rule}" stands in ask and in allow: it asks.`);
  return [...denied, ...asked];
}

/** Where a setting stands, for a person: `FILE:LINE: permissions.deny[0]`; without the line when the file is gone meanwhile. */
export async function settingPlace(tree: Pick<ReadTree, 'read'>, { file, name }: Layer, path: SettingProblem['path']): Promise<string> {
  if (file === undefined) return `${showPath(path)} of the ${name}`;
  const text = textOf(tree, file);
  return `${file}${text === undefined ? '' : `:${await placeInText(text, path)}`}: ${showPath(path)}`;
}

function textOf(tree: Pick<ReadTree, 'read'>, file: string): string | undefined {
  try {
    return new TextDecoder().decode(tree.read(file));
  } catch (error) {
    if (systemCode(error) === '') throw error;
    return undefined;
  }
}
