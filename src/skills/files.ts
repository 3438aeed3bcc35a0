import path from 'node:path';
import type { ReadTree } from '../host/host.ts';
import { messageOf, SkillmintError, systemCode } from '../protocol/errors.ts';
import { isInside } from '../host/paths.ts';

/** What a file of a skill is for, judged by its place and name. */
export type SkillFileKind = 'instruction' | 'script' | 'reference' | 'asset' | 'evaluation' | 'other';

/** One file of a skill; `path` is relative to the skill's folder, with `/`. */
export interface SkillFile {
  readonly path: string;
  readonly kind: SkillFileKind;
  /** Bytes. */
  readonly size: number;
  /** Absolute real path. */
  readonly realPath: string;
}

/** Files of a skill in the order of their paths. `problems` names what could not be listed or leads out of the folder. */
export interface SkillFiles {
  readonly files: readonly SkillFile[];
  readonly problems: readonly string[];
  /** Links to folders of the same skill, as `PATH -> TARGET`; what they hold is listed where it lies. */
  readonly links: readonly string[];
  /** The limit of files ended the listing. */
  readonly truncated: boolean;
}

/** Most files of a skill that are listed. */
export const MAX_SKILL_FILES = 10_000;
const MAX_DEPTH = 32;

const FOLDER_KINDS: ReadonlyMap<string, SkillFileKind> = new Map([
  ['scripts', 'script'],
  ['script', 'script'],
  ['bin', 'script'],
  ['references', 'reference'],
  ['reference', 'reference'],
  ['docs', 'reference'],
  ['assets', 'asset'],
  ['templates', 'asset'],
  ['examples', 'reference'],
  ['evals', 'evaluation'],
]);
const SCRIPT = /\.(?:m?js|cjs|m?ts|cts|py|sh|bash|zsh|fish|ps1|bat|cmd|rb|pl|php|lua|r|jl|go|rs)$/i;
const TEXT = /\.(?:md|mdx|txt|rst|adoc)$/i;

/** All files below a skill's folder, `.git` left out, links to files followed where they stay inside; of a command, that file. Throws what reading the folder itself throws. */
export function listSkillFiles(tree: ReadTree, folder: string): SkillFiles {
  const root = tree.realPath(folder);
  const { kind, size } = tree.stat(root);
  if (kind === 'file') return { files: [{ path: path.basename(root), kind: 'instruction', size, realPath: root }], problems: [], links: [], truncated: false };
  const state: Walk = { tree, root, files: [], problems: [], links: [], truncated: false };
  walk(state, { folder: root, relative: '', depth: 0 });
  state.files.sort((a, b) => (a.path < b.path ? -1 : 1));
  return { files: state.files, problems: state.problems, links: state.links, truncated: state.truncated };
}

/** The bytes of one file of a skill. Throws `path_refused` for a path that leads out of the folder, `not_found` and `io`. */
export function readSkillFile(tree: ReadTree, folder: string, relative: string): Uint8Array {
  return onSkillFile(tree, { folder, relative }, (real) => tree.read(real));
}

/** The real path of one file of a skill. Throws as `readSkillFile` does. */
export function locateSkillFile(tree: ReadTree, folder: string, relative: string): string {
  return onSkillFile(tree, { folder, relative }, (real) => real);
}

function onSkillFile<T>(tree: ReadTree, { folder, relative }: { readonly folder: string; readonly relative: string }, use: (real: string) => T): T {
  const refuse = (why: string): SkillmintError => new SkillmintError('path_refused', `${relative}: ${why}; give a path relative to the skill's folder ${folder}`);
  if (relative.includes('\0') || path.isAbsolute(relative) || /^[A-Za-z]:/.test(relative)) throw refuse('this is no relative path');
  const segments = relative.split(/[/\\]/);
  if (segments.includes('..')) throw refuse('the path leads upward');
  if (segments.some((segment) => segment.toLowerCase() === '.git')) throw refuse('the version history is not part of a skill');
  try {
    const root = tree.realPath(folder);
    const real = tree.realPath(path.join(root, ...segments));
    if (!isInside(root, real)) throw refuse(`it leads to ${real}, outside the skill`);
    if (tree.stat(real).kind !== 'file') throw new SkillmintError('not_found', `${relative} is no file of the skill in ${folder}`);
    return use(real);
  } catch (error) {
    if (error instanceof SkillmintError) throw error;
    const missing = ['ENOENT', 'ENOTDIR', 'ENAMETOOLONG'].includes(systemCode(error));
    throw new SkillmintError(missing ? 'not_found' : 'io', missing ? `the skill in ${folder} has no file ${relative}` : `${relative} of the skill in ${folder} cannot be read: ${messageOf(error)}`, { cause: error });
  }
}

interface Walk {
  readonly tree: ReadTree;
  readonly root: string;
  readonly files: SkillFile[];
  readonly problems: string[];
  readonly links: string[];
  truncated: boolean;
}

function walk(state: Walk, at: { readonly folder: string; readonly relative: string; readonly depth: number }): void {
  if (at.depth > MAX_DEPTH) {
    state.problems.push(`${at.relative} is nested more than ${MAX_DEPTH} folders deep`);
    return;
  }
  for (const entry of state.tree.list(at.folder)) {
    if (entry.name === '.git') continue;
    if (state.files.length >= MAX_SKILL_FILES) {
      state.truncated = true;
      return;
    }
    visit(state, { full: path.join(at.folder, entry.name), relative: at.relative === '' ? entry.name : `${at.relative}/${entry.name}`, depth: at.depth, isLink: entry.kind === 'symlink' });
  }
}

function visit(state: Walk, at: { readonly full: string; readonly relative: string; readonly depth: number; readonly isLink: boolean }): void {
  try {
    const real = at.isLink ? state.tree.realPath(at.full) : at.full;
    if (at.isLink && !isInside(state.root, real)) {
      state.problems.push(`${at.relative} is a link to ${real}, outside the skill`);
      return;
    }
    const stat = state.tree.stat(real);
    if (stat.kind === 'file') state.files.push({ path: at.relative, kind: kindOf(at.relative), size: stat.size, realPath: real });
    else if (stat.kind === 'directory' && at.isLink) state.links.push(`${at.relative} -> ${path.relative(state.root, real)}`);
    else if (stat.kind === 'directory') walk(state, { folder: real, relative: at.relative, depth: at.depth + 1 });
  } catch (error) {
    state.problems.push(`${at.relative}: ${messageOf(error)}`);
  }
}

function kindOf(relative: string): SkillFileKind {
  const segments = relative.split('/');
  const name = segments.at(-1) ?? '';
  if (segments.length === 1 && /^skill\.md$/i.test(name)) return 'instruction';
  const known = FOLDER_KINDS.get(segments[0]?.toLowerCase() ?? '');
  if (segments.length > 1 && known !== undefined) return known;
  if (SCRIPT.test(name)) return 'script';
  if (TEXT.test(name)) return 'reference';
  return /\.(?:png|jpe?g|gif|svg|webp|pdf|csv|json|ya?ml|xml|html?|css|docx|xlsx|pptx|ttf|otf|woff2?)$/i.test(name) ? 'asset' : 'other';
}
