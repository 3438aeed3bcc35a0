import type { Component } from '@mariozechner/pi-tui';
import type { SessionEvent } from '../../../protocol/events.ts';
import { applyToTranscript } from '../../../protocol/transcript/fold-transcript.ts';
import type { TranscriptItem } from '../../../protocol/transcript/transcript.ts';
import { emptyTranscript } from '../../../protocol/transcript/transcript-fold.ts';
import { wrapLines } from './fit-lines.ts';
import { renderItem } from './render-item.ts';
import { markdownRenderer } from './render-markdown.ts';
import type { Paint } from './theme.ts';

/** Items that stay on the screen: what is above costs time with every change. */
const MOST_ITEMS = 400;
const KEPT_ITEMS = 250;

/** The conversation so far, with what the program itself has said between. */
export interface TranscriptView extends Component {
  apply(event: SessionEvent): void;
  /** Puts lines of the program below all that stands there. */
  print(text: string): void;
  /** Begins anew, with nothing. What the program has said last is given back, to be said again below what comes. */
  clear(): readonly string[];
  /** Shows all details, or takes them away. */
  toggleDetails(): void;
}

interface Rendered {
  readonly width: number;
  readonly isOpen: boolean;
  readonly lines: readonly string[];
}

/** What the program has said, with the lines that it takes at a width. */
interface Printed {
  readonly text: string;
  rendered?: { readonly width: number; readonly lines: readonly string[] };
}

/** An empty view. An item is rendered once for each of its states: the cost of a frame is that of what has changed. */
export function transcriptView(paint: Paint): TranscriptView {
  let fold = emptyTranscript();
  /** Texts of the program, by the key of the item that they follow. */
  let printed = new Map<string, Printed[]>();
  const markdown = markdownRenderer(paint);
  let isOpen = false;
  let rendered = new WeakMap<TranscriptItem, Rendered>();
  const linesOf = (item: TranscriptItem, width: number): readonly string[] => {
    const known = rendered.get(item);
    if (known?.width === width && known.isOpen === isOpen) return known.lines;
    const lines = renderItem(item, { width, isOpen, paint, markdown });
    rendered.set(item, { width, isOpen, lines });
    return lines;
  };
  const lastKey = (): string => [...fold.items.keys()].findLast((key) => !fold.unfinished.has(key)) ?? '';
  const dropOldest = (): void => {
    if (fold.items.size <= MOST_ITEMS) return;
    const old = [...fold.items.keys()].slice(0, fold.items.size - KEPT_ITEMS);
    for (const key of old) {
      fold.items.delete(key);
      printed.delete(key);
    }
    printed.set('', [{ text: paint.dim(`… ${old.length} older entries are left out; /export writes all of them into a file`) }]);
  };
  return {
    apply(event) {
      applyToTranscript(fold, event);
      if (event.type === 'turn.started') dropOldest();
    },
    print(text) {
      const last = lastKey();
      printed.set(last, [...(printed.get(last) ?? []), { text: text.replace(/\n$/, '') }]);
    },
    clear() {
      const last = printed.get(lastKey()) ?? [];
      fold = emptyTranscript();
      printed = new Map();
      return last.map(({ text }) => text);
    },
    toggleDetails() {
      isOpen = !isOpen;
    },
    invalidate() {
      rendered = new WeakMap();
    },
    render(width) {
      const lines: string[] = [];
      const tell = (key: string): void => {
        for (const one of printed.get(key) ?? []) {
          if (one.rendered?.width !== width) one.rendered = { width, lines: wrapLines(one.text, width) };
          for (const line of one.rendered.lines) lines.push(line);
        }
      };
      tell('');
      let before: TranscriptItem['kind'] | undefined;
      for (const item of fold.items.values()) {
        const own = linesOf(item, width);
        if (own.length > 0 && (item.kind === 'person' || item.kind !== before)) lines.push('');
        if (own.length > 0) before = item.kind;
        for (const line of own) lines.push(line);
        tell(item.key);
      }
      return lines;
    },
  };
}
