/**
 * Splits a list of tools as people write it: a YAML list or one string, separated by commas or white space, which do
 * not separate inside parentheses: `Bash(git add *), Read` gives `['Bash(git add *)', 'Read']`. Undefined for a value
 * that is no list of tools.
 */
export function splitToolList(value: unknown): readonly string[] | undefined {
  if (typeof value === 'string') return value.trim() === '' ? undefined : splitText(value.trim().replace(/^\[(.*)\]$/s, '$1'));
  if (!Array.isArray(value)) return undefined;
  return value.flatMap((item: unknown) => splitText(itemText(item)));
}

/** YAML reads `- Bash(npm: *)` as a map of one entry; this gives the text back. */
function itemText(item: unknown): string {
  if (typeof item === 'string') return item;
  if (typeof item !== 'object' || item === null) return item === null || item === undefined ? '' : JSON.stringify(item);
  return Object.entries(item)
    .map(([key, value]) => `${key}: ${String(value)}`)
    .join(', ');
}

function splitText(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let part = '';
  const end = (): void => {
    const trimmed = part.trim().replace(/^(["'])(.*)\1$/s, '$2');
    if (trimmed !== '' && trimmed !== '-') parts.push(trimmed);
    part = '';
  };
  for (const char of text) {
    if (char === '(') depth += 1;
    if (char === ')') depth = Math.max(0, depth - 1);
    if (depth === 0 && (char === ',' || /\s/.test(char))) end();
    else part += char;
  }
  end();
  return parts;
}
