import { blocksOf, type Block } from '../../../../src/protocol/markdown-blocks.ts';
import type { TranscriptItem } from '../../../../src/protocol/transcript/transcript.ts';

/** A row of the list: an item, or a block of what the model says. */
export interface Row {
  readonly key: string;
  readonly item: TranscriptItem;
  readonly block?: Block;
  /** Of the rows of its item. */
  readonly isLast: boolean;
}

/**
 * The rows of a conversation. Long answers are several, so that only what is in sight is in the page, and what grows grows below
 * what is read. `known` keeps the rows of items that have not changed.
 */
export function rowsOf(items: readonly TranscriptItem[], known: WeakMap<TranscriptItem, readonly Row[]>): readonly Row[] {
  return items.flatMap((item) => {
    const rows = known.get(item) ?? rowsOfItem(item);
    known.set(item, rows);
    return rows;
  });
}

/** False for a call that has written the todo list: the list itself follows. */
export function isShown(item: TranscriptItem): boolean {
  return !(item.kind === 'call' && item.tool === 'TodoWrite' && item.status === 'ok');
}

function rowsOfItem(item: TranscriptItem): readonly Row[] {
  if (!isShown(item)) return [];
  const blocks = item.kind === 'text' ? blocksOf(item.text) : [];
  if (blocks.length === 0) return [{ key: item.key, item, isLast: true }];
  return blocks.map((block, place) => ({ key: `${item.key} ${place}`, item, block, isLast: place === blocks.length - 1 }));
}
