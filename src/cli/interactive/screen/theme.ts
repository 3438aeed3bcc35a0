import type { EditorTheme, MarkdownTheme, SelectListTheme } from '@mariozechner/pi-tui';
import type { palette } from '../../terminal.ts';

/** Colours for one terminal. */
export type Paint = ReturnType<typeof palette>;

const plain = (text: string): string => text;

/** Colours of a list to choose from. The chosen line has a mark beside its colour. */
export function listTheme({ dim, bold, cyan }: Paint): SelectListTheme {
  return { selectedPrefix: cyan, selectedText: bold, description: dim, scrollInfo: dim, noMatch: dim };
}

/** Colours of the editor. */
export function editorTheme(paint: Paint): EditorTheme {
  return { borderColor: paint.dim, selectList: listTheme(paint) };
}

/** Colours of markdown. Without colours its marks are shown. */
export function markdownTheme({ dim, bold, cyan, yellow }: Paint): MarkdownTheme {
  return { heading: bold, link: cyan, linkUrl: dim, code: yellow, codeBlock: plain, codeBlockBorder: dim, quote: plain, quoteBorder: dim, hr: dim, listBullet: cyan, bold, italic: plain, strikethrough: dim, underline: plain };
}
