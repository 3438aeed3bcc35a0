const LONGEST = 1024;

/**
 * The first paragraph of a Markdown text in one line, without comments, headings, rules, pictures and fences; of a text
 * that has none, its first heading or its first line. Empty for a text without any.
 */
export function firstParagraph(body: string): string {
  const lines = withoutComments(body.slice(0, 50_000)).split('\n');
  const paragraph: string[] = [];
  let heading = '';
  let fence: string | undefined;
  for (const line of lines) {
    const text = line.trim();
    const mark = /^(?:```+|~~~+)/.exec(text)?.[0];
    if (fence !== undefined) {
      if (mark?.startsWith(fence)) fence = undefined;
      continue;
    }
    if (isProse(text) && mark === undefined) {
      paragraph.push(text.replace(/^(?:>\s*)+/, ''));
      continue;
    }
    if (paragraph.length > 0) break;
    fence = mark;
    if (heading === '') heading = /^#{1,6}\s+(.*?)\s*#*$/.exec(text)?.[1] ?? '';
  }
  const found = paragraph.join(' ').trim() || heading || (lines.find((line) => line.trim() !== '')?.trim() ?? '');
  return found.length > LONGEST ? `${found.slice(0, LONGEST - 1).trimEnd()}…` : found;
}

/** A comment that is never closed is text. */
function withoutComments(text: string): string {
  let out = '';
  let done = 0;
  for (let open = text.indexOf('<!--'); open >= 0; open = text.indexOf('<!--', done)) {
    const close = text.indexOf('-->', open + 4);
    if (close < 0) break;
    out += text.slice(done, open);
    done = close + 3;
  }
  return out + text.slice(done);
}

function isProse(text: string): boolean {
  if (text === '' || /^#{1,6}(?:\s|$)/.test(text)) return false;
  if (/^(?:[-=*_]\s*){3,}$/.test(text) || text.startsWith('|')) return false;
  return !/^(?:\[?!\[[^\]]*\]\([^)]*\)\]?(?:\([^)]*\))?\s*)+$/.test(text);
}
