import { isMap, isScalar, parseDocument, visit, type Document } from 'yaml';
import { messageOf } from '../../protocol/errors.ts';
import { isObject } from '../../protocol/json.ts';
import type { FieldRecord } from './simple-frontmatter.ts';

/**
 * What strict YAML 1.2 says of a text. `sources` holds the text of top-level values that are no strings, as they were
 * written. `not-a-map` is valid YAML of another shape; `refused` is YAML that is too deep or too large to be read.
 */
export type YamlResult =
  | { readonly kind: 'fields'; readonly fields: FieldRecord; readonly sources: Readonly<Record<string, string>> }
  | { readonly kind: 'not-a-map' }
  | { readonly kind: 'empty' }
  | { readonly kind: 'invalid'; readonly code: string; readonly message: string }
  | { readonly kind: 'refused'; readonly code: 'yaml-too-large' | 'yaml-too-deep' | 'yaml-aliases'; readonly message: string };

/** Reads strict YAML; given to the reader as a value, so that the YAML package is loaded only where it is needed. */
export interface YamlReader {
  read(text: string): YamlResult;
}

const LIMITS = { bytes: 128 * 1024, lines: 4_000, depth: 64, aliases: 100 };

/** The reader over the package `yaml`. Never throws; reads in a bounded time and memory. */
export const yamlReader: YamlReader = { read: readYaml };

function readYaml(text: string): YamlResult {
  const refused = tooMuch(text);
  if (refused) return refused;
  try {
    return parse(text);
  } catch (error) {
    if (error instanceof RangeError) return { kind: 'refused', code: 'yaml-too-deep', message: 'the frontmatter is nested too deeply' };
    const message = firstLine(messageOf(error));
    if (message.startsWith('Excessive alias count')) return { kind: 'refused', code: 'yaml-aliases', message: 'the frontmatter repeats values through nested aliases' };
    return { kind: 'invalid', code: 'yaml', message };
  }
}

function parse(text: string): YamlResult {
  const document = parseDocument(text, { logLevel: 'silent', prettyErrors: true, uniqueKeys: false });
  const [problem] = document.errors;
  if (problem) return { kind: 'invalid', code: problem.code, message: firstLine(problem.message) };
  if (document.contents === null || (isScalar(document.contents) && document.contents.value === null)) return { kind: 'empty' };
  if (!isMap(document.contents)) return { kind: 'not-a-map' };
  const repeated = duplicateKey(document);
  if (repeated !== undefined) return { kind: 'invalid', code: 'DUPLICATE_KEY', message: `the key ${JSON.stringify(repeated)} stands twice in one map` };
  const fields: unknown = document.toJS({ maxAliasCount: LIMITS.aliases });
  if (!isObject(fields)) return { kind: 'not-a-map' };
  const sources: [string, string][] = [];
  for (const { key, value } of document.contents.items) {
    if (!isScalar(key)) continue;
    if (isScalar(value)) {
      if (typeof value.value !== 'string' && value.value !== null && value.source !== undefined) sources.push([String(key.value), value.source]);
    } else if (hasRange(value)) sources.push([String(key.value), text.slice(value.range[0], value.range[1])]);
  }
  return { kind: 'fields', fields, sources: Object.fromEntries(sources) };
}

function hasRange(node: unknown): node is { range: [number, number, number] } {
  return isObject(node) && Array.isArray(node['range']);
}

/** The first key that stands twice in one map; the package's own check takes quadratic time. */
function duplicateKey(document: Document.Parsed): string | undefined {
  let repeated: string | undefined;
  visit(document, {
    Map(_, map) {
      const seen = new Set<unknown>();
      for (const { key } of map.items) {
        if (!isScalar(key)) continue;
        if (seen.has(key.value)) {
          repeated = String(key.value);
          return visit.BREAK;
        }
        seen.add(key.value);
      }
      return undefined;
    },
  });
  return repeated;
}

/** Texts that would cost more than a frontmatter may, judged before any parsing. */
function tooMuch(text: string): YamlResult | undefined {
  const lines = text.split('\n');
  if (text.length > LIMITS.bytes || lines.length > LIMITS.lines) {
    return { kind: 'refused', code: 'yaml-too-large', message: `the frontmatter has ${lines.length} lines and ${text.length} characters; ${LIMITS.lines} and ${LIMITS.bytes} are the limits` };
  }
  return deepest(text) > LIMITS.depth || lines.some((line) => indicators(line) > LIMITS.depth)
    ? { kind: 'refused', code: 'yaml-too-deep', message: `the frontmatter is nested more than ${LIMITS.depth} levels deep` }
    : undefined;
}

/** Upper bound of the flow nesting: quotes are not looked at. */
function deepest(text: string): number {
  let depth = 0;
  let most = 0;
  for (const char of text) {
    if (char === '[' || char === '{') most = Math.max(most, (depth += 1));
    else if (char === ']' || char === '}') depth = Math.max(0, depth - 1);
  }
  return most;
}

/** Number of `- ` and `? ` at the start of a line, each of which opens a level; deep indentation counts too. */
function indicators(line: string): number {
  const start = /^(?:[-?][ \t]+|[ \t])*/.exec(line)?.[0] ?? '';
  return start.replace(/[^-?]/g, '').length + start.length / 16;
}

function firstLine(text: string): string {
  return (text.split('\n', 1)[0] ?? text).replace(/:$/, '');
}
