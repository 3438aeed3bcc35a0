/** Text of a scalar; lists of scalars are joined. Undefined for nothing, and for maps. */
export function asText(value: unknown): string | undefined {
  if (typeof value === 'string') return value.trim() === '' ? undefined : value.trim();
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (!Array.isArray(value)) return undefined;
  const items = value.map((item: unknown) => (typeof item === 'object' && item !== null ? undefined : asText(item)));
  return items.every((item) => item !== undefined) && items.length > 0 ? items.join('; ') : undefined;
}

/** `true`, `yes`, `on`, `1` and their opposites in any letter case. */
export function asBoolean(value: unknown): boolean | undefined {
  const text = String(value).trim().toLowerCase();
  if (['true', 'yes', 'on', '1', 'y'].includes(text)) return true;
  return ['false', 'no', 'off', '0', 'n'].includes(text) ? false : undefined;
}

/** A whole number above zero, written as a number or as text. */
export function asCount(value: unknown): number | undefined {
  const number = typeof value === 'string' ? Number(value.trim()) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) && number > 0 ? number : undefined;
}

/** Words of a list or of a text; a text is split at white space and commas. */
export function asWords(value: unknown): readonly string[] | undefined {
  return asItems(value, (text) => text.split(/[\s,]+/));
}

/** Globs of a list or of a text; a text is split at commas and line ends outside braces. */
export function asGlobs(value: unknown): readonly string[] | undefined {
  return asItems(value, splitGlobs);
}

/** From its end on, since a separator is inside of braces when the next brace after it is a closing one. */
function splitGlobs(text: string): string[] {
  const items: string[] = [];
  let end = text.length;
  let isInside = false;
  for (let at = text.length - 1; at >= 0; at -= 1) {
    const sign = text[at];
    if (sign === '{' || sign === '}') isInside = sign === '}';
    if (isInside || (sign !== ',' && sign !== '\n')) continue;
    items.push(text.slice(at + 1, end));
    end = at;
  }
  return [...items, text.slice(0, end)].reverse();
}

function asItems(value: unknown, split: (text: string) => string[]): readonly string[] | undefined {
  if (typeof value !== 'string' && !Array.isArray(value)) return undefined;
  const items = (typeof value === 'string' ? split(value) : value.map((item: unknown) => asText(item) ?? '')).map((item) => item.trim()).filter((item) => item !== '');
  return items.length > 0 ? items : undefined;
}
