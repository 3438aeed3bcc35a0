import { never } from '../../util/never.ts';
import type { Part } from './placeholders.ts';

/** Shells that commands of a skill are written for. */
export type CommandShell = 'bash' | 'powershell';

/** A command with its values in it, or why they cannot be put there safely. */
export type ComposedCommand = { readonly kind: 'command'; readonly command: string } | { readonly kind: 'unsafe'; readonly why: string };

/** Where in a command a value would stand. `nested` is anywhere that quotes cannot be judged from the text alone. */
type Place = 'plain' | 'single' | 'double' | 'nested';

/** What reads a part of its text as a program, or as arithmetic, in which a shell runs commands too: quotes of the shell do not keep a value from that. */
const READS_CODE =
  /(?<![\w./-])(?:(?:eval|trap|let|declare|typeset|ssh|g?awk|mawk|sed|xargs|parallel|watch)\s|(?:ba|da|z|k|fi)?sh\s[^|;&]*-\w*c|(?:python[\d.]*|node|deno|bun|perl|ruby|php|lua|su|osascript|pwsh|powershell)\s[^|;&]*-\w*[ceErp]\w*\s)|\[\[|\(\(|\w\[\s*$/;

/**
 * Puts values into a command so that each stays what it is, a value: quoted where it stands free, escaped where it
 * stands in quotes. Inside `$(…)`, backticks, here-documents and comments, and in commands that take code (`bash -c`,
 * `eval`, `awk`), only values without special characters go in.
 */
export function composeCommand(parts: readonly Part[], shell: CommandShell): ComposedCommand {
  const rules = rulesOf(shell);
  let place: Place = parts.some((part) => part.kind === 'text' && READS_CODE.test(part.text)) ? 'nested' : 'plain';
  let command = '';
  for (const part of parts) {
    if (part.kind === 'text') {
      place = rules.follow(place, part.text, command);
      command += part.text;
      continue;
    }
    const written = rules.harmless.test(part.text) ? part.text : rules.write(part, place);
    if (written === undefined || part.text.includes('\0')) return { kind: 'unsafe', why: `its text would have to take in ${JSON.stringify(part.text.slice(0, 80))} where a shell may read that as a command` };
    command += written;
  }
  return { kind: 'command', command };
}

interface ShellRules {
  /** Values that mean the same with and without quotes, everywhere. */
  readonly harmless: RegExp;
  /** The place at the end of `text`, which follows on `before`. */
  readonly follow: (place: Place, text: string, before: string) => Place;
  readonly write: (value: Extract<Part, { kind: 'value' }>, place: Place) => string | undefined;
}

function rulesOf(shell: CommandShell): ShellRules {
  switch (shell) {
    case 'bash': return { harmless: /^[\p{L}\p{N}_@%+:,./-]*$/u, follow: followBash, write: writeBash };
    case 'powershell': return { harmless: /^[\p{L}\p{N}_\\+:./-]*$/u, follow: followPowershell, write: writePowershell };
    default: return never(shell);
  }
}

function followBash(from: Place, text: string, before: string): Place {
  let place = from;
  for (let i = 0; i < text.length && place !== 'nested'; i += 1) {
    const char = text[i] ?? '';
    if (place === 'single') {
      if (char === "'") place = 'plain';
    } else if (char === '\\') {
      i += 1;
      if (i === text.length) place = 'nested';
    } else if (char === '"') place = place === 'double' ? 'plain' : 'double';
    else if (char === '`' || (char === '$' && /[({'"[]/.test(text[i + 1] ?? '('))) place = 'nested';
    else if (place === 'plain') place = freeBash(char, text[i + 1] ?? '', text[i - 1] ?? before.at(-1) ?? ' ');
  }
  return place;
}

/** Outside of quotes. */
function freeBash(char: string, next: string, previous: string): Place {
  if (char === "'") return 'single';
  const document = (char === '<' || char === '>') && (next === '(' || (char === '<' && next === '<'));
  return document || (char === '#' && /\s/.test(previous)) ? 'nested' : 'plain';
}

function writeBash({ text, words }: Extract<Part, { kind: 'value' }>, place: Place): string | undefined {
  switch (place) {
    case 'plain': return words.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ');
    case 'single': return text.replaceAll("'", `'\\''`);
    case 'double': return text.replace(/["\\$`]/g, '\\$&');
    case 'nested': return /^[\p{L}\p{N}_@%+:,./ -]*$/u.test(text) ? text : undefined;
    default: return never(place);
  }
}

/** PowerShell takes many characters for quotes; behind any of them no value is judged. */
function followPowershell(from: Place, text: string): Place {
  return from === 'nested' || /['"`$({@#<\u2018-\u201e]/.test(text) ? 'nested' : 'plain';
}

function writePowershell({ words }: Extract<Part, { kind: 'value' }>, place: Place): string | undefined {
  return place === 'plain' ? words.map((word) => `'${word.replace(/['\u2018-\u201b]/g, '$&$&')}'`).join(' ') : undefined;
}
