import { isDeepStrictEqual } from 'node:util';
import { decodeText } from '../read/decode-text.ts';
import { foldKey, decoratedKeyLine, keyLine, looseKeyLine } from '../read/key-line.ts';
import { locateFrontmatter } from '../read/locate-frontmatter.ts';
import { readSkillMd, type SkillDocument } from '../read/read-skill-md.ts';
import type { YamlReader } from '../read/yaml-reader.ts';
import { refusal } from './refusal.ts';
import { yamlText } from './yaml-text.ts';

/** What an edit works with. */
export interface DescriptionEdit {
  readonly description: string;
  /** Name of the skill's folder, as the reader gets it. */
  readonly folderName: string;
  readonly yaml: YamlReader;
}

/**
 * The bytes of a SKILL.md with another description and all else as it was: only the lines of that field change, line ends and
 * byte order mark stay. Every way of writing is tried until one is found that the reader reads as meant, with the name, the other
 * fields and the instructions unchanged. Throws `install_refused` for a file in which there is none, or that is not UTF-8.
 */
export function editDescription(bytes: Uint8Array, { description, folderName, yaml }: DescriptionEdit): Uint8Array {
  const before = readSkillMd(bytes, { folderName, yaml });
  if (before.status === 'rejected') throw refusal(`its SKILL.md cannot be used: ${before.reason ?? 'it cannot be read'}`);
  if (before.diagnostics.some(({ code }) => code === 'encoding')) throw refusal('its SKILL.md is not UTF-8; save it as UTF-8 first');
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  for (const candidate of candidates(text, yamlText(description))) {
    const edited = new TextEncoder().encode(candidate);
    if (isAsMeant(before, readSkillMd(edited, { folderName, yaml }), description)) return edited;
  }
  throw refusal('the frontmatter of its SKILL.md cannot be changed without changing more than the description; open the file in an editor');
}

function isAsMeant(before: SkillDocument, after: SkillDocument, description: string): boolean {
  const { description: _, ...fields } = before.frontmatter;
  const { description: written, ...fieldsAfter } = after.frontmatter;
  return written === description && after.name === before.name && after.body === before.body && isDeepStrictEqual(fields, fieldsAfter);
}

/** A line with what ends it. */
interface Line {
  readonly text: string;
  readonly end: string;
}

/** The file with the new value, in all the ways in which it could be written, the plainest first. */
function* candidates(text: string, value: string): Generator<string> {
  const mark = text.startsWith('\ufeff') ? '\ufeff' : '';
  const lines = splitLines(text.slice(mark.length));
  const join = (parts: readonly Line[]): string => mark + parts.map(({ text: line, end }) => line + end).join('');
  const end = lines.find((line) => line.end !== '')?.end ?? '\n';
  const block = frontmatterLines(text, lines);
  if (!block) {
    yield join([...['---', `description: ${value}`, '---', ''].map((line) => ({ text: line, end })), ...lines]);
    return;
  }
  for (let at = block.from; at < block.to; at += 1) {
    const line = lines[at];
    const prefix = line && descriptionPrefix(line.text);
    if (line === undefined || prefix === undefined) continue;
    const last = entryEnd(lines, at, block.to);
    for (const start of new Set([prefix, 'description: '])) {
      yield join([...lines.slice(0, at), { text: start + value, end: lines[last - 1]?.end ?? end }, ...lines.slice(last)]);
    }
  }
  const name = lines.findIndex(({ text: line }, i) => i >= block.from && i < block.to && foldKey(keyLine(line)?.key ?? '') === 'name');
  for (const at of new Set([name < 0 ? block.from : name + 1, block.from, block.to])) {
    yield join([...lines.slice(0, at), { text: `description: ${value}`, end }, ...lines.slice(at)]);
  }
}

function splitLines(text: string): readonly Line[] {
  const lines = text.split(/(\r\n?|\n)/);
  return Array.from({ length: Math.ceil(lines.length / 2) }, (_, i) => ({ text: lines[2 * i] ?? '', end: lines[2 * i + 1] ?? '' }));
}

/** Which lines the frontmatter takes; the reader says what they hold, and they are looked up. */
function frontmatterLines(text: string, lines: readonly Line[]): { readonly from: number; readonly to: number } | undefined {
  const { raw } = locateFrontmatter(decodeText(new TextEncoder().encode(text)).text);
  if (raw === undefined) return undefined;
  const wanted = raw.replace(/\n$/, '').split('\n');
  const from = lines.findIndex((_, at) => wanted.every((line, i) => (lines[at + i]?.text ?? '').replaceAll('\0', ' ') === line));
  return from < 0 ? undefined : { from, to: raw === '' ? from : from + wanted.length };
}

/** What stands before the value in a line that begins the description. */
function descriptionPrefix(line: string): string | undefined {
  const found = keyLine(line) ?? looseKeyLine(line) ?? keyLine(line.trimStart()) ?? decoratedKeyLine(line);
  if (!found || foldKey(found.key) !== 'description') return undefined;
  const colon = /^(?:"[^"]*"|'[^']*'|[^:：])*?[:：](?:\*\*|__)?/.exec(line)?.[0];
  return colon === undefined ? undefined : `${colon} `;
}

/** The line after the last one of an entry: blank lines and comments below it stay. */
function entryEnd(lines: readonly Line[], start: number, limit: number): number {
  let end = start + 1;
  const isBlock = /[:：][ \t]*[|>]/.test(lines[start]?.text ?? '');
  for (let at = start + 1; at < limit; at += 1) {
    const line = lines[at]?.text ?? '';
    if (line.trim() === '') continue;
    const indented = /^[ \t]/.test(line);
    if (!indented && (keyLine(line) ?? looseKeyLine(line) ?? decoratedCore(line))) break;
    if (!indented && isBlock && line.startsWith('#')) break;
    end = at + 1;
  }
  return end;
}

function decoratedCore(line: string): boolean {
  return /^(?:#{1,6}\s+|[-*>]\s+|\*\*|__)/.test(line) && decoratedKeyLine(line) !== undefined;
}
