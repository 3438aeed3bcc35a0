import type { CommandHead, CommandHeads, HeadWord } from './command-heads.ts';
import type { CommandRule } from './rule.ts';
import type { PlainWord } from './simple-command.ts';
import { baseName, isWrapper, runsOthers } from './wrappers.ts';

/** How surely a deny or ask rule meets a command. `possible` is never less than a question. */
export type Certainty = 'no' | 'possible' | 'certain';

/** True when the words of a plain command are those of the rule, or begin with them. */
export function coversCommand(rule: CommandRule, words: readonly PlainWord[]): boolean {
  if (rule.match === 'exact' && rule.words.length !== words.length) return false;
  return rule.words.every((text, index) => words[index]?.text === text && !words[index].expands);
}

/** True when an allow rule covers a plain command and says enough to grant it. */
export function grantsCommand(rule: CommandRule, words: readonly PlainWord[]): boolean {
  return coversCommand(rule, words) && !namesOnlyRunner(rule);
}

/** `Bash(bash:*)` or `Bash(timeout 5:*)`: what would run is not in the rule, so it grants nothing. A script named in it is. */
export function namesOnlyRunner(rule: CommandRule): boolean {
  if (rule.match === 'exact') return false;
  const [program = '', script] = rule.words;
  if (isWrapper(program)) return true;
  return runsOthers(program) && (script === undefined || script.startsWith('-'));
}

/** How surely a deny or ask rule meets one of the commands in a shell text. */
export function meetsCommand(rule: CommandRule, { heads, opaque }: CommandHeads): Certainty {
  let result: Certainty = opaque ? 'possible' : 'no';
  for (const head of heads) {
    const met = meetsHead(rule, head);
    if (met === 'certain') return 'certain';
    if (met === 'possible') result = 'possible';
  }
  return result;
}

function meetsHead(rule: CommandRule, head: CommandHead): Certainty {
  const [program, ...rest] = rule.words;
  const [command, ...given] = head.words;
  if (program === undefined || command === undefined) return 'no';
  if (!command.static) return 'possible';
  if (command.text === program || baseName(command.text) === program) return meetsArguments(rest, given, { rule, head });
  return head.wrapped && given.some((word) => baseName(word.text) === program) ? 'possible' : 'no';
}

function meetsArguments(wanted: readonly string[], given: readonly HeadWord[], { rule, head }: { readonly rule: CommandRule; readonly head: CommandHead }): Certainty {
  for (const [index, text] of wanted.entries()) {
    const word = given[index];
    if (word === undefined) return head.adds ? 'possible' : 'no';
    if (!word.static) return 'possible';
    if (word.text === text) continue;
    const later = given.slice(index + 1);
    return word.text.startsWith('-') && later.some((other) => other.text === text || !other.static) ? 'possible' : 'no';
  }
  if (rule.match === 'prefix' || given.length === wanted.length) return head.adds && rule.match === 'exact' ? 'possible' : 'certain';
  return given.slice(wanted.length).some((word) => !word.static) ? 'possible' : 'no';
}
