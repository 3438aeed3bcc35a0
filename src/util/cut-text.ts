/** The first `length` UTF-16 units of a text, one less where that would split a character in two. */
export function cutStart(text: string, length: number): string {
  return text.slice(0, isSplit(text, length) ? length - 1 : length);
}

/** The last `length` UTF-16 units of a text, one less where that would split a character in two. */
export function cutEnd(text: string, length: number): string {
  const start = Math.max(0, text.length - length);
  return text.slice(isSplit(text, start) ? start + 1 : start);
}

function isSplit(text: string, at: number): boolean {
  if (at <= 0 || at >= text.length) return false;
  const before = text.charCodeAt(at - 1);
  const after = text.charCodeAt(at);
  return before >= 0xd800 && before <= 0xdbff && after >= 0xdc00 && after <= 0xdfff;
}
