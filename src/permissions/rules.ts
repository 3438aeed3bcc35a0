import { namesOnlyRunner } from './command-rule.ts';
import { parseRule, type Rule, type RuleProblem } from './rule.ts';

/** Permission rules as settings hold them. */
export interface PermissionRules {
  readonly allow: readonly string[];
  readonly ask: readonly string[];
  readonly deny: readonly string[];
}

/** The same, parsed once for many decisions. */
export interface ParsedRules {
  readonly allow: readonly Rule[];
  readonly ask: readonly Rule[];
  readonly deny: readonly Rule[];
}

/**
 * Parses all rules. Rules that do not parse are left out and reported; a caller that gets a problem with an ask or deny
 * rule should not go on as if it were not there.
 */
export function parseRules(rules: PermissionRules): { readonly rules: ParsedRules; readonly problems: readonly RuleProblem[] } {
  const problems: RuleProblem[] = [];
  const parse = (texts: readonly string[], purpose: 'grant' | 'restrict'): readonly Rule[] =>
    texts.flatMap((text) => {
      const answer = parseRule(text, { purpose });
      if ('rule' in answer) return [answer.rule];
      problems.push(answer.problem);
      return [];
    });
  return { rules: { allow: parse(rules.allow, 'grant'), ask: parse(rules.ask, 'restrict'), deny: parse(rules.deny, 'restrict') }, problems };
}

/** Allow rules that are understood and still grant nothing, with the reason. */
export function emptyGrants(texts: readonly string[]): readonly RuleProblem[] {
  return texts.flatMap((text) => {
    const answer = parseRule(text, { purpose: 'grant' });
    if (!('rule' in answer) || answer.rule.kind !== 'command' || !namesOnlyRunner(answer.rule)) return [];
    return [{ rule: text, problem: `it names only a program that runs others; name what it runs, too, as in Bash(${answer.rule.words.join(' ')} FILE:*)` }];
  });
}

/**
 * Makes a file rule of a settings file independent of the session's folder: `/x` and `./x` are relative to the folder of
 * that file. Other rules come back as they are.
 */
export function anchorRule(text: string, folder: string): string {
  const parts = /^\s*(\w+)\(\s*\.?\/(?!\/)(.*)\)\s*$/s.exec(text);
  const parsed = parseRule(text, { purpose: 'restrict' });
  if (!parts || !('rule' in parsed) || parsed.rule.kind !== 'path') return text;
  const anchored = `${parts[1] ?? ''}(/${folder.startsWith('/') ? '' : '/'}${literalPath(folder)}/${parts[2] ?? ''})`;
  return 'rule' in parseRule(anchored, { purpose: 'restrict' }) ? anchored : text;
}

/** A path as it may stand in a rule: characters that have a meaning there become `?`. */
export function literalPath(path: string): string {
  return path.replace(/[*[\]{}]/g, '?');
}
