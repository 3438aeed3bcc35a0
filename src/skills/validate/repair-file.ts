import { isDeepStrictEqual } from 'node:util';
import { decodeBytes } from '../read/decode-text.ts';
import { locateFrontmatter } from '../read/locate-frontmatter.ts';
import { parseFrontmatter, type ParsedFrontmatter } from '../read/parse-frontmatter.ts';
import { readSkillMd, type SkillDocument } from '../read/read-skill-md.ts';
import { yamlReader } from '../read/yaml-reader.ts';
import { isPlainName } from './name-rules.ts';
import { rewriteFields } from './rewrite-fields.ts';

/** What can be done about a file: nothing is wrong that could be repaired, the repaired bytes with what changed, or why a person has to do it. */
export type Repair =
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'repaired'; readonly bytes: Uint8Array; readonly changes: readonly string[] }
  | { readonly kind: 'refused'; readonly why: string };

/** A file's text with its own line ends, and the line end that most lines have. */
interface Source {
  readonly text: string;
  readonly lineEnd: '\n' | '\r\n';
}

/**
 * Repairs a SKILL.md: fields between `---` at the start of the file, in strict YAML, in UTF-8, with the folder's name
 * and a description. Fields and instructions stay what they are, byte for byte where nothing is wrong with them, line
 * ends included; a field that stands twice stays as a comment. What was repaired needs no second repair.
 */
export function repairSkillMd(bytes: Uint8Array, { folderName }: { readonly folderName: string }): Repair {
  const before = readSkillMd(bytes, { folderName, yaml: yamlReader });
  if (before.status === 'rejected') return { kind: 'refused', why: before.reason ?? 'the file cannot be read' };
  const { text: decoded, encoding, lossy } = decodeBytes(bytes);
  if (lossy) return { kind: 'refused', why: 'the file has characters that are broken; save it as UTF-8 first' };
  const changes: string[] = [];
  if (encoding !== 'utf-8') changes.push(`the file was ${encoding}; it is UTF-8 now`);
  if (decoded.startsWith('\ufeff')) changes.push('the file began with a byte order mark');
  const source = sourceOf(decoded.replace(/^\ufeff/, ''), changes);
  const located = locateFrontmatter(source.text.replace(/\r\n?/g, '\n'));
  const parsed = parseFrontmatter(located, yamlReader);
  if (!parsed) return { kind: 'refused', why: 'the fields cannot be read' };
  const own = new Set(before.diagnostics.filter(({ severity }) => severity === 'error').map(({ code }) => code));
  if (own.has('second-frontmatter')) return { kind: 'refused', why: 'the file has two blocks of fields; put all of them into the first' };
  const wanted = wantedFields(before, folderName);
  const tidy = own.size === 0 && !located.diagnostics.some(({ code }) => code === 'delimiter-spaces');
  if (tidy && Object.keys(wanted).length === 0) return changes.length === 0 ? { kind: 'unchanged' } : checked(before, Buffer.from(source.text), { folderName, wanted, changes, preamble: '' });
  const fields = rewriteFields(parsed.raw ?? '', wanted);
  if (!fields) return { kind: 'refused', why: 'the file has more fields than a skill can have' };
  const body = bodyOf(source, parsed);
  const preamble = preambleOf(source, parsed);
  const text = ['---', ...fields.lines, '---', ''].join(source.lineEnd) + preamble + body;
  for (const { message, severity } of before.diagnostics) if (severity === 'error') changes.push(message);
  if (own.size === 0 && !tidy) changes.push('spaces followed a --- delimiter');
  return checked(before, Buffer.from(text), { folderName, wanted, changes: [...changes, ...fields.changes], preamble });
}

function sourceOf(text: string, changes: string[]): Source {
  const windows = text.split('\r\n').length - 1;
  const alone = text.split('\n').length - 1 - windows;
  if (windows + alone > 0 || !text.includes('\r')) return { text, lineEnd: windows > alone ? '\r\n' : '\n' };
  changes.push('the line ends were those of old Macs; they are LF now');
  return { text: text.replaceAll('\r', '\n'), lineEnd: '\n' };
}

type Wanted = Readonly<{ name?: string; description?: string }>;

/** Name and description as they should be, where they are not. A name that the folder cannot give stays. */
function wantedFields({ frontmatter, description }: SkillDocument, folderName: string): Wanted {
  return {
    ...(frontmatter.name !== folderName && isPlainName(folderName) ? { name: folderName } : {}),
    ...(frontmatter.description === undefined && description !== '' ? { description } : {}),
  };
}

/** The instructions with their own line ends: the end of the file where they are that, else as the reader cut them out. */
function bodyOf({ text, lineEnd }: Source, { body }: ParsedFrontmatter): string {
  const lines = linesOf(text);
  const count = body.split('\n').length;
  const end = lines.slice(Math.max(0, lines.length - count)).join('');
  return end.replace(/\r\n?/g, '\n') === body ? end : body.replaceAll('\n', lineEnd);
}

/** What stood before the fields (a heading, a comment), without blank lines and fences. It moves behind them. */
function preambleOf({ text, lineEnd }: Source, { raw, body }: ParsedFrontmatter): string {
  if (raw === undefined) return '';
  const plain = text.replace(/\r\n?/g, '\n');
  const at = plain.indexOf(raw);
  if (at <= 0 || body.startsWith(plain)) return '';
  const lines = plain.slice(0, at).split('\n').filter((line) => line.trim() !== '' && !/^(?:-{3,}|[–—]{1,3}|(?:`{3,}|~{3,})\s*\w*)\s*$/.test(line));
  return lines.map((line) => line + lineEnd).join('') + (lines.length > 0 ? lineEnd : '');
}

/** The lines of a text with their ends; the last one has none, and may be empty. */
function linesOf(text: string): readonly string[] {
  return text.split(/(?<=\r\n|\n|\r(?!\n))/).concat(/[\r\n]$/.test(text) ? [''] : []);
}

interface Expected {
  readonly folderName: string;
  readonly wanted: Wanted;
  readonly changes: readonly string[];
  readonly preamble: string;
}

/** Reads what was repaired: it must be in order, and say what was said before. */
function checked(before: SkillDocument, bytes: Uint8Array, { folderName, wanted, changes, preamble }: Expected): Repair {
  const after = readSkillMd(bytes, { folderName, yaml: yamlReader });
  const expected = { ...before.frontmatter, ...wanted };
  const isSame = after.status === 'loaded' && isDeepStrictEqual(after.frontmatter, expected) && isTogether(after.body, preamble.replace(/\r\n?/g, '\n').trim(), before.body.trim());
  return isSame ? { kind: 'repaired', bytes, changes } : { kind: 'refused', why: `no repair leaves all fields and instructions as they are; ${before.reason ?? 'look at the file'}` };
}

/** Both texts make up the whole; nothing but white space is between them. */
function isTogether(whole: string, first: string, second: string): boolean {
  const text = whole.trim();
  return text.startsWith(first) && text.endsWith(second) && text.slice(first.length, text.length - second.length).trim() === '' && text.length >= first.length + second.length;
}
