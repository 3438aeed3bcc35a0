/** Fields as YAML gives them; every value is an own property, `__proto__` included. */
export type FieldRecord = Readonly<Record<string, unknown>>;

const KEY = /^([A-Za-z][\w-]*):(?: +(.*))?$/;
const RESERVED = /^(?:null|Null|NULL|true|True|TRUE|false|False|FALSE)$/;
/** Control characters, and white space that JavaScript trims and YAML does not. */
const UNSAFE = /[^\P{Cc}\n]|[^\S \n]/u;
const PLAIN = /^\p{L}(?:(?!: | #).)*$/u;
const MORE = /^[\p{L}\p{N}("'*/+](?:(?!: | #).)*$/u;
const DATE = /^\d{4}-\d{2}-\d{2}$/;
const DECIMAL = /^-?(?:0|[1-9]\d{0,9})\.\d{1,6}$/;
const LONGEST_JSON = 8_000;
const DEEPEST = 5;
const DOTTED = /^\d+\.\d+\.\d+(?:[-+.][\w.-]*)?$/;
const INTEGER = /^(?:0|-?[1-9]\d{0,14})$/;
const DOUBLE = /^"(?:[^"\\]|\\["\\/bfnrt])*"$/;
const SINGLE = /^'(?:[^']|'')*'$/;
const FLOW_ITEM = /^[A-Za-z][\w./-]*(?: [\w./-]+)*$/;

/** Lines and the place in them. */
interface Cursor {
  readonly lines: readonly string[];
  at: number;
}

/** A value that was read, wrapped so that `null` and "do not know" differ. */
type Read = { readonly value: unknown; readonly source?: string } | undefined;

/** Fields, and the written text of top-level numbers that have more than one (`1.10`). */
export interface SimpleFields {
  readonly fields: FieldRecord;
  readonly sources: Readonly<Record<string, string>>;
}

/**
 * Reads frontmatter of the plainest kind (scalars on one line, quoted strings, literal blocks, one level of lists and
 * maps) without a YAML package, so that a start over hundreds of skills stays cheap. Undefined as soon as anything is
 * in it that YAML might read otherwise: whenever this answers, YAML 1.2 gives the same.
 */
export function readSimpleFrontmatter(raw: string): SimpleFields | undefined {
  if (!raw.endsWith('\n') || UNSAFE.test(raw)) return undefined;
  const cursor: Cursor = { lines: raw.split('\n'), at: 0 };
  return readEntries(cursor, '', (rest, after) => paragraph(rest, after) ?? oneLine(rest) ?? block(rest, after) ?? nested(rest, after, '', DEEPEST));
}

/** Entries whose keys stand at `indent`; ends before a line that is indented less. */
function readEntries(cursor: Cursor, indent: string, read: (rest: string, after: Cursor) => Read): SimpleFields | undefined {
  const entries = new Map<string, unknown>();
  const sources = new Map<string, string>();
  for (; cursor.at < cursor.lines.length; ) {
    const line = cursor.lines[cursor.at] ?? '';
    if (line.trim() === '') {
      cursor.at += 1;
      continue;
    }
    if (!line.startsWith(indent)) break;
    const match = KEY.exec(line.slice(indent.length));
    const [, key, rest = ''] = match ?? [];
    if (key === undefined || RESERVED.test(key) || key === '__proto__' || entries.has(key)) return undefined;
    cursor.at += 1;
    const found = read(rest.trim(), cursor);
    if (!found || continues(cursor, indent)) return undefined;
    entries.set(key, found.value);
    if (found.source !== undefined) sources.set(key, found.source);
  }
  return entries.size === 0 ? undefined : { fields: Object.fromEntries(entries), sources: Object.fromEntries(sources) };
}

/** True when the next line with text would belong to the entry just read. */
function continues(cursor: Cursor, indent: string): boolean {
  const next = cursor.lines.slice(cursor.at).find((line) => line.trim() !== '');
  return next !== undefined && next.startsWith(`${indent} `);
}

function oneLine(text: string): Read {
  if (text === 'true' || text === 'false') return { value: text === 'true' };
  if (INTEGER.test(text)) return { value: Number(text) };
  if (PLAIN.test(text)) return RESERVED.test(text) || text.endsWith(':') ? undefined : { value: text };
  if (DOTTED.test(text) || DATE.test(text)) return { value: text };
  if (DECIMAL.test(text)) return { value: Number(text), source: text };
  if (DOUBLE.test(text)) return { value: JSON.parse(text) };
  if (SINGLE.test(text)) return { value: text.slice(1, -1).replaceAll("''", "'") };
  return flowList(text) ?? json(text);
}

/** Plain text that goes on in indented lines, which YAML joins with spaces. */
function paragraph(text: string, cursor: Cursor): Read {
  if (!PLAIN.test(text) || text.endsWith(':') || !continues(cursor, '')) return undefined;
  const lines = [text];
  for (; /^ +\S/.test(cursor.lines[cursor.at] ?? ''); cursor.at += 1) {
    const line = (cursor.lines[cursor.at] ?? '').trim();
    if (!MORE.test(line) || line.endsWith(':')) return undefined;
    lines.push(line);
  }
  return lines.length === 1 ? undefined : { value: lines.join(' ') };
}

/** A JSON value on one line, where writing it again gives the same text: no key twice, no unusual number or escape. */
function json(text: string): Read {
  if (!/^[{[]/.test(text) || text.length > LONGEST_JSON) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return JSON.stringify(value) === text.replace(/("(?:[^"\\]|\\.)*")|[ ]+/g, '$1') ? { value } : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function flowList(text: string): Read {
  if (!text.startsWith('[') || !text.endsWith(']')) return undefined;
  const inside = text.slice(1, -1).trim();
  const items = inside === '' ? [] : inside.split(',').map((item) => item.trim());
  return items.every((item) => FLOW_ITEM.test(item) && !RESERVED.test(item)) ? { value: items } : undefined;
}

/** A literal block, or a folded one that is a single paragraph. */
function block(sign: string, cursor: Cursor): Read {
  if (!/^[|>]-?$/.test(sign)) return undefined;
  const first = cursor.lines[cursor.at] ?? '';
  const indent = /^ +(?=\S)/.exec(first)?.[0];
  if (indent === undefined) return undefined;
  const lines: string[] = [];
  for (; cursor.at < cursor.lines.length; cursor.at += 1) {
    const line = cursor.lines[cursor.at] ?? '';
    if (line.trim() === '') {
      if (line !== '') return undefined;
      lines.push('');
    } else if (line.startsWith(indent)) lines.push(line.slice(indent.length));
    else break;
  }
  while (lines.at(-1) === '') lines.pop();
  const folded = sign.startsWith('>');
  if (folded && lines.some((line) => line === '' || /^\s|\s$/.test(line))) return undefined;
  return { value: lines.join(folded ? ' ' : '\n') + (sign.endsWith('-') ? '' : '\n') };
}

/** What stands below a key without a value on its line: a list, a map, JSON, or nothing. */
function nested(rest: string, cursor: Cursor, parent: string, depth: number): Read {
  if (rest !== '' || depth === 0) return undefined;
  while (cursor.at < cursor.lines.length && cursor.lines[cursor.at]?.trim() === '') cursor.at += 1;
  const first = cursor.lines[cursor.at] ?? '';
  const indent = /^ */.exec(first)?.[0] ?? '';
  if (first.startsWith(`${indent}- `) && indent.length >= parent.length) return list(cursor, `${indent}- `);
  if (indent.length <= parent.length) return { value: null };
  if (first.startsWith(`${indent}{`)) return jsonBlock(cursor, parent);
  const found = readEntries(cursor, indent, (text) => oneLine(text) ?? nested(text, cursor, indent, depth - 1));
  return found && { value: found.fields };
}

/** JSON over several lines, all of them indented. */
function jsonBlock(cursor: Cursor, parent: string): Read {
  const lines: string[] = [];
  for (; cursor.lines[cursor.at]?.startsWith(`${parent} `); cursor.at += 1) lines.push(cursor.lines[cursor.at]?.trim() ?? '');
  return json(lines.join(' '));
}

function list(cursor: Cursor, start: string): Read {
  const items: unknown[] = [];
  for (; cursor.at < cursor.lines.length; cursor.at += 1) {
    const line = cursor.lines[cursor.at] ?? '';
    if (!line.startsWith(start)) break;
    const item = oneLine(line.slice(start.length).trim());
    if (!item) return undefined;
    items.push(item.value);
  }
  return continues(cursor, start.slice(0, -2)) || cursor.lines[cursor.at]?.startsWith('-') ? undefined : { value: items };
}
