import path from 'node:path';
import type { FolderEntry, ReadTree } from '../../host/host.ts';
import { systemCode } from '../../protocol/errors.ts';
import type { SkillDiagnostic } from '../../protocol/skill.ts';
import { isInside } from '../../host/paths.ts';
import { warning } from '../read/diagnostic.ts';
import { whyUnreadable } from '../unreadable.ts';
import { WORK_FOLDER, type SkillProblem, type SkillRoot } from './skill-root.ts';

/** A SKILL.md that was found and not yet read. */
export interface FoundSkill {
  readonly root: SkillRoot;
  readonly folder: string;
  readonly realFolder: string;
  readonly file: string;
  readonly diagnostics: readonly SkillDiagnostic[];
  /** The root among whose skills its plugin lies; `root` is a place in that plugin then. */
  readonly within?: SkillRoot;
  /** Its name, for a command: a single file, which `folder` and `realFolder` lead to. */
  readonly command?: string;
}

/** What a walk yields: a skill with the entries of its folder, a folder that need not be looked into, the folder of a plugin, a problem, or nothing for a step without either, so that the caller can pause. */
export type WalkStep =
  | { readonly kind: 'skill'; readonly found: FoundSkill; readonly entries: readonly FolderEntry[] }
  | { readonly kind: 'plugin'; readonly folder: string }
  | { readonly kind: 'skipped'; readonly folder: string }
  | { readonly kind: 'problem'; readonly problem: SkillProblem }
  | { readonly kind: 'step' };

/** How a root is walked. */
export interface WalkOptions {
  /** True for the folder of a skill that need not be looked at. */
  readonly skips?: ((folder: string) => boolean) | undefined;
}

const MAX_DEPTH = 6;
const MAX_FOLDERS = 2_000;
const SKIPPED = new Set(['.git', 'node_modules', WORK_FOLDER]);
const STEP: WalkStep = { kind: 'step' };

/** A folder of a walk. */
interface Folder {
  readonly at: string;
  readonly real: string;
  readonly depth: number;
  readonly diagnostics: readonly SkillDiagnostic[];
}

/**
 * Finds the skills below a root, breadth first, names in order. A folder with a SKILL.md is not entered further
 * unless the root is `nested`; at most 6 levels deep and 2,000 folders without one. Links are followed once by real path. Folders below the root that
 * `skips` knows as those of skills are not looked into.
 */
export function* walkRoot(tree: ReadTree, root: SkillRoot, { skips = () => false }: WalkOptions = {}): Generator<WalkStep> {
  const start = openRootFolder(tree, root);
  if ('problem' in start) {
    if (start.problem) yield { kind: 'problem', problem: start.problem };
    return;
  }
  const seen = new Set([start.real]);
  const queue: Folder[] = [start];
  let plainFolders = 0;
  // What is added while the loop runs is visited, too.
  for (const next of queue) {
    if (next.depth > 0 && root.nested !== true && skips(next.at)) {
      yield { kind: 'skipped', folder: next.at };
      continue;
    }
    const listing = listFolder(tree, next.at);
    if ('problem' in listing) {
      yield { kind: 'problem', problem: listing.problem };
      continue;
    }
    if (root.holdsPlugins && next.depth > 0 && isPlugin(tree, next.at, listing.entries)) {
      yield { kind: 'plugin', folder: next.at };
      continue;
    }
    const file = skillFile(listing.entries);
    if (file !== undefined) {
      yield { kind: 'skill', found: { root, folder: next.at, realFolder: next.real, file: inFolder(next.at, file), diagnostics: next.diagnostics }, entries: listing.entries };
      if (root.nested !== true && (next.depth > 0 || path.basename(root.folder) !== 'skills')) continue;
    } else if ((plainFolders += 1) > MAX_FOLDERS) {
      yield { kind: 'problem', problem: { path: root.folder, message: `more than ${MAX_FOLDERS} folders without a SKILL.md; the rest was not searched` } };
      return;
    }
    yield STEP;
    if (next.depth >= MAX_DEPTH) {
      yield* tooDeep(tree, next, listing.entries);
      continue;
    }
    for (const entry of subfolders(listing.entries)) {
      const child = enter(tree, { parent: next, entry, root, rootReal: start.real, seen });
      if (child && 'problem' in child) yield { kind: 'problem', problem: child.problem };
      else if (child) queue.push(child);
      if (entry.kind === 'symlink' || queue.length % 128 === 0) yield STEP;
    }
  }
}

/** The real path of a root's folder, or why there is none; a usual place that is missing is no problem. */
export function openRootFolder(tree: ReadTree, root: SkillRoot): Folder | { readonly problem: SkillProblem | undefined } {
  const named = root.namedBy === undefined ? '' : ` (from ${root.namedBy})`;
  try {
    const real = tree.realPath(root.folder);
    if (tree.stat(real).kind !== 'directory') return { problem: { path: root.folder, message: `this is no folder${named}` } };
    return { at: root.folder, real, depth: 0, diagnostics: root.diagnostics ?? [] };
  } catch (error) {
    const missing = systemCode(error) === 'ENOENT';
    if (missing && root.namedBy === undefined) return { problem: undefined };
    return { problem: { path: root.folder, message: missing ? `this folder does not exist${named}` : `this folder cannot be read${named}: ${whyUnreadable(error)}` } };
  }
}

/** Skills just below the deepest level are named, so that they do not vanish; nobody looks deeper. */
function* tooDeep(tree: ReadTree, { at }: Folder, entries: readonly FolderEntry[]): Generator<WalkStep> {
  for (const { name, kind } of subfolders(entries)) {
    const folder = inFolder(at, name);
    const listing = kind === 'directory' ? listFolder(tree, folder) : { entries: [] };
    if ('entries' in listing && skillFile(listing.entries) !== undefined) yield { kind: 'problem', problem: { path: folder, message: `this skill lies more than ${MAX_DEPTH} levels deep and is not read; move it nearer to its root` } };
  }
}

function listFolder(tree: ReadTree, at: string): { readonly entries: readonly FolderEntry[] } | { readonly problem: SkillProblem } {
  try {
    return { entries: tree.list(at) };
  } catch (error) {
    return { problem: { path: at, message: `this folder cannot be read: ${whyUnreadable(error)}` } };
  }
}

/** The walk does not go into plugins: where their skills lie is told by their manifest. */
function isPlugin(tree: ReadTree, at: string, entries: readonly FolderEntry[]): boolean {
  if (!entries.some(({ name, kind }) => name === '.claude-plugin' && kind === 'directory')) return false;
  const listing = listFolder(tree, inFolder(at, '.claude-plugin'));
  return 'entries' in listing && listing.entries.some(({ name }) => name === 'plugin.json');
}

/** Name of the SKILL.md in any letter case; the exact one first. */
function skillFile(entries: readonly FolderEntry[]): string | undefined {
  let first: string | undefined;
  for (const { name, kind } of entries) {
    if (kind === 'directory' || name.length !== 8 || name.toLowerCase() !== 'skill.md') continue;
    if (name === 'SKILL.md') return name;
    if (first === undefined || name < first) first = name;
  }
  return first;
}

function subfolders(entries: readonly FolderEntry[]): readonly FolderEntry[] {
  return entries.filter((entry) => (entry.kind === 'directory' || entry.kind === 'symlink') && !SKIPPED.has(entry.name)).sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** A name in a folder whose path is in order: many times faster than to put the whole path in order again. */
function inFolder(folder: string, name: string): string {
  return folder.endsWith(path.sep) ? folder + name : folder + path.sep + name;
}

function enter(tree: ReadTree, at: { readonly parent: Folder; readonly entry: FolderEntry; readonly root: SkillRoot; readonly rootReal: string; readonly seen: Set<string> }): Folder | { readonly problem: SkillProblem } | undefined {
  const full = inFolder(at.parent.at, at.entry.name);
  try {
    const isLink = at.entry.kind === 'symlink';
    const real = isLink ? tree.realPath(full) : inFolder(at.parent.real, at.entry.name);
    if (isLink && tree.stat(real).kind !== 'directory') return undefined;
    if (at.seen.has(real)) return undefined;
    at.seen.add(real);
    const leaves = isLink && ![at.rootReal, ...(at.root.linksWithin ?? [])].some((folder) => isInside(folder, real));
    const diagnostics = leaves ? [...at.parent.diagnostics, warning('link-outside', `${full} is a link to ${real}, outside ${at.rootReal}`)] : at.parent.diagnostics;
    return { at: full, real, depth: at.parent.depth + 1, diagnostics };
  } catch (error) {
    return { problem: { path: full, message: `this link cannot be followed: ${whyUnreadable(error)}` } };
  }
}
