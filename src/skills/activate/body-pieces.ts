/**
 * A stretch of a skill's body; all pieces in order are the whole body. `code` is an inline code span and `fence` a
 * fenced block, both with their marks. `command` is what is to be run when the skill is loaded: `` !`command` `` or a
 * block opened with ```` ```! ````; `command` holds it without the marks.
 */
export type BodyPiece =
  | { readonly kind: 'text' | 'code' | 'fence'; readonly text: string }
  | { readonly kind: 'command'; readonly text: string; readonly command: string };

const FENCE = /^((?:[ \t]*>)*[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?)(`{3,}|~{3,})([^\n]*)$/;
const CLOSE = /^(?:[ \t]*>)*[ \t]*(`{3,}|~{3,})[ \t]*$/;

/** Cuts a body into prose, code and commands. Fences are found at any indentation, as in lists, and one that is never closed reaches to the end. */
export function bodyPieces(body: string): readonly BodyPiece[] {
  const pieces: BodyPiece[] = [];
  const lines = body.split(/(?<=\n)/);
  let prose: string[] = [];
  let hasTicks = false;
  const endProse = (): void => {
    addSpans(pieces, prose.join(''));
    prose = [];
    hasTicks = false;
  };
  for (let i = 0; i < lines.length; i += 1) {
    const line = lines[i] ?? '';
    const open = openingOf(line);
    if (!open) {
      prose.push(line);
      hasTicks ||= line.includes('`');
      // A code span ends with its paragraph.
      if (hasTicks && line.trim() === '') endProse();
      continue;
    }
    endProse();
    const last = closingLine(lines, i, open.mark);
    const text = lines.slice(i, last + 1).join('');
    pieces.push(open.info.trim() === '!' ? blockOf(lines.slice(i, last + 1), { text, indent: open.indent, mark: open.mark }) : { kind: 'fence', text });
    i = last;
  }
  endProse();
  return pieces;
}

interface Opening {
  readonly indent: string;
  readonly mark: string;
  readonly info: string;
}

function openingOf(line: string): Opening | undefined {
  if (!line.includes('```') && !line.includes('~~~')) return undefined;
  const [, indent = '', mark = '', info = ''] = FENCE.exec(line.replace(/\r?\n$/, '')) ?? [];
  return mark === '' || (mark.startsWith('`') && info.includes('`')) ? undefined : { indent, mark, info };
}

/** Index of the line that closes a fence, or of the last one. */
function closingLine(lines: readonly string[], from: number, mark: string): number {
  for (let i = from + 1; i < lines.length; i += 1) if (closes(lines[i] ?? '', mark)) return i;
  return lines.length - 1;
}

function closes(line: string, mark: string): boolean {
  return CLOSE.exec(line.replace(/\r?\n$/, ''))?.[1]?.startsWith(mark) === true;
}

function blockOf(lines: readonly string[], { text, indent, mark }: { readonly text: string; readonly indent: string; readonly mark: string }): BodyPiece {
  const closed = lines.length > 1 && closes(lines.at(-1) ?? '', mark);
  const inside = lines.slice(1, closed ? -1 : undefined).map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line.trimStart()));
  const command = inside.join('').trim();
  return command === '' || !closed ? { kind: 'fence', text } : { kind: 'command', text, command };
}

interface Run {
  readonly at: number;
  readonly length: number;
}

/** Adds a paragraph: its code spans, which end with as many backticks as they began with, and what is between them. */
function addSpans(pieces: BodyPiece[], paragraph: string): void {
  const runs = runsIn(paragraph);
  const nextOfLength = followers(runs);
  let done = 0;
  const add = (piece: BodyPiece, end: number): void => {
    if (piece.text !== '') pieces.push(piece);
    done = end;
  };
  for (let i = 0; i < runs.length; i += 1) {
    const close = nextOfLength[i];
    const [open, end] = [runs[i], close === undefined ? undefined : runs[close]];
    if (!open || !end || close === undefined) continue;
    const stop = end.at + end.length;
    const command = open.length === 1 && isMarked(paragraph, open.at) ? commandIn(paragraph.slice(open.at + 1, end.at)) : undefined;
    const start = command === undefined ? open.at : open.at - 1;
    add({ kind: 'text', text: paragraph.slice(done, start) }, start);
    const text = paragraph.slice(start, stop);
    add(command === undefined ? { kind: 'code', text } : { kind: 'command', text, command }, stop);
    i = close;
  }
  add({ kind: 'text', text: paragraph.slice(done) }, paragraph.length);
}

/** An exclamation mark stands right before, and at a line's start or behind white space. */
function isMarked(paragraph: string, at: number): boolean {
  return paragraph[at - 1] === '!' && (at === 1 || /\s/.test(paragraph[at - 2] ?? ''));
}

function commandIn(text: string): string | undefined {
  const command = text.trim();
  return command === '' || command.includes('\n') ? undefined : command;
}

/** Stretches of backticks; one behind a backslash is an ordinary character. */
function runsIn(paragraph: string): readonly Run[] {
  const runs: Run[] = [];
  for (let at = paragraph.indexOf('`'); at >= 0; at = paragraph.indexOf('`', at)) {
    const start = paragraph[at - 1] === '\\' ? at + 1 : at;
    let end = start;
    while (paragraph[end] === '`') end += 1;
    if (end > start) runs.push({ at: start, length: end - start });
    at = Math.max(end, at + 1);
  }
  return runs;
}

/** For each run the index of the next one of the same length. */
function followers(runs: readonly Run[]): readonly (number | undefined)[] {
  const latest = new Map<number, number>();
  const next = Array.from<number | undefined>({ length: runs.length });
  for (let i = runs.length - 1; i >= 0; i -= 1) {
    const length = runs[i]?.length ?? 0;
    next[i] = latest.get(length);
    latest.set(length, i);
  }
  return next;
}
