import { Markdown } from '@mariozechner/pi-tui';
import { blocksOf, type Block } from '../../../protocol/markdown-blocks.ts';
import { printable } from '../../terminal.ts';
import { fitLines, wrapLines } from './fit-lines.ts';
import { markdownTheme, type Paint } from './theme.ts';

const MOST_KEPT = 2_000;
const CODE_INDENT = 2;

/** Renders markdown in columns of a width. A text that grows costs only its last block anew. */
export type RenderMarkdown = (text: string, width: number) => string[];

/** A renderer that keeps the blocks that it has rendered. */
export function markdownRenderer(paint: Paint): RenderMarkdown {
  const kept = new Map<string, readonly string[]>();
  const theme = markdownTheme(paint);
  const linesOf = (block: Block, width: number): readonly string[] => {
    if (block.kind === 'code') return [paint.dim(`\`\`\`${block.language}`), ...wrapLines(block.text, width - CODE_INDENT).map((line) => `${' '.repeat(CODE_INDENT)}${line}`), paint.dim('```')];
    return new Markdown(block.text, 0, 0, theme).render(width).map((line) => line.trimEnd());
  };
  return (text, width) => {
    if (kept.size > MOST_KEPT) kept.clear();
    return blocksOf(printable(text)).flatMap((block, i) => {
      const key = `${width} ${block.kind} ${block.kind === 'code' ? block.language : ''}\n${block.text}`;
      const lines = kept.get(key) ?? fitLines(linesOf(block, width), width);
      kept.set(key, lines);
      return i === 0 ? lines : ['', ...lines];
    });
  };
}
