// Numbers and dates as people write them.

/** A number, or NaN: `1,234.50`, `1.234,50`, `1 234,5`, `€ 12`, `(12.00)` and `12-` for minus twelve. */
export function parseNumber(text) {
  let plain = text.replace(/[\s\u00a0\u202f'’]|[\p{Sc}]|^[A-Z]{3}|[A-Z]{3}$/gu, '');
  const negative = /^\(.*\)$|^-|-$/.test(plain);
  plain = plain.replace(/^[-+(]+|[-)]+$/g, '');
  if (!/^[\d.,]+$/.test(plain) || !/\d/.test(plain)) return Number.NaN;
  const decimal = decimalSign(plain);
  const digits = plain.replace(decimal === ',' ? /\./g : /,/g, '').replace(',', '.');
  const value = Number(digits);
  return negative ? -value : value;
}

/** The sign before the decimals: the last of both kinds, or a single one that is not followed by exactly three digits. */
function decimalSign(text) {
  const [comma, point] = [text.lastIndexOf(','), text.lastIndexOf('.')];
  if (comma >= 0 && point >= 0) return comma > point ? ',' : '.';
  if (comma < 0) return text.split('.').length > 2 ? ',' : '.';
  return text.split(',').length === 2 && !/,\d{3}$/.test(text) ? ',' : '.';
}

/** Reads `2025-03-31`, `31.03.2025` and `03/31/2025` to `{ year, month, day }`; undefined for anything else. */
export function dateReader(samples) {
  const dayFirst = samples.some((text) => Number(/^\s*(\d{1,2})\//.exec(text)?.[1]) > 12);
  return (text) => {
    const iso = /^\s*(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})/.exec(text);
    if (iso) return checked(iso[1], iso[2], iso[3]);
    const dotted = /^\s*(\d{1,2})[.-](\d{1,2})[.-](\d{4})/.exec(text);
    if (dotted) return checked(dotted[3], dotted[2], dotted[1]);
    const slashed = /^\s*(\d{1,2})\/(\d{1,2})\/(\d{4})/.exec(text);
    if (!slashed) return undefined;
    return dayFirst ? checked(slashed[3], slashed[2], slashed[1]) : checked(slashed[3], slashed[1], slashed[2]);
  };
}

function checked(year, month, day) {
  const date = { year: Number(year), month: Number(month), day: Number(day) };
  const real = new Date(Date.UTC(date.year, date.month - 1, date.day));
  return real.getUTCMonth() === date.month - 1 && real.getUTCDate() === date.day ? date : undefined;
}
