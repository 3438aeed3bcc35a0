import type { CommandHead, CommandHeads, HeadWord } from './shell/command-heads.ts';
import type { ShellCommand } from './shell/read-shell.ts';
import { hasRiskyArgument } from './shell/risky-arguments.ts';
import type { ShellWord } from './shell/shell-word.ts';
import { baseName, isWrapper, runsOthers, throughWrapper } from './shell/wrappers.ts';
import { isHarmlessVariable } from './shell/variables.ts';
import type { CommandRule } from './rule.ts';

/** How surely a deny or ask rule meets a command. `possible` is never less than a question. */
export type Certainty = 'no' | 'possible' | 'certain';

/** True when one of the rules covers the words of a command, or of what it runs through a harmless wrapper. */
export function isCovered(command: ShellCommand, covers: (words: readonly ShellWord[]) => boolean): boolean {
  if (!command.assigned.every(isHarmlessVariable)) return false;
  if (command.words.length === 0) return command.assigned.length > 0;
  for (let words: readonly ShellWord[] | undefined = command.words; words; words = throughWrapper(words)) if (covers(words)) return true;
  return false;
}

/** True when the words of a command are those of the rule, or begin with them. */
export function coversWords(rule: CommandRule, words: readonly ShellWord[]): boolean {
  if (rule.match === 'exact' && rule.words.length !== words.length) return false;
  return rule.words.every((text, index) => words[index]?.text === text && words[index].static);
}

/** True when an allow rule covers a command, says enough to grant it, and nothing behind the rule's words makes another program run. */
export function grantsWords(rule: CommandRule, words: readonly ShellWord[]): boolean {
  return coversWords(rule, words) && !namesOnlyRunner(rule) && !hasRiskyArgument(words, rule.words.length);
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
