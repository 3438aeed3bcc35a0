import { cutStart } from '../util/cut-text.ts';

/** What happens on pages between two results, for the next one. Pages may write without end: few lines are kept, and the rest counted. */
export interface PageNotes {
  /** A line of what the page said, did or failed in. */
  page(kind: NoteKind, text: string): void;
  /** A sentence of our own, which is no word of the page. */
  own(text: string): void;
  /** Gives what has come since the last call. */
  take(): { readonly page: readonly string[]; readonly own: readonly string[] };
}

/** Kinds of lines; each has its own bound. */
export type NoteKind = 'console' | 'failed request' | 'dialog' | 'download' | 'tab';

const MOST_LINES = 8;
const LINE_CHARS = 300;

/** Makes an empty one. */
export function pageNotes(): PageNotes {
  let lines: { readonly kind: NoteKind; readonly text: string }[] = [];
  let own = new Set<string>();
  const dropped = new Map<NoteKind, number>();
  return {
    page(kind, given) {
      const text = `${kind}: ${cutStart(given.replace(/\s+/g, ' ').trim(), LINE_CHARS)}`;
      if (lines.some((line) => line.text === text)) return;
      if (lines.filter((line) => line.kind === kind).length < MOST_LINES) lines.push({ kind, text });
      else dropped.set(kind, (dropped.get(kind) ?? 0) + 1);
    },
    own: (text) => void (own.size < MOST_LINES && own.add(text)),
    take() {
      const taken = { page: [...lines.map(({ text }) => text), ...[...dropped].map(([kind, count]) => `${kind}: ${count} more`)], own: [...own] };
      lines = [];
      own = new Set();
      dropped.clear();
      return taken;
    },
  };
}
