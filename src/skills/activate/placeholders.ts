import { never } from '../../util/never.ts';
import { splitArguments } from './split-arguments.ts';

/** What a skill's placeholders stand for. Folders are absolute. A variable without a value stays as it is written. */
export interface PlaceholderValues {
  /** What was typed or given behind the skill's name, as it stands. */
  readonly args: string | undefined;
  /** Of the field `arguments`, in order. */
  readonly argumentNames: readonly string[];
  readonly folder: string;
  readonly projectDir: string;
  readonly sessionId: string;
  readonly pluginRoot?: string | undefined;
  readonly effort?: string | undefined;
  /** Number of the first argument in `$N`; 0 unless told. From 1, as in opencode, the highest one takes the rest. */
  readonly firstArgument?: number | undefined;
}

/** A stretch of text, or a value that came into it. `words` are the arguments of the value, one by one. */
export type Part =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'value'; readonly text: string; readonly words: readonly string[]; readonly given: boolean };

/** Replaces placeholders; each stretch of text is gone through once, and never what came into it. */
export interface Placeholders {
  /** All placeholders; `\$1` becomes `$1`. */
  readonly all: (text: string) => readonly Part[];
  /** Folders and ids only. */
  readonly variables: (text: string) => readonly Part[];
}

type Token =
  | { readonly kind: 'whole' }
  | { readonly kind: 'indexed'; readonly index: number; readonly takesRest: boolean }
  | { readonly kind: 'named'; readonly position: number };

const VARIABLE = /\$\{((?:CLAUDE_)?SKILL_DIR|CLAUDE_(?:PROJECT_DIR|SESSION_ID|EFFORT|PLUGIN_ROOT))\}/g;
const INDEXED = /\$ARGUMENTS\[(\d{1,3})\]|\$(0|[1-9]\d{0,2})(?!\w)/;

/** Prepares the placeholders of one body. */
export function createPlaceholders(body: string, values: PlaceholderValues): Placeholders {
  const args = values.args?.trim() ?? '';
  const words = splitArguments(args);
  const first = values.firstArgument ?? 0;
  const last = first === 0 ? undefined : highest(body);
  const names = values.argumentNames;
  const pattern = argumentPattern(names);
  const tokenOf = (groups: Readonly<Record<string, string | undefined>>): Token => {
    const { bracketed, number, name } = groups;
    if (bracketed !== undefined) return { kind: 'indexed', index: Number(bracketed), takesRest: false };
    if (number !== undefined) return { kind: 'indexed', index: Number(number) - first, takesRest: Number(number) === last };
    return name === undefined ? { kind: 'whole' } : { kind: 'named', position: names.indexOf(name) };
  };
  const valueOf = (token: Token): Part | undefined => {
    switch (token.kind) {
      case 'whole': return { kind: 'value', text: args, words, given: args !== '' };
      case 'indexed': {
        const own = token.takesRest ? words.slice(Math.max(0, token.index)) : words.slice(token.index, token.index + 1);
        return token.index < 0 || own.length === 0 ? undefined : { kind: 'value', text: own.join(' '), words: own, given: true };
      }
      case 'named': {
        const own = words.slice(token.position, token.position + 1);
        return { kind: 'value', text: own.join(''), words: own, given: own.length > 0 };
      }
      default: return never(token);
    }
  };
  return {
    variables: (text) => parts(text, VARIABLE, (match) => variablePart(match[1] ?? '', values)),
    all: (text) =>
      parts(text, pattern, ({ groups = {} }) => {
        const { slashes = '', placeholder = '', variable } = groups;
        if (variable !== undefined) return variablePart(variable, values);
        if (slashes.length % 2 === 1) return [textPart(slashes.slice(1) + placeholder)];
        const value = valueOf(tokenOf(groups));
        return value && [textPart(slashes), value];
      }),
  };
}

/** True when a text holds a placeholder for arguments. */
export function usesArguments(text: string, argumentNames: readonly string[]): boolean {
  return [...text.matchAll(argumentPattern(argumentNames))].some(({ groups }) => groups?.['placeholder'] !== undefined && (groups['slashes'] ?? '').length % 2 === 0);
}

/** The placeholders `$N` and `$ARGUMENTS[N]` of a text, as they are written; those that are escaped left out. */
export function indexedPlaceholders(text: string): readonly string[] {
  return [...text.matchAll(argumentPattern([]))].flatMap(({ groups }) => {
    const { slashes = '', placeholder = '', bracketed, number } = groups ?? {};
    return slashes.length % 2 === 1 || (bracketed ?? number) === undefined ? [] : [placeholder];
  });
}

function argumentPattern(names: readonly string[]): RegExp {
  const usable = names.filter((name) => /^[\p{L}_][\p{L}\p{N}_-]*$/u.test(name)).sort((a, b) => b.length - a.length);
  const named = usable.length === 0 ? '' : `|\\$(?<name>${usable.join('|')})(?![\\w])`;
  const indexed = INDEXED.source.replace('(\\d{1,3})', '(?<bracketed>\\d{1,3})').replace('(0|', '(?<number>0|');
  const variable = VARIABLE.source.replace('(', '(?<variable>');
  return new RegExp(`(?<!\\\\)(?<slashes>\\\\*)(?<placeholder>${indexed}|\\$ARGUMENTS(?!\\w)${named})|${variable}`, 'g');
}

/** Replaces what matches by what `replace` gives; undefined leaves it as it is. */
function parts(text: string, pattern: RegExp, replace: (match: RegExpExecArray) => readonly Part[] | undefined): readonly Part[] {
  if (!text.includes('$')) return [textPart(text)];
  const out: Part[] = [];
  let done = 0;
  for (const match of text.matchAll(pattern)) {
    const replaced = replace(match);
    if (!replaced) continue;
    out.push(textPart(text.slice(done, match.index)), ...replaced);
    done = match.index + match[0].length;
  }
  out.push(textPart(text.slice(done)));
  return out;
}

function textPart(text: string): Part {
  return { kind: 'text', text };
}

function variablePart(name: string, values: PlaceholderValues): readonly Part[] | undefined {
  const value = variableValue(name, values);
  return value === undefined ? undefined : [{ kind: 'value', text: value, words: [value], given: false }];
}

function variableValue(name: string, { folder, projectDir, sessionId, effort, pluginRoot }: PlaceholderValues): string | undefined {
  switch (name) {
    case 'CLAUDE_PROJECT_DIR': return projectDir;
    case 'CLAUDE_SESSION_ID': return sessionId;
    case 'CLAUDE_EFFORT': return effort;
    case 'CLAUDE_PLUGIN_ROOT': return pluginRoot;
    default: return folder;
  }
}

function highest(body: string): number {
  const numbers = [...body.matchAll(new RegExp(INDEXED, 'g'))].flatMap((match) => (match[2] === undefined ? [] : [Number(match[2])]));
  return numbers.reduce((most, each) => Math.max(most, each), 0);
}
