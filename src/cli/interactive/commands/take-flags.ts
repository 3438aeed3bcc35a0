import { InvalidArgumentError } from 'commander';
import { SkillmintError } from '../../../protocol/errors.ts';

/** Flags at the beginning of what was typed behind a command, and the rest. */
export interface TakenFlags<N extends string> {
  readonly flags: { readonly [name in N]?: string };
  readonly rest: string;
}

/** Takes flags (`--name value`, a value of several words in double quotes) off the beginning of a text. @throws SkillmintError usage */
export function takeFlags<N extends string>(given: string, names: readonly N[]): TakenFlags<N> {
  const flags: { [name in N]?: string } = {};
  let rest = given.trim();
  for (let found = nextFlag(rest); found; found = nextFlag(rest)) {
    const { flag, value } = found;
    const name = names.find((one) => one === flag);
    if (name === undefined) throw new SkillmintError('usage', `There is no flag --${flag} here. ${names.length === 0 ? 'It takes none.' : `It takes ${names.map((one) => `--${one}`).join(', ')}.`}`);
    if (value === undefined) throw new SkillmintError('usage', `--${flag} lacks its value.`);
    flags[name] = value;
    rest = found.rest;
  }
  return { flags, rest };
}

/** The first word of a text, or what stands there in double quotes; undefined where a flag or nothing is there. */
export function takeWord(given: string): { readonly word: string | undefined; readonly rest: string } {
  const text = given.trim();
  const [, quoted, bare, rest = ''] = /^(?!--)(?:"([^"]*)"|(\S+))\s*(.*)$/s.exec(text) ?? [];
  const word = quoted ?? bare;
  return { word, rest: word === undefined ? text : rest };
}

/** The value of a flag as `parse` of the command line reads it. @throws SkillmintError usage */
export function parsed<T>(flag: string, text: string | undefined, parse: (text: string) => T): T | undefined {
  if (text === undefined) return undefined;
  try {
    return parse(text);
  } catch (error) {
    if (error instanceof InvalidArgumentError) throw new SkillmintError('usage', `--${flag}: ${error.message}`, { cause: error });
    throw error;
  }
}

function nextFlag(text: string): { readonly flag: string; readonly value: string | undefined; readonly rest: string } | undefined {
  const [, flag, after = ''] = /^--([a-z][\w-]*)(?![\w-])(?:=|\s*)(.*)$/s.exec(text) ?? [];
  if (flag === undefined) return undefined;
  const { word, rest } = takeWord(after);
  return { flag, value: word, rest };
}
