import type { Entry } from './split-entries.ts';
import type { YamlReader } from './yaml-reader.ts';

/** A value that was made readable: what was wrong (`code`, `message`) and what it is read as. */
export interface RepairedValue {
  readonly value: unknown;
  readonly code: string;
  readonly message: string;
}

/** What a repair gets to know of a field. `tryYaml` gives the value of a text where strict YAML reads it. */
interface Broken extends Entry {
  readonly tryYaml: (text: string) => { readonly value: unknown } | undefined;
}

/** Makes sense of a field that strict YAML does not read: the first repair that fits. */
export function repairValue(entry: Entry, yaml: YamlReader): RepairedValue {
  const tryYaml = (text: string): { readonly value: unknown } | undefined => {
    const result = yaml.read(text);
    return result.kind === 'fields' && 'field' in result.fields ? { value: result.fields['field'] } : undefined;
  };
  const broken: Broken = { ...entry, tryYaml };
  return decorated(broken) ?? tabs(broken) ?? blockWithText(broken) ?? brokenBlock(broken) ?? listOnKeyLine(broken) ?? nested(broken) ?? quoted(broken) ?? plain(broken);
}

function decorated({ decorated: found, key, value, rest, tryYaml }: Broken): RepairedValue | undefined {
  if (!found) return undefined;
  const strict = tryYaml(compose(value, rest));
  return { value: strict ? strict.value : joined(unquote(value), rest), code: 'field-form', message: `the field ${key} is not written as "${key}: value" at the start of its line` };
}

function tabs({ key, value, rest, tryYaml }: Broken): RepairedValue | undefined {
  if (!rest.some((line) => line.includes('\t'))) return undefined;
  const strict = tryYaml(compose(value, rest.map((line) => line.replaceAll('\t', '  '))));
  return strict && { value: strict.value, code: 'tab-indent', message: `the field ${key} is indented with tabs` };
}

/** `description: > text`: the sign of a block with text on its line. */
function blockWithText({ key, value, rest }: Broken): RepairedValue | undefined {
  const match = /^[|>][+-]?\d?[ \t]+(?!#)(\S.*)$/.exec(value) ?? /^[|>][+-]?(?=[^\s+\d-])(.*)$/.exec(value);
  if (!match) return undefined;
  return { value: joined(match[1] ?? '', rest), code: 'block-scalar-text', message: `the field ${key} has text on the line of its block sign ${value[0] ?? ''}` };
}

/** A block whose lines are not indented as they should be. */
function brokenBlock({ key, value, rest }: Broken): RepairedValue | undefined {
  if (!/^[|>][+-]?\d?(?:\s+#.*)?$/.test(value)) return undefined;
  return { value: joined('', rest), code: 'bad-indent', message: `the text of ${key} is not indented evenly` };
}

/** `allowed-tools: - Read` with further items below. */
function listOnKeyLine({ key, value, rest }: Broken): RepairedValue | undefined {
  const items = [value, ...rest].map((line) => line.trim()).filter((line) => line !== '');
  if (items.length === 0 || !items.every((item) => item.startsWith('- '))) return undefined;
  return { value: items.map((item) => unquote(item.slice(2).trim())), code: 'list-form', message: `the list of ${key} is not written as one item a line, evenly indented` };
}

/** A map or list below the key, some line of which is no YAML: the values of its lines are quoted. */
function nested({ key, value, rest, tryYaml }: Broken): RepairedValue | undefined {
  if (value !== '' || rest.length === 0) return undefined;
  const requoted = rest.map((line) => {
    const match = /^(\s*(?:- )*(?:[\w.-]+:[ \t]+|- ))(\S.*)$/.exec(line);
    if (!match || /^[|>]/.test(match[2] ?? '') || tryYaml(`field: ${match[2] ?? ''}\n`)) return line;
    return `${match[1] ?? ''}${JSON.stringify(unquote((match[2] ?? '').trim()))}`;
  });
  const strict = tryYaml(compose('', requoted));
  return strict && { value: strict.value, code: 'nested-value', message: `a value inside ${key} needs quotes` };
}

function quoted({ key, value, rest, tryYaml }: Broken): RepairedValue | undefined {
  const quote = value[0];
  if (quote !== '"' && quote !== "'") return undefined;
  const whole = joined(value, rest);
  const closed = quote === '"' ? /^"(?:[^"\\]|\\[^])*"/.exec(whole) : /^'(?:[^']|'')*'/.exec(whole);
  if (!closed) return { value: whole.slice(1).trim(), code: 'unclosed-quote', message: `the quote that opens the field ${key} is never closed` };
  const after = whole.slice(closed[0].length).trim();
  if (after !== '') {
    const wrapped = whole.endsWith(quote) && whole.length > closed[0].length;
    const text = wrapped ? whole.slice(1, -1) : whole;
    return { value: text, code: 'text-after-quote', message: `text follows the closing quote of ${key}` };
  }
  const oneLine = tryYaml(`field: ${JSON.stringify(unescape(closed[0].slice(1, -1), quote))}\n`);
  const code = /\\[^"\\/bfnrtuUxabve0N_LP \t\n]|\\[uUx]/.test(closed[0]) ? 'bad-escape' : 'bad-indent';
  return { value: oneLine?.value ?? unquote(whole), code, message: code === 'bad-escape' ? `the quoted text of ${key} has a backslash that YAML does not know` : `the lines of ${key} are not indented` };
}

/** Text that needs quotes for one reason or another. */
function plain({ key, value, rest }: Broken): RepairedValue {
  const { code, why } = reasonOf(value, rest);
  return { value: joined(value, rest), code, message: `the value of ${key} ${why}` };
}

function reasonOf(value: string, rest: readonly string[]): { code: string; why: string } {
  if (/^[*&!]/.test(value)) return { code: 'reserved-start', why: `starts with ${value[0] ?? ''}, which has a meaning in YAML` };
  if (/^[[{]/.test(value)) return { code: 'flow-text', why: `starts with ${value[0] ?? ''} but is no YAML list or map` };
  if (/^[@`%,?|>\]}-]/.test(value)) return { code: 'reserved-start', why: `starts with ${value[0] ?? ''}, which YAML reserves` };
  if (/:(?:\s|$)/.test(value)) return { code: 'unquoted-colon', why: 'holds a colon followed by a space' };
  if (rest.some((line) => line.trim() !== '' && !/^\s/.test(line))) return { code: 'bad-indent', why: 'goes on in lines that are not indented' };
  return { code: 'unquoted-text', why: 'needs quotes' };
}

/** The text of one field called `field`, as YAML. */
function compose(value: string, rest: readonly string[]): string {
  return `field: ${value}\n${rest.map((line) => `${line}\n`).join('')}`;
}

/** First line and further lines as one text: the lines' own indentation and spaces at their ends go. */
function joined(first: string, rest: readonly string[]): string {
  return [first, ...rest.map((line) => line.trim())].join('\n').trim().replace(/[ \t]+\n/g, '\n');
}

function unquote(text: string): string {
  const match = /^(["'])([^]*)\1$/.exec(text);
  return match ? unescape(match[2] ?? '', match[1] ?? '') : text.replace(/^["'](?=[^"']*$)/, '');
}

/** Undoes the escapes that every reader knows and leaves other backslashes alone. */
function unescape(text: string, quote: string): string {
  return quote === '"' ? text.replace(/\\(["\\/])/g, '$1').replace(/\\n/g, '\n').replace(/\\t/g, '\t') : text.replaceAll("''", "'");
}
