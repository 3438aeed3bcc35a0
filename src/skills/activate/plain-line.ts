/**
 * A stranger's text as one harmless line: no line breaks, control or invisible characters, and angle brackets as
 * look-alikes, so that it cannot pose as markup of the prompt. Cut at a word to at most `limit` characters.
 */
export function plainLine(text: string, limit: number): string {
  const line = text
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .replace(/[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]/gu, '')
    .replaceAll('<', '‹')
    .replaceAll('>', '›')
    .replace(/`{3,}/g, '`')
    .trim();
  return cut(line, limit);
}

/** At most `limit` characters, ended at a word where one ends in the last fifth, with `…`. Never splits a character. */
export function cut(text: string, limit: number): string {
  const characters = Array.from(text.slice(0, limit * 2 + 2));
  if (characters.length <= limit && text.length <= limit * 2 + 2) return text;
  const head = characters.slice(0, limit - 1).join('');
  const space = head.lastIndexOf(' ');
  return `${(space > head.length * 0.8 ? head.slice(0, space) : head).trimEnd()}…`;
}
