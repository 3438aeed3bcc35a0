import fs from 'node:fs';
import { ProcessTerminal } from '@mariozechner/pi-tui';

/** Colours, styles and the ends of links. */
const STYLES = /\u001b\[[\d;]*m|\u001b\]8;;\u0007/g;
/** No bracketed paste, no reports of special keys, and the cursor is seen. */
const RESTORED = '\u001b[?2004l\u001b[<u\u001b[>4;0m\u001b[?25h';

/** The terminal of this process; without colours not even a style is written. */
export class ScreenTerminal extends ProcessTerminal {
  readonly #hasColours: boolean;

  constructor({ hasColours }: { readonly hasColours: boolean }) {
    super();
    this.#hasColours = hasColours;
  }

  override write(data: string): void {
    super.write(this.#hasColours ? data : data.replace(STYLES, ''));
  }
}

/** Gives the terminal back also where the program ends in the middle: after a fault, or by force. The result ends that. */
export function restoreAtExit(): () => void {
  const restore = (): void => {
    try {
      fs.writeSync(1, RESTORED);
    } catch (error) {
      // There is no terminal any more.
      if (!(error instanceof Error && 'code' in error)) throw error;
    }
  };
  process.once('exit', restore);
  return () => process.off('exit', restore);
}
