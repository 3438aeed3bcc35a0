import { cutStart } from '../util/cut-text.ts';
import { textWriter, type TextWriter } from './text-writer.ts';

/** Takes the elements of a page in their order and writes what a person would see. */
export interface PageRenderer {
  /** Characters so far, about. */
  readonly length: number;
  open(name: string, attributes: Readonly<Record<string, string>>): void;
  close(name: string): void;
  text(text: string): void;
  title(): string | undefined;
  result(): string;
}

/** Elements of which nothing is shown as text. */
const SILENT = new Set(['script', 'style', 'noscript', 'template', 'svg', 'math', 'iframe', 'object', 'select', 'datalist', 'audio', 'video', 'canvas']);
/** Elements that begin and end a line. */
const LINES = new Set(['div', 'section', 'article', 'main', 'header', 'footer', 'nav', 'aside', 'address', 'figure', 'figcaption', 'form', 'fieldset', 'legend', 'details', 'summary', 'dt', 'dd', 'body', 'html', 'caption', 'center', 'dialog', 'search', 'option']);
/** Those with an empty line around them. */
const BLOCKS = new Set(['p', 'ul', 'ol', 'dl', 'table', 'pre', 'blockquote', 'hr', 'menu']);
/** Elements that never hold anything. */
const EMPTY = new Set(['br', 'hr', 'img', 'input', 'meta', 'link', 'wbr', 'area', 'base', 'col', 'embed', 'source', 'track']);
const INDENT = '  ';
const LONGEST_TITLE = 300;
const LONGEST_ADDRESS = 1_000;

interface Table {
  readonly writer: TextWriter;
  cells: string[];
  rows: number;
}

interface Link {
  readonly to: string | undefined;
  hasText: boolean;
}

interface State {
  base: URL;
  /** The innermost cell of a table, or the page. */
  writer: TextWriter;
  readonly tables: Table[];
  /** Numbers of the lists that are open; undefined for lists without numbers. */
  readonly lists: (number | undefined)[];
  /** Elements that are open within one that shows nothing, it included. */
  silent: number;
  pre: number;
  readonly links: Link[];
  /** Characters in cells whose row is not complete. */
  waiting: number;
  title: string | undefined;
  isInTitle: boolean;
}

/** An empty page at that address. */
export function pageRenderer(base: URL): PageRenderer {
  const page = textWriter();
  const state: State = { base, writer: page, tables: [], lists: [], silent: 0, pre: 0, links: [], waiting: 0, title: undefined, isInTitle: false };
  return {
    get length() { return page.length + state.waiting + (state.writer === page ? 0 : state.writer.length); },
    open: (name, attributes) => openElement(state, name, attributes),
    close: (name) => closeElement(state, name),
    text(text) {
      if (state.isInTitle) state.title = cutStart(`${state.title ?? ''}${text}`, LONGEST_TITLE);
      else if (state.silent === 0) showText(state, text);
    },
    title: () => state.title?.replace(/\s+/g, ' ').trim() || undefined,
    result() {
      while (state.tables.length > 0) closeTable(state);
      return page.result();
    },
  };
}

function openElement(state: State, name: string, attributes: Readonly<Record<string, string>>): void {
  if (state.silent > 0 || isSilent(name, attributes)) {
    if (!EMPTY.has(name)) state.silent += 1;
    return;
  }
  const { writer } = state;
  if (BLOCKS.has(name)) writer.gap(state.lists.length > 0 && (name === 'ul' || name === 'ol') ? 0 : 1);
  else if (LINES.has(name)) writer.gap(0);
  const heading = /^h([1-6])$/.exec(name)?.[1];
  if (heading !== undefined) {
    writer.gap(1);
    writer.mark(`${'#'.repeat(Number(heading))} `);
  }
  switch (name) {
    case 'title': state.isInTitle = state.title === undefined; return;
    case 'br': return writer.gap(0);
    case 'hr': writer.mark('---'); return writer.gap(1);
    case 'img': return showPicture(state, attributes);
    case 'base': state.base = baseOf(state, attributes['href']); return;
    case 'a': return void state.links.push({ to: state.pre > 0 ? undefined : address(state, attributes['href']), hasText: false });
    case 'code': case 'kbd': case 'samp': return state.pre > 0 ? undefined : writer.mark('`');
    case 'pre': return openPre(state);
    case 'ul': case 'menu': state.lists.push(undefined); return;
    case 'ol': state.lists.push(Number.parseInt(attributes['start'] ?? '1', 10) || 1); return;
    case 'li': return openItem(state);
    case 'blockquote': return writer.open({ first: '> ', rest: '> ' });
    case 'table': state.tables.push({ writer, cells: [], rows: 0 }); return;
    case 'tr': return closeRow(state);
    case 'td': case 'th': return openCell(state);
    default:
  }
}

function closeElement(state: State, name: string): void {
  if (state.silent > 0) {
    if (!EMPTY.has(name)) state.silent -= 1;
    return;
  }
  const { writer } = state;
  switch (name) {
    case 'title': state.isInTitle = false; break;
    case 'a': closeLink(state); break;
    case 'code': case 'kbd': case 'samp': if (state.pre === 0) writer.tail('`'); break;
    case 'pre': closePre(state); break;
    case 'ul': case 'ol': case 'menu': state.lists.pop(); break;
    case 'li': writer.gap(0); writer.close(); break;
    case 'blockquote': writer.gap(0); writer.close(); break;
    case 'td': case 'th': closeCell(state); break;
    case 'tr': closeRow(state); break;
    case 'table': closeTable(state); break;
    default:
  }
  if (BLOCKS.has(name) || /^h[1-6]$/.test(name)) state.writer.gap(state.lists.length > 0 && (name === 'ul' || name === 'ol') ? 0 : 1);
  else if (LINES.has(name)) state.writer.gap(0);
}

/** True for what browsers do not show. A page that hides itself as a whole waits for a script to show it. */
function isSilent(name: string, { hidden, style = '' }: Readonly<Record<string, string>>): boolean {
  if (name === 'html' || name === 'body') return false;
  return SILENT.has(name) || hidden !== undefined || /(?:display\s*:\s*none|visibility\s*:\s*hidden)/i.test(style);
}

/** A whole address that can be fetched, or undefined for places of the page itself, scripts and what is far too long. */
function address({ base }: State, href: string | undefined): string | undefined {
  const given = href?.trim() ?? '';
  if (given === '' || given.startsWith('#') || given.length > LONGEST_ADDRESS || !URL.canParse(given, base.href)) return undefined;
  const { href: whole, protocol } = new URL(given, base);
  return /^(?:https?|mailto):$/.test(protocol) && whole.length <= LONGEST_ADDRESS ? whole : undefined;
}

function showText(state: State, text: string): void {
  const { writer, pre } = state;
  if (pre > 0) return writer.verbatim(text);
  const link = state.links.at(-1);
  if (link?.to === undefined || link.hasText || text.trim() === '') return writer.text(text);
  // The space before a link stands outside of it.
  if (/^\s/.test(text)) writer.text(' ');
  beginLink(state);
  writer.text(text.trimStart());
}

function showPicture(state: State, { alt = '', src }: Readonly<Record<string, string>>): void {
  const text = alt.replace(/\s+/g, ' ').trim();
  const source = address(state, src);
  if (text === '') return;
  beginLink(state);
  state.writer.mark(source === undefined ? `[${text}]` : `![${text}](${source})`);
}

function closeLink(state: State): void {
  const link = state.links.pop();
  if (link?.to !== undefined && link.hasText) state.writer.tail(`](${link.to.replaceAll(')', '%29')})`);
}

/** Links without a text, such as those around a decoration, are not shown. */
function beginLink({ links, writer }: State): void {
  const link = links.at(-1);
  if (link?.to === undefined || link.hasText) return;
  link.hasText = true;
  writer.mark('[');
}

function baseOf({ base }: State, href = ''): URL {
  return URL.canParse(href, base.href) ? new URL(href, base) : base;
}

function openPre(state: State): void {
  state.pre += 1;
  if (state.pre > 1) return;
  state.writer.mark('```');
  state.writer.gap(0);
}

function closePre(state: State): void {
  state.pre -= 1;
  if (state.pre > 0) return;
  state.writer.gap(0);
  state.writer.mark('```');
}

function openItem({ writer, lists }: State): void {
  const number = lists.at(-1);
  if (number !== undefined) lists[lists.length - 1] = number + 1;
  writer.gap(0);
  writer.open({ first: number === undefined ? '- ' : `${number}. `, rest: INDENT });
}

/** A cell or row that nothing has ended ends where the next one begins. */
function openCell(state: State): void {
  closeCell(state);
  if (state.tables.length > 0) state.writer = textWriter();
}

function closeCell(state: State): void {
  const table = state.tables.at(-1);
  if (!table || state.writer === table.writer) return;
  const cell = state.writer.result();
  state.waiting += cell.length;
  table.cells.push(cell);
  state.writer = table.writer;
}

/** Cells of one line each make a row; tables that only lay out a page give what their cells hold, one after the other. */
function closeRow(state: State): void {
  closeCell(state);
  const table = state.tables.at(-1);
  if (!table || table.cells.length === 0) return;
  const { writer, cells } = table;
  table.cells = [];
  state.waiting -= cells.reduce((sum, { length }) => sum + length, 0);
  writer.gap(0);
  if (cells.length === 1 || cells.some((cell) => cell.includes('\n'))) {
    for (const cell of cells.filter((one) => one !== '')) {
      writer.verbatim(cell);
      writer.gap(0);
    }
    return;
  }
  writer.mark(`| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`);
  writer.gap(0);
  table.rows += 1;
  if (table.rows === 1) writer.mark(`|${' --- |'.repeat(cells.length)}`);
  writer.gap(0);
}

function closeTable(state: State): void {
  closeRow(state);
  const table = state.tables.pop();
  if (table) state.writer = table.writer;
}
