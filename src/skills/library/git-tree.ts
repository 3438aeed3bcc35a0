import fs from 'node:fs/promises';
import path from 'node:path';
import { SkillmintError, systemCode } from '../../protocol/errors.ts';
import { isInside } from '../../host/paths.ts';
import type { Git } from './run-git.ts';

const MAX_FILES = 50_000;
const MAX_BYTES = 250 * 1024 * 1024;
const MAX_LISTING = 16 * 1024 * 1024;

/** What a commit holds below one of its folders. */
interface TreeListing {
  readonly links: readonly string[];
}

/** One part of a commit. */
export interface TreePart {
  readonly commit: string;
  /** With `/`; the whole tree when left out. */
  readonly path: string | undefined;
  /** Names the repository in messages. */
  readonly what: string;
}

/**
 * Writes a commit's files, or those of one folder, to the work tree: regular files and links alone, bytes as committed.
 * Throws `not_found` for a folder that is not there, `install_refused` for trees that are too large and for links out of
 * them.
 */
export async function writeTree(git: Git, part: TreePart, workTree: string): Promise<void> {
  const { links } = await listTree(git, part);
  const written = await git.run(['checkout', '--quiet', '--force', part.commit, '--', part.path ?? '.']);
  if (written.code !== 0) throw new SkillmintError('install_refused', `${part.what}: git cannot write the files: ${written.stderr.trim()}`);
  const root = await fs.realpath(workTree);
  for (const link of links) await checkLink(path.join(root, link), { root, name: link, what: part.what });
}

/** Looks before anything is written: a small pack can hold a tree of any size. */
async function listTree(git: Git, { commit, path: folder, what }: TreePart): Promise<TreeListing> {
  const tooLarge = (why: string): SkillmintError => new SkillmintError('install_refused', `${what} is refused: ${why}. Choose a folder of it: #REF:FOLDER.`);
  if (folder !== undefined && (await git.run(['cat-file', '-t', `${commit}:${folder}`])).stdout.trim() !== 'tree') {
    throw new SkillmintError('not_found', `${what} has no folder ${folder} at the commit ${commit.slice(0, 12)}. Check the path.`);
  }
  const { code, stdout, stderr, cut } = await git.run(['ls-tree', '-r', '-z', '--long', '--full-tree', commit, '--', ...(folder === undefined ? [] : [folder])], { maxOutput: MAX_LISTING });
  if (cut) throw tooLarge(`it has more than ${MAX_FILES} files`);
  if (code !== 0) throw new SkillmintError('network_failed', `${what}: git cannot read the tree: ${stderr.trim()}`);
  const entries = stdout.split('\0').flatMap((entry) => {
    const [, mode, size, name] = /^(\d+) \w+ \w+ +(\d+|-)\t(.*)$/s.exec(entry) ?? [];
    return mode === undefined || name === undefined ? [] : [{ mode, size: Number(size) || 0, name: Buffer.from(name, 'latin1').toString('utf8') }];
  });
  if (entries.length > MAX_FILES) throw tooLarge(`it has ${entries.length} files, more than ${MAX_FILES}`);
  const bytes = entries.reduce((sum, { size }) => sum + size, 0);
  if (bytes > MAX_BYTES) throw tooLarge(`it has ${Math.ceil(bytes / 1024 / 1024)} MiB, more than ${MAX_BYTES / 1024 / 1024}`);
  return { links: entries.filter(({ mode }) => mode === '120000').map(({ name }) => name) };
}

/** A name after which `..` follows may be a link itself, so such a target is only followed where it exists. */
async function checkLink(link: string, { root, name, what }: { readonly root: string; readonly name: string; readonly what: string }): Promise<void> {
  const target = await linkTarget(link);
  if (target === undefined) return;
  const refuse = (): SkillmintError => new SkillmintError('install_refused', `${what} is refused: ${name} is a link to ${target}, outside of what is fetched. Choose a folder without it: #REF:FOLDER.`);
  if (path.isAbsolute(target) || !isInside(root, path.resolve(path.dirname(link), target))) throw refuse();
  try {
    if (!isInside(root, await fs.realpath(link))) throw refuse();
  } catch (error) {
    if (error instanceof SkillmintError || !['ENOENT', 'ELOOP', 'ENOTDIR'].includes(systemCode(error)) || /[^./\\][/\\]+\.\./.test(target)) throw refuse();
  }
}

/** Where the system has no links, git writes the target as text. */
async function linkTarget(link: string): Promise<string | undefined> {
  try {
    return await fs.readlink(link);
  } catch (error) {
    if (systemCode(error) === 'EINVAL') return undefined;
    throw error;
  }
}
