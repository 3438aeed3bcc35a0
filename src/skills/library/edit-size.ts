import type { ReadTree } from '../../host/host.ts';
import { decodeText } from '../read/decode-text.ts';
import { listSkillFiles } from '../files.ts';

/** Most changed lines of a file that are worked out; more than that is a new text. */
const MOST_EDITS = 2_000;

/** How much an edit of a skill changes. Suites (`evals`) are no part of it. */
export interface EditSize {
  /** Paths of files that are added, gone or other. */
  readonly files: readonly string[];
  /** Those of them that were not there before. */
  readonly added: readonly string[];
  /** Lines that are new plus lines that are gone; infinite where a file is no text, or another one altogether. */
  readonly lines: number;
  /** Characters of these lines. */
  readonly chars: number;
  /** All changes as a patch. */
  readonly patch: string;
}

/** Compares two versions of a skill file by file. Loads the package `diff`. */
export async function editSize(tree: ReadTree, before: string, after: string): Promise<EditSize> {
  const { FILE_HEADERS_ONLY, formatPatch, structuredPatch } = await import('diff');
  const [old, now] = [filesOf(tree, before), filesOf(tree, after)];
  const changed = [...new Set([...old.keys(), ...now.keys()])].sort().filter((file) => !isSame(old.get(file), now.get(file)));
  let [lines, chars] = [0, 0];
  const patches = changed.map((file) => {
    const [from, to] = [old.get(file) ?? new Uint8Array(), now.get(file) ?? new Uint8Array()];
    const patch = isText(from) && isText(to) ? structuredPatch(file, file, decodeText(from).text, decodeText(to).text, undefined, undefined, { context: 3, maxEditLength: MOST_EDITS }) : undefined;
    const touched = patch?.hunks.flatMap((hunk) => hunk.lines.filter((line) => /^[+-]/.test(line)));
    lines += touched ? touched.length : Number.POSITIVE_INFINITY;
    chars += touched?.reduce((sum, line) => sum + line.length - 1, 0) ?? 0;
    return patch ? formatPatch(patch, FILE_HEADERS_ONLY) : `--- ${file}\n+++ ${file}\n(no text, or another one altogether)\n`;
  });
  return { files: changed, added: changed.filter((file) => !old.has(file)), lines, chars, patch: patches.join('\n') };
}

function filesOf(tree: ReadTree, folder: string): ReadonlyMap<string, Uint8Array> {
  const own = listSkillFiles(tree, folder).files.filter(({ path }) => !isSuite(path));
  return new Map(own.map(({ path, realPath }) => [path, tree.read(realPath)]));
}

function isSuite(file: string): boolean {
  return /^evals(?:\/|\.json$)/.test(file) || file === 'triggers.json';
}

function isSame(a: Uint8Array | undefined, b: Uint8Array | undefined): boolean {
  return a !== undefined && b !== undefined && a.length === b.length && a.every((byte, at) => byte === b[at]);
}

function isText(bytes: Uint8Array): boolean {
  return !bytes.includes(0);
}
