import path from 'node:path';
import type { FolderEntry, ReadTree } from '../../host/host.ts';
import { systemCode } from '../../protocol/errors.ts';
import { isInside } from '../../host/paths.ts';
import { whyUnreadable } from '../unreadable.ts';
import type { SkillProblem, SkillRoot } from './skill-root.ts';
import type { FoundSkill, WalkStep } from './walk-root.ts';

const MAX_DEPTH = 6;
const MAX_FILES = 2_000;

interface Folder {
  readonly at: string;
  /** Names of the folders above, each with a colon after it. */
  readonly prefix: string;
  readonly depth: number;
}

/**
 * Finds the commands below a root: each .md file is a skill that is called `folder:name`, after where it lies. The skill is the
 * file alone. Links that lead out of the root are problems.
 */
export function* walkCommands(tree: ReadTree, root: SkillRoot): Generator<WalkStep> {
  const start = realOf(tree, root);
  if ('problem' in start) {
    if (start.problem) yield { kind: 'problem', problem: start.problem };
    return;
  }
  if (isCommand(root.folder) && tree.stat(start.real).kind === 'file') {
    yield { kind: 'skill', found: commandAt(root, { file: root.folder, real: start.real, name: `${root.prefix ?? ''}${nameOf(root.folder)}` }), entries: [] };
    return;
  }
  const queue: Folder[] = [{ at: root.folder, prefix: root.prefix ?? '', depth: 0 }];
  const seen = new Set([start.real]);
  let files = 0;
  // What is added while the loop runs is visited, too.
  for (const next of queue) {
    for (const step of stepsIn(tree, { root, real: start.real, next, seen })) {
      if ('depth' in step) queue.push(step);
      else if (step.kind !== 'skill' || (files += 1) <= MAX_FILES) yield step;
      else {
        yield { kind: 'problem', problem: { path: root.folder, message: `more than ${MAX_FILES} commands; the rest was left out` } };
        return;
      }
    }
  }
}

interface At {
  readonly root: SkillRoot;
  /** Of the root. */
  readonly real: string;
  readonly next: Folder;
  readonly seen: Set<string>;
}

/** Commands, folders to visit and problems of one folder, in the order of their names. */
function* stepsIn(tree: ReadTree, at: At): Generator<WalkStep | Folder> {
  let entries: readonly FolderEntry[];
  try {
    entries = [...tree.list(at.next.at)].sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    yield problemAt(at.next.at, `this folder cannot be read: ${whyUnreadable(error)}`);
    return;
  }
  for (const entry of entries) {
    if (entry.name.startsWith('.') || (entry.kind === 'file' && !isCommand(entry.name))) continue;
    const step = stepAt(tree, at, entry);
    if (step) yield step;
  }
}

function stepAt(tree: ReadTree, { root, real: rootReal, next, seen }: At, entry: FolderEntry): WalkStep | Folder | undefined {
  const full = path.join(next.at, entry.name);
  try {
    const real = tree.realPath(full);
    if (!isInside(rootReal, real)) return problemAt(full, `this is a link to ${real}, outside ${rootReal}`);
    const { kind } = tree.stat(real);
    if (kind === 'file' && isCommand(entry.name)) return { kind: 'skill', found: commandAt(root, { file: full, real, name: `${next.prefix}${nameOf(entry.name)}` }), entries: [] };
    if (kind !== 'directory' || next.depth >= MAX_DEPTH || entry.name === 'node_modules' || seen.has(real)) return undefined;
    seen.add(real);
    return { at: full, prefix: `${next.prefix}${entry.name}:`, depth: next.depth + 1 };
  } catch (error) {
    return problemAt(full, `this cannot be read: ${whyUnreadable(error)}`);
  }
}

function commandAt(root: SkillRoot, { file, real, name }: { readonly file: string; readonly real: string; readonly name: string }): FoundSkill {
  return { root, folder: file, realFolder: real, file, command: name, diagnostics: root.diagnostics ?? [] };
}

function realOf(tree: ReadTree, root: SkillRoot): { readonly real: string } | { readonly problem: SkillProblem | undefined } {
  try {
    return { real: tree.realPath(root.folder) };
  } catch (error) {
    const missing = ['ENOENT', 'ENOTDIR'].includes(systemCode(error));
    return { problem: missing ? undefined : { path: root.folder, message: `this folder cannot be read: ${whyUnreadable(error)}` } };
  }
}

function isCommand(name: string): boolean {
  return /\.md$/i.test(name);
}

function nameOf(file: string): string {
  return path.basename(file).replace(/\.md$/i, '');
}

function problemAt(at: string, message: string): WalkStep {
  return { kind: 'problem', problem: { path: at, message } };
}
