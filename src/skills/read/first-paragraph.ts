const LONGEST = 1024;

/**
 * The first paragraph of a Markdown text in one line, without comments, headings, rules, pictures and fences; of a text
 * that has none, its first heading or its first line. Empty for a text without any.
 */
export function firstParagraph(body: string): string {
  const lines = body.slice(0, 50_000).replace(/<!--[^]*?-->/g, '').split('\n');
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

function isProse(text: string): boolean {
  if (text === '' || /^#{1,6}(?:\s|$)/.test(text)) return false;
  if (/^(?:[-=*_]\s*){3,}$/.test(text) || text.startsWith('|')) return false;
  return !/^(?:\[?!\[[^\]]*\]\([^)]*\)\]?(?:\([^)]*\))?\s*)+$/.test(text);
}
