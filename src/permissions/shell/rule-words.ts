import { parse } from 'unbash';
import { shellWord } from './shell-word.ts';
import { whyUndecided } from './undecided.ts';

/** The words of a command that a rule spells, or why they cannot be a rule. */
export type RuleWords = { readonly words: readonly string[] } | { readonly why: string };

/** Reads the words of a rule: one command without operators, redirects, assignments, comments and anything that is replaced. */
export function ruleWords(text: string): RuleWords {
  const why = whyUndecided(text);
  if (why !== undefined) return { why };
  const { commands, errors } = parse(text);
  if (errors?.[0]) return { why: `it cannot be read as a shell command: ${errors[0].message}` };
  const [statement, ...more] = commands;
  if (!statement) return { why: 'it is empty' };
  const { command } = statement;
  const isWhole = command.end === text.trimEnd().length && statement.background !== true;
  if (more.length > 0 || command.type !== 'Command' || !isWhole) return { why: 'it is more than one plain command' };
  const { name, args, prefix, suffix } = command;
  if (!name || prefix.length > 0) return { why: 'it begins with an assignment or a redirect' };
  if (args.length < suffix.length) return { why: 'it holds a redirect' };
  const words = [name, ...args].map((word) => (word.type === 'Assignment' ? { text: word.text, static: /^[\w+=./:,@%-]*$/.test(word.text) } : shellWord(word)));
  if (words.some((word) => !word.static)) return { why: 'it holds a variable, glob, brace or tilde that is not quoted (end the rule with :* for any further words)' };
  if (words[0]?.text === '') return { why: 'its first word is empty' };
  return { words: words.map((word) => word.text) };
}
