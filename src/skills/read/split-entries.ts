import type { SkillDiagnostic } from '../../protocol/skill.ts';
import { fault } from './diagnostic.ts';
import { isKnownField } from './fields.ts';
import { decoratedKeyLine, isCoreKeyLine, keyLine, looseKeyLine, type KeyLine } from './key-line.ts';

/** A top-level field of frontmatter that YAML refused as a whole: its first line, and the lines that go with it. */
export interface Entry {
  readonly key: string;
  /** The first line as it was written. */
  readonly line: string;
  /** Text after the colon on the first line. */
  readonly value: string;
  /** Lines below, without blank ones at the end. */
  readonly rest: readonly string[];
  /** The first line is not what YAML takes for `key: value`. */
  readonly decorated: boolean;
}

/** The fields of frontmatter, and the lines before the first of them. */
export interface SplitFrontmatter {
  readonly entries: readonly Entry[];
  readonly leading: readonly string[];
  readonly diagnostics: readonly SkillDiagnostic[];
}

interface OpenEntry extends KeyLine {
  readonly line: string;
  readonly rest: string[];
  readonly decorated: boolean;
}

const CONFLICT = /^(?:<{7}|={7}|>{7}|\|{7})(?: .*)?$/;

/** Cuts frontmatter into its top-level fields, line by line. */
export function splitEntries(raw: string): SplitFrontmatter {
  const diagnostics: SkillDiagnostic[] = [];
  const lines = raw.split('\n');
  const kept = lines.filter((line) => !CONFLICT.test(line));
  if (kept.length < lines.length) diagnostics.push(fault('merge-conflict', 'the frontmatter holds the marks of a merge conflict', 'resolve the conflict and delete the marks'));
  const markdown = isMarkdownStyle(kept);
  const entries: OpenEntry[] = [];
  const leading: string[] = [];
  for (const line of kept) {
    const current = entries.at(-1);
    const start = entryStart(line, { current, markdown });
    if (start) entries.push({ ...start, line, rest: [] });
    else if (current) current.rest.push(line);
    else leading.push(line);
  }
  const stray = leading.filter((line) => line.trim() !== '' && !line.startsWith('#')).length;
  if (stray > 0 && entries.length > 0) diagnostics.push(fault('stray-lines', `${stray} lines before the first field are no fields`));
  return { entries: entries.map((entry) => ({ ...entry, rest: withoutBlankEnd(entry.rest) })), leading, diagnostics };
}

/** The first line with text is a field only when Markdown's signs are taken off. */
function isMarkdownStyle(lines: readonly string[]): boolean {
  const first = lines.find((line) => line.trim() !== '' && !line.startsWith('# ')) ?? '';
  return !keyLine(first.trim()) && isCoreKeyLine(first);
}

function entryStart(line: string, at: { readonly current: OpenEntry | undefined; readonly markdown: boolean }): (KeyLine & { decorated: boolean }) | undefined {
  const plain = keyLine(line);
  if (plain) return { ...plain, decorated: false };
  const loose = looseKeyLine(line);
  if (loose) return { ...loose, decorated: true };
  const bare = line.trimStart();
  const indented = line === bare ? undefined : keyLine(bare);
  if (indented && (!at.current || isMisindented(indented, line, at.current))) return { ...indented, decorated: true };
  const found = at.markdown ? decoratedKeyLine(line) : undefined;
  return found && { ...found, decorated: true };
}

/** A known field, slightly indented below a field that is complete on its line, is a field of its own. */
function isMisindented(found: KeyLine, line: string, current: OpenEntry): boolean {
  const complete = current.value !== '' && !/^[|>]/.test(current.value) && !isOpenQuote(current.value);
  return complete && current.rest.every((below) => below.trim() === '') && isKnownField(found.key) && /^(?: {1,4}|\t)\S/.test(line);
}

function isOpenQuote(value: string): boolean {
  const quote = value[0];
  return (quote === '"' || quote === "'") && (value.length === 1 || !value.endsWith(quote));
}

function withoutBlankEnd(lines: readonly string[]): readonly string[] {
  return lines.slice(0, lines.findLastIndex((line) => line.trim() !== '') + 1);
}
