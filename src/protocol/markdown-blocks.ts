/** A part of a markdown text that can be rendered by itself. `code` is a fenced block, whose text is taken as it is. */
export type Block =
  | { readonly kind: 'markdown'; readonly text: string }
  | { readonly kind: 'code'; readonly language: string; readonly text: string };

const FENCE = /^( {0,3})(`{3,}|~{3,})[ \t]*([^`\s]*)[^`]*$/;
const INNER_FENCE = /^\s+(`{3,}|~{3,})/;
/** Names for addresses may be used in any block. */
const DEFINITION = /^ {0,3}\[[^\]\n]+\]:/m;
/** A list goes on after an empty line with its next item, or with a line that is indented. */
const GOES_ON = /^(?:\s|[-*+] |\d{1,9}[.)] )/;
const LIST = /^ {0,3}(?:[-*+]|\d{1,9}[.)])\s/;

/**
 * Cuts a markdown text where its top-level blocks can be told apart without parsing them. A text that grows keeps all blocks but
 * the last one as they were, so only that one has to be rendered again.
 */
export function blocksOf(text: string): readonly Block[] {
  if (DEFINITION.test(text)) return [{ kind: 'markdown', text }];
  const lines = text.split('\n');
  const blocks: Block[] = [];
  let held: string[] = [];
  const flush = (): void => {
    if (held.some((line) => line.trim() !== '')) blocks.push({ kind: 'markdown', text: held.join('\n').trimEnd() });
    held = [];
  };
  for (let i = 0; i < lines.length; i += 1) {
    const line = lines[i] ?? '';
    const fence = FENCE.exec(line);
    if (fence && !(isInList(held) && fence[1] !== '')) {
      flush();
      const end = endOfFence(lines, i + 1, fence[2] ?? '');
      const indent = fence[1]?.length ?? 0;
      blocks.push({ kind: 'code', language: fence[3] ?? '', text: lines.slice(i + 1, end).map((inner) => withoutIndent(inner, indent)).join('\n') });
      i = end;
    } else if (INNER_FENCE.test(line)) {
      const end = endOfFence(lines, i + 1, INNER_FENCE.exec(line)?.[1] ?? '');
      held.push(...lines.slice(i, end + 1));
      i = end;
    } else {
      if (line.trim() !== '' && held.at(-1)?.trim() === '' && !(isInList(held) && GOES_ON.test(line)) && !/^\s/.test(line)) flush();
      held.push(line);
    }
  }
  flush();
  return blocks;
}

function isInList(held: readonly string[]): boolean {
  return LIST.test(held.find((line) => line.trim() !== '') ?? '') || held.some((line) => LIST.test(line));
}

/** Index of the closing line; that behind the last one where it is missing, as while the text grows. */
function endOfFence(lines: readonly string[], from: number, mark: string): number {
  const end = lines.findIndex((line, i) => i >= from && line.trim().startsWith(mark) && /^(?:`+|~+)$/.test(line.trim()) && line.trim().length >= mark.length);
  return end < 0 ? lines.length : end;
}

function withoutIndent(line: string, indent: number): string {
  return line.startsWith(' '.repeat(indent)) ? line.slice(indent) : line.trimStart();
}
