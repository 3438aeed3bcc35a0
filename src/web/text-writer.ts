/** Levels of lists and quotes that are shown as such; deeper ones stand at this depth. */
const MOST_LEVELS = 8;

interface Level {
  /** Before the first line: `- `, `1. `, `> `. */
  readonly first: string;
  /** Before the others. */
  readonly rest: string;
  isNew: boolean;
}

/** Collects words and lines of a page: white space as browsers show it, lines apart as wanted, each level before its lines. */
export interface TextWriter {
  /** Characters so far, about. */
  readonly length: number;
  /** Text of the page; white space collapses. */
  text(text: string): void;
  /** What is no text of the page, such as the signs around a link. */
  mark(text: string): void;
  /** The same at the end of what is there, before white space and gaps that have not been written yet. */
  tail(text: string): void;
  /** Text whose lines and spaces stay. */
  verbatim(text: string): void;
  /** Ends the line, with so many empty lines before what follows. */
  gap(emptyLines: 0 | 1): void;
  open(level: { readonly first: string; readonly rest: string }): void;
  close(): void;
  /** Everything, without white space around it. */
  result(): string;
}

/** An empty one. */
export function textWriter(): TextWriter {
  const parts: string[] = [];
  const levels: Level[] = [];
  let length = 0;
  let isLineOpen = false;
  let wantsSpace = false;
  let emptyLines = 0;
  const put = (text: string): void => {
    parts.push(text);
    length += text.length;
  };
  const beginLine = (): void => {
    if (isLineOpen) return;
    if (parts.length > 0) put('\n'.repeat(1 + emptyLines));
    emptyLines = 0;
    for (const level of levels.slice(0, MOST_LEVELS)) {
      put(level.isNew ? level.first : level.rest);
      level.isNew = false;
    }
    isLineOpen = true;
  };
  const endLine = (): void => {
    isLineOpen = false;
    wantsSpace = false;
  };
  const mark = (text: string): void => {
    if (wantsSpace && isLineOpen) put(' ');
    wantsSpace = false;
    beginLine();
    put(text);
  };
  return {
    get length() { return length; },
    text(text) {
      const words = text.replace(/[\s\u00a0]+/g, ' ');
      if (words.startsWith(' ')) wantsSpace = true;
      const core = words.trim();
      if (core === '') return;
      mark(core);
      wantsSpace = words.endsWith(' ');
    },
    mark,
    tail: put,
    verbatim(text) {
      for (const [index, line] of text.split(/\r\n?|\n/).entries()) {
        if (index > 0) {
          beginLine();
          endLine();
        }
        if (line === '') continue;
        beginLine();
        put(line);
      }
    },
    gap(lines) {
      endLine();
      if (parts.length > 0) emptyLines = Math.max(emptyLines, lines);
    },
    open: (level) => void levels.push({ ...level, isNew: true }),
    close: () => void levels.pop(),
    result: () => parts.join('').split('\n').map((line) => line.trimEnd()).join('\n').trim(),
  };
}
