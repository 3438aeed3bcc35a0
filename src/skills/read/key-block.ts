import { keyLine, looseKeyLine } from './key-line.ts';

/**
 * Where a block of `key: value` lines without a closing delimiter ends: the index of the first line that is no longer
 * part of it. A heading, a code fence, or prose after a blank line ends it; indented lines, list items and prose
 * directly below a field belong to that field. Equal to `start` when no field comes first.
 */
export function keyBlockEnd(lines: readonly string[], start: number): number {
  let end = start;
  let afterBlank = false;
  for (let i = start; i < lines.length; i += 1) {
    const line = lines[i] ?? '';
    if (line.trim() === '') {
      afterBlank = true;
      continue;
    }
    if (!belongs(line, { hasField: end > start, afterBlank })) break;
    if (!isComment(line) || end > start) end = i + 1;
    afterBlank = false;
  }
  return end;
}

function belongs(line: string, at: { readonly hasField: boolean; readonly afterBlank: boolean }): boolean {
  if (line.startsWith('```') || line.startsWith('~~~')) return false;
  if (keyLine(line) || looseKeyLine(line)) return true;
  if (isComment(line)) return !at.hasField || !at.afterBlank;
  if (!at.hasField) return false;
  return /^\s/.test(line) || !at.afterBlank;
}

function isComment(line: string): boolean {
  return line.startsWith('#');
}
