import type { SkillDiagnostic } from '../../protocol/skill.ts';
import { fault, info } from './diagnostic.ts';
import { keyBlockEnd } from './key-block.ts';
import { isCoreKeyLine, keyLine, looseKeyLine } from './key-line.ts';

/** A SKILL.md taken apart. `raw` is the text between the delimiters, absent when the file has no frontmatter. */
export interface LocatedFrontmatter {
  readonly raw?: string;
  readonly body: string;
  readonly diagnostics: readonly SkillDiagnostic[];
}

/** Lines before the frontmatter that are looked at; a file with more in front has none. */
const PREAMBLE_LINES = 30;
const LOOSE_DELIMITER = /^(?:-{3,}|[–—]{1,3})[ \t]*$/;

/** Finds the frontmatter: exactly at the start where it belongs, else wherever people were seen to put it. */
export function locateFrontmatter(text: string): LocatedFrontmatter {
  return atStart(text) ?? elsewhere(text);
}

/** The usual form, found without splitting the text into lines. */
function atStart(text: string): LocatedFrontmatter | undefined {
  const opening = /^---([ \t]*)\n/.exec(text);
  if (!opening) return undefined;
  const first = opening[0].length;
  for (let at = first - 1; at >= 0; at = text.indexOf('\n---', at + 1)) {
    const closing = /^\n---([ \t]*)(?:\n|$)/.exec(text.slice(at, at + 200));
    if (!closing) continue;
    const spaces = opening[1] !== '' || closing[1] !== '';
    const diagnostics = spaces ? [info('delimiter-spaces', 'spaces follow a --- delimiter', 'write --- alone on its line')] : [];
    return { raw: text.slice(first, Math.max(first, at + 1)), body: text.slice(at + closing[0].length), diagnostics };
  }
  return undefined;
}

function elsewhere(text: string): LocatedFrontmatter {
  const lines = text.split('\n');
  const found = skipPreamble(lines);
  const first = lines[found.line] ?? '';
  if (LOOSE_DELIMITER.test(first)) {
    const block = closedBlock(lines, found) ?? openBlock(lines, found);
    if (block) return block;
  }
  return undelimited(lines, found) ?? { body: text, diagnostics: [info('no-frontmatter', 'the file has no frontmatter; all of it is the body', '---\nname: my-skill\ndescription: What it does and when to use it.\n---')] };
}

/** Where the frontmatter may start and what stood before it. */
interface Preamble {
  readonly line: number;
  readonly kinds: readonly string[];
  readonly fence: string | undefined;
}

/** Skips blank lines, HTML comments, headings and the opening of a code fence that holds the file. */
function skipPreamble(lines: readonly string[]): Preamble {
  const kinds = new Set<string>();
  let fence: string | undefined;
  let i = 0;
  for (; i < Math.min(lines.length, PREAMBLE_LINES); i += 1) {
    const line = lines[i] ?? '';
    const opening = /^(```+|~~~+)\s*(?:ya?ml|markdown|md|text|frontmatter)?\s*$/i.exec(line);
    if (line.replace(/[\u200b-\u200f\u2060\ufeff]/g, '').trim() === '') kinds.add('blank line');
    else if (line.startsWith('<!--')) {
      while (i < lines.length - 1 && !(lines[i] ?? '').includes('-->')) i += 1;
      kinds.add('comment');
    } else if (opening?.[1] && fence === undefined) {
      fence = opening[1];
      kinds.add('code fence');
    } else if (/^#{1,6}\s/.test(line) && !isCoreKeyLine(line)) kinds.add('heading');
    else break;
  }
  return { line: i, kinds: [...kinds], fence };
}

function closedBlock(lines: readonly string[], start: Preamble): LocatedFrontmatter | undefined {
  const close = lines.findIndex((line, i) => i > start.line && LOOSE_DELIMITER.test(line));
  if (close < 0) return undefined;
  const inside = lines.slice(start.line + 1, close);
  if (!inside.some(isCoreKeyLine)) return undefined;
  return located(lines, { from: start.line + 1, to: close, body: close + 1, start }, misplaced(start));
}

/** A block that was opened and never closed, or closed by an indented delimiter. */
function openBlock(lines: readonly string[], start: Preamble): LocatedFrontmatter | undefined {
  const from = start.line + 1;
  const end = keyBlockEnd(lines, from);
  if (!lines.slice(from, end).some((line) => keyLine(line) ?? looseKeyLine(line))) return undefined;
  const problem = fault('frontmatter-unterminated', 'the frontmatter has no closing ---', 'add a line --- after the last field');
  const indented = lines.findIndex((line, i) => i >= from && i < end && /^[ \t]+---[ \t]*$/.test(line));
  if (indented >= 0) {
    const width = /^[ \t]+/.exec(lines[indented] ?? '')?.[0].length ?? 0;
    const rest = lines.slice(indented + 1).map((line) => (line.slice(0, width).trim() === '' ? line.slice(width) : line));
    return { raw: asRaw(lines.slice(from, indented)), body: rest.join('\n'), diagnostics: [...misplaced(start), fault('delimiter-indented', 'the closing --- is indented', 'write --- at the start of its line')] };
  }
  return located(lines, { from, to: end, body: end, start }, [...misplaced(start), problem]);
}

/** Fields at the start of the file without an opening delimiter, perhaps with a closing one. */
function undelimited(lines: readonly string[], start: Preamble): LocatedFrontmatter | undefined {
  const first = lines[start.line] ?? '';
  if (!isCoreKeyLine(first) && !(keyLine(first) && start.fence !== undefined)) return undefined;
  if (/^\s*[-*>]\s/.test(first)) return undefined;
  const close = lines.findIndex((line, i) => i > start.line && LOOSE_DELIMITER.test(line));
  const end = Math.max(keyBlockEnd(lines, start.line), start.line + 1);
  const closed = close >= 0 && lines.slice(end, close).every((line) => line.trim() === '');
  const problem = fault('frontmatter-undelimited', 'the fields at the start of the file are not between --- lines', 'put --- on a line of its own before and after the fields');
  return located(lines, { from: start.line, to: closed ? close : end, body: closed ? close + 1 : end, start }, [...misplaced({ ...start, kinds: start.kinds.filter((kind) => kind !== 'heading') }), problem]);
}

function located(lines: readonly string[], at: { from: number; to: number; body: number; start: Preamble }, diagnostics: readonly SkillDiagnostic[]): LocatedFrontmatter {
  const body = lines.slice(at.body);
  if (at.start.fence !== undefined) dropClosingFence(body, at.start.fence);
  return { raw: asRaw(lines.slice(at.from, at.to)), body: body.join('\n'), diagnostics };
}

/** The end of the fence is the next non-blank line, or the last one of the file. */
function dropClosingFence(body: string[], fence: string): void {
  const isClose = (line: string | undefined): boolean => line !== undefined && line.trim() === fence;
  const next = body.findIndex((line) => line.trim() !== '');
  if (next >= 0 && isClose(body[next])) {
    body.splice(next, 1);
    return;
  }
  const last = body.findLastIndex((line) => line.trim() !== '');
  if (isClose(body[last])) body.splice(last, 1);
}

function misplaced(start: Preamble): SkillDiagnostic[] {
  if (start.kinds.length === 0) return [];
  return [fault('frontmatter-not-first', `a ${start.kinds.join(' and a ')} stands before the frontmatter`, 'let the file start with ---')];
}

function asRaw(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('');
}
