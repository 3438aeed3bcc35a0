// Reading CSV: separators, quoted fields, line breaks inside quotes, byte order mark.

/** Rows of a CSV text as `{ line, fields }`; `line` is the number in the file, from 1. Throws an Error that names the line. */
export function parseCsv(text, separator = detectSeparator(text)) {
  const source = text.replace(/^\ufeff/, '');
  const rows = [];
  let fields = [];
  let field = '';
  let quoted = false;
  let line = 1;
  let rowLine = 1;
  let quoteLine = 1;
  const endRow = () => {
    fields.push(field);
    if (fields.some((each) => each.trim() !== '')) rows.push({ line: rowLine, fields });
    fields = [];
    field = '';
  };
  for (let i = 0; i < source.length; i += 1) {
    const char = source[i];
    if (char === '\n') line += 1;
    if (quoted) {
      if (char !== '"') field += char;
      else if (source[i + 1] === '"') {
        field += '"';
        i += 1;
      } else quoted = false;
    } else if (char === '"' && field.trim() === '') {
      quoted = true;
      quoteLine = line;
      field = '';
    } else if (char === separator) {
      fields.push(field);
      field = '';
    } else if (char === '\n' || char === '\r') {
      if (char === '\r' && source[i + 1] === '\n') {
        i += 1;
        line += 1;
      } else if (char === '\r') line += 1;
      endRow();
      rowLine = line;
    } else field += char;
  }
  if (quoted) throw new Error(`line ${quoteLine}: a quote is opened and never closed`);
  endRow();
  return rows;
}

/** The separator that the first line holds most often outside quotes: comma, semicolon or tab. */
export function detectSeparator(text) {
  const first = text.split(/\r?\n/, 1)[0].replace(/"(?:[^"]|"")*"/g, '');
  const count = (separator) => first.split(separator).length;
  return [',', ';', '\t'].reduce((best, separator) => (count(separator) > count(best) ? separator : best));
}
