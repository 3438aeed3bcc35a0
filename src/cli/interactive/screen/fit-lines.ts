import { truncateToWidth, visibleWidth, wrapTextWithAnsi } from '@mariozechner/pi-tui';

/** A tab would go to a stop that depends on where the line begins. */
const TAB = '    ';

/** Lines that fit a terminal of so many columns: what is longer is cut. */
export function fitLines(lines: readonly string[], width: number): string[] {
  return lines.map((given) => {
    const line = given.replaceAll('\t', TAB);
    return visibleWidth(line) > width ? truncateToWidth(line, width, '…') : line;
  });
}

/** A text as lines that fit: what is longer goes on below. */
export function wrapLines(text: string, width: number): string[] {
  return fitLines(wrapTextWithAnsi(text.replaceAll('\t', TAB), Math.max(1, width)), width);
}
