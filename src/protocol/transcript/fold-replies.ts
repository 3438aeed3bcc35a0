import type { StoredBody } from '../events.ts';
import type { TranscriptFold } from './transcript-fold.ts';
import type { SpokenItem } from './transcript.ts';

type Reply = Extract<StoredBody, { readonly type: 'message.completed' }>;

/** A piece of what the model says; it goes on where it was said last, unless something else was said between. */
export function speak(fold: TranscriptFold, kind: SpokenItem['kind'], text: string): void {
  const last = fold.items.get([...fold.unfinished].at(-1) ?? '');
  if (last?.kind === kind) {
    fold.items.set(last.key, { ...last, text: last.text + text });
    return;
  }
  const key = keyOf(fold, fold.unfinished.size, kind);
  fold.unfinished.add(key);
  fold.items.set(key, { kind, key, text, isWhole: false });
}

/** The whole reply in the place of its pieces, which keep their keys; it stands where it stands in the log. */
export function completeReply(fold: TranscriptFold, { content }: Reply): void {
  dropUnfinished(fold);
  fold.invalid.clear();
  let place = 0;
  for (const part of content) {
    if (part.type === 'tool_call') {
      if (part.invalid !== undefined) fold.invalid.set(part.call_id, part.invalid);
      continue;
    }
    const key = keyOf(fold, place, part.type);
    // Some models think in secret, and some replies begin with an empty text.
    if (part.text.trim() === '') continue;
    place += 1;
    fold.items.set(key, { kind: part.type, key, text: part.text, isWhole: true });
  }
  fold.replies += 1;
}

/** What was being said does not count. */
export function dropUnfinished({ items, unfinished }: TranscriptFold): void {
  for (const key of unfinished) items.delete(key);
  unfinished.clear();
}

function keyOf({ replies }: TranscriptFold, place: number, kind: SpokenItem['kind']): string {
  return `r${replies}.${place}.${kind}`;
}
