import { isObject, parseJson } from '../protocol/json.ts';
import type { ToolQuestion } from '../tools/define.ts';
import { cutStart } from '../util/cut-text.ts';
import { never } from '../util/never.ts';

const MOST_FIELDS = 30;
const MOST_CHOICES = 50;
const MOST_MESSAGE = 2_000;
const MOST_LABEL = 200;
/** What a person answers who gives nothing to the server. */
const DECLINE = 'decline';

/** A form that a server wants a person to fill in: flat, as the protocol has it. */
export interface Form {
  readonly message: string;
  readonly fields: readonly Field[];
}

interface Field {
  readonly name: string;
  readonly label: string;
  readonly required: boolean;
  readonly kind: 'text' | 'number' | 'whole number' | 'yes or no' | 'one of' | 'some of';
  /** Value → what the person sees. */
  readonly choices: ReadonlyMap<string, string>;
}

type Value = string | number | boolean | readonly string[];

/** What the server gets, or what is wrong with an answer. */
export type Filled = { readonly action: 'accept'; readonly content: Record<string, string | number | boolean | string[]> } | { readonly action: 'decline' } | { readonly problem: string };

/** Reads what a server asks for; undefined for what is no form (an address to be opened, for example) or is too large for a question. */
export function readForm(params: unknown): Form | undefined {
  if (!isObject(params) || (params['mode'] !== undefined && params['mode'] !== 'form')) return undefined;
  const { message, requestedSchema: schema } = params;
  if (typeof message !== 'string' || !isObject(schema) || !isObject(schema['properties'])) return undefined;
  const required: readonly unknown[] = Array.isArray(schema['required']) ? schema['required'] : [];
  const fields = Object.entries(schema['properties']).map(([name, one]) => fieldOf(name, one, required.includes(name)));
  const readable = fields.filter((field) => field !== undefined);
  return readable.length < fields.length || fields.length > MOST_FIELDS ? undefined : { message: cutStart(message, MOST_MESSAGE), fields: readable };
}

function fieldOf(name: string, schema: unknown, required: boolean): Field | undefined {
  if (!isObject(schema) || name.length > MOST_LABEL) return undefined;
  const said = [schema['title'], schema['description']].filter((text) => typeof text === 'string' && text !== '');
  const field = { name, label: cutStart(said.join(': '), MOST_LABEL), required, choices: choicesOf(schema['type'] === 'array' ? schema['items'] : schema) };
  if (field.choices.size > MOST_CHOICES) return undefined;
  switch (schema['type']) {
    case 'string': return { ...field, kind: field.choices.size > 0 ? 'one of' : 'text' };
    case 'number': return { ...field, kind: 'number' };
    case 'integer': return { ...field, kind: 'whole number' };
    case 'boolean': return { ...field, kind: 'yes or no', choices: new Map([['yes', 'yes'], ['no', 'no']]) };
    case 'array': return field.choices.size > 0 ? { ...field, kind: 'some of' } : undefined;
    default: return undefined;
  }
}

function choicesOf(schema: unknown): ReadonlyMap<string, string> {
  if (!isObject(schema)) return new Map();
  const titled = schema['oneOf'] ?? schema['anyOf'];
  if (Array.isArray(titled)) return new Map(titled.flatMap((one: unknown): [string, string][] => (isObject(one) && typeof one['const'] === 'string' ? [[one['const'], typeof one['title'] === 'string' ? one['title'] : one['const']]] : [])));
  const values: readonly unknown[] = Array.isArray(schema['enum']) ? schema['enum'] : [];
  const names: readonly unknown[] = Array.isArray(schema['enumNames']) ? schema['enumNames'] : [];
  return new Map(values.flatMap((value, index): [string, string][] => {
    const shown = names[index];
    return typeof value === 'string' ? [[value, typeof shown === 'string' ? shown : value]] : [];
  }));
}

/** The form as a question that says who asks, with the server's own words marked as such. `problem` is what was wrong with the answer before. */
export function formQuestion(server: string, { message, fields }: Form, problem?: string): ToolQuestion {
  const said = [...(problem === undefined ? [] : [`That could not be used: ${problem.replace(/\.$/, '')}.`]), `The MCP server ${server} asks:\n${message.replace(/^/gm, '> ')}`];
  const [only] = fields;
  if (!only) return { question: said.join('\n'), options: ['accept', DECLINE] };
  if (fields.length > 1) {
    const lines = fields.map((field) => `- ${describe(field)}`);
    return { question: [...said, 'Answer with a line "name: value" for each of these, or "decline":', ...lines].join('\n') };
  }
  const hasOptions = only.kind === 'one of' || only.kind === 'yes or no';
  if (hasOptions) return { question: [...said, ...(only.label === '' ? [] : [only.label])].join('\n'), options: [...only.choices.values(), DECLINE] };
  return { question: [...said, `Give ${describe(only)}, or "decline".`].join('\n') };
}

function describe({ name, label, required, kind, choices }: Field): string {
  const what = choices.size > 0 && kind !== 'yes or no' ? `${kind} ${[...choices.values()].join(' / ')}` : kind;
  return `${name} (${what}${required ? '' : ', may be left out'})${label === '' ? '' : `: ${label}`}`;
}

/** Reads a person's answer into what the server takes. */
export function readAnswer({ fields }: Form, answer: string): Filled {
  const text = answer.trim();
  if (text.toLowerCase() === DECLINE) return { action: 'decline' };
  const [only] = fields;
  const given = only && fields.length === 1 && !text.startsWith('{') ? new Map<string, unknown>([[only.name, text]]) : linesOf(text, fields);
  if (typeof given === 'string') return { problem: given };
  const content: Record<string, string | number | boolean | string[]> = {};
  for (const field of fields) {
    const value = given.get(field.name);
    const isThere = value !== undefined && value !== '';
    if (!isThere && field.required) return { problem: `${field.name} is missing` };
    if (!isThere) continue;
    const read = valueOf(field, value);
    if (read === undefined) return { problem: `${field.name} has to be ${describe(field).slice(field.name.length + 1)}` };
    content[field.name] = typeof read === 'object' ? [...read] : read;
  }
  return { action: 'accept', content };
}

/** `name: value` lines, or a JSON object; a text says what is wrong. */
function linesOf(text: string, fields: readonly Field[]): ReadonlyMap<string, unknown> | string {
  if (fields.length === 0) return new Map();
  const json = text.startsWith('{') ? parseJson(text) : undefined;
  const lines = text.split('\n').filter((line) => line.trim() !== '').map((line): [string, unknown] => {
    const at = line.indexOf(':');
    return [line.slice(0, Math.max(at, 0)).replace(/^\s*-?\s*/, '').trim(), line.slice(at + 1).trim()];
  });
  const entries = isObject(json) ? Object.entries(json) : lines;
  const unknown = entries.find(([name]) => !fields.some((field) => field.name === name));
  return unknown ? `there is no field ${JSON.stringify(cutStart(unknown[0], MOST_LABEL))}; write "name: value", with the names ${fields.map(({ name }) => name).join(', ')}` : new Map(entries);
}

function valueOf({ kind, choices }: Field, value: unknown): Value | undefined {
  const text = typeof value === 'string' ? value.trim() : String(value);
  const chosen = (wanted: string): string | undefined => [...choices].find((choice) => choice.some((one) => one.toLowerCase() === wanted.trim().toLowerCase()))?.[0];
  switch (kind) {
    case 'text': return text;
    case 'number': case 'whole number': {
      const number = text === '' ? Number.NaN : Number(text);
      return Number.isFinite(number) && (kind === 'number' || Number.isInteger(number)) ? number : undefined;
    }
    case 'yes or no': return /^(?:y|yes|true)$/i.test(text) ? true : /^(?:n|no|false)$/i.test(text) ? false : undefined;
    case 'one of': return chosen(text);
    case 'some of': {
      const all = (Array.isArray(value) ? value.map(String) : text.split(',')).map(chosen);
      const known = all.filter((one) => one !== undefined);
      return known.length === all.length ? known : undefined;
    }
    default: return never(kind);
  }
}
