/** Of these texts, which are almost all, every character is what it looks like. */
const PLAIN = /^[\n\u0020-\u007e]*$/;
/** What ends a line beside a line feed; a carriage return alone would write over the line. */
const LINE_END = /\r\n|[\u2028\u2029]/g;

/** True where every character is what it looks like. */
export function isPlain(text: string): boolean {
  return PLAIN.test(text);
}

/** A text from outside made safe to show: control and invisible characters stand as escapes and do nothing. */
export function visibleText(text: string): string {
  return isPlain(text) ? text : replaceUnsafe(text.replace(LINE_END, '\n'), (char) => escapeOf(char.codePointAt(0) ?? 0));
}

/**
 * Replaces what could steer a terminal or deceive a reader: control characters but tab and line feed, all that is invisible
 * or turns the direction of writing, and half characters. A joiner between two emoji is harmless and stays.
 */
export function replaceUnsafe(text: string, by: (char: string) => string): string {
  // It stands here and not above so that it is only compiled when there is something to look for.
  const unsafe = /((?<=\p{Extended_Pictographic}(?:\ufe0f|\p{Emoji_Modifier})?)\u200d(?=\p{Extended_Pictographic}))|[\u{e0100}-\u{e01ef}]|[\u034f\u0000-\u0008\u000b-\u001f\u007f-\u009f\p{Cf}\p{Cs}\p{Zl}\p{Zp}\u115f\u1160\u17b4\u17b5\u3164\uffa0]/gu;
  return text.replace(unsafe, (char: string, joiner?: string) => joiner ?? by(char));
}

/** The escape of a code point or of half a character. */
export function escapeOf(code: number): string {
  const digits = code.toString(16);
  return code > 0xffff ? `\\u{${digits}}` : `\\u${digits.padStart(4, '0')}`;
}
