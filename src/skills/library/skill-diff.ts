import path from 'node:path';
import type { ReadTree } from '../../host/host.ts';
import { decodeText } from '../read/decode-text.ts';
import type { LockEntry } from './lock-file.ts';

/** Most changed lines of a SKILL.md that are worked out; more than that is a new text. */
const MOST_EDITS = 10_000;

/** How two versions of a skill differ. */
export interface SkillDiff {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly changed: readonly string[];
  /** The change of SKILL.md as a patch; empty when it is the same, or another text altogether. */
  readonly patch: string;
}

/** One version of a skill: its folder and what is in it. */
export interface SkillVersion {
  readonly folder: string;
  readonly files: LockEntry['files'];
}

/** Compares two versions of a skill. Loads the package `diff` when SKILL.md differs. */
export async function diffSkill(tree: ReadTree, before: SkillVersion, after: SkillVersion): Promise<SkillDiff> {
  const added = Object.keys(after.files).filter((file) => !Object.hasOwn(before.files, file));
  const removed = Object.keys(before.files).filter((file) => !Object.hasOwn(after.files, file));
  const changed = Object.keys(after.files).filter((file) => Object.hasOwn(before.files, file) && before.files[file] !== after.files[file]);
  const main = [...changed].find((file) => /^skill\.md$/i.test(file));
  return { added, removed, changed, patch: main === undefined ? '' : await patchOf(main, textOf(tree, before, main), textOf(tree, after, main)) };
}

function textOf(tree: ReadTree, version: SkillVersion, file: string): string {
  return decodeText(tree.read(path.join(version.folder, file))).text;
}

async function patchOf(name: string, before: string, after: string): Promise<string> {
  const { FILE_HEADERS_ONLY, formatPatch, structuredPatch } = await import('diff');
  const patch = structuredPatch(name, name, before, after, undefined, undefined, { context: 3, maxEditLength: MOST_EDITS });
  return patch === undefined ? '' : formatPatch(patch, FILE_HEADERS_ONLY);
}
