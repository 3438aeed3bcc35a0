import { Editor, type TUI } from '@mariozechner/pi-tui';
import { fitLines } from './fit-lines.ts';
import { editorTheme, type Paint } from './theme.ts';

const MOST_COMPLETIONS = 8;
/** The cell that the library draws as a cursor; the terminal's own one stands there. */
const DRAWN_CURSOR = /\u001b\[7m([^\u001b]*)\u001b\[0m/;
const MARKED = '\u001b_pi:c\u0007';

/** The editor of messages, whose cursor is the terminal's own: input methods put their windows there, and no colour is needed to see it. */
export class MessageEditor extends Editor {
  constructor(tui: TUI, paint: Paint) {
    super(tui, editorTheme(paint), { autocompleteMaxVisible: MOST_COMPLETIONS });
  }

  override render(width: number): string[] {
    return fitLines(super.render(width), width).map((line) => (line.includes(MARKED) ? line.replace(DRAWN_CURSOR, '$1') : line));
  }
}
