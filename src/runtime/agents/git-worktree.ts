import fs from 'node:fs';
import path from 'node:path';
import { childEnvironment } from '../../host/child-environment.ts';
import type { Host } from '../../host/host.ts';
import { messageOf, systemCode } from '../../protocol/errors.ts';
import type { WorktreeFacts } from '../../protocol/events.ts';
import { WORKTREES_FOLDER } from '../../protocol/protected-paths.ts';
import type { Repository } from '../../sandbox/policy.ts';
import { outputCollector } from '../../tools/output-collector.ts';

/** A git command may take so long, ms. */
const LONGEST_MS = 300_000;
const MOST_OUTPUT_BYTES = 1024 * 1024;
/** Of what git says, where it is told on. */
const MOST_WORDS = 400;
/** From then on nobody is making it any more, ms. */
const HALF_MADE_MS = 60_000;
/** Nothing that the repository names runs at these commands, but for filters of its settings. */
const QUIET = ['-c', 'core.hooksPath=/dev/null', '-c', 'core.fsmonitor=false', '-c', 'gc.auto=0'];

/** What the git commands of worktrees run with. */
export interface GitParts {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** A host whose commands may change these folders and repositories and nothing else, as the session's commands run. */
  readonly hostFor: (folders: { readonly writable: readonly string[]; readonly repositories: readonly Repository[] }) => Host;
}

/** A worktree with its folder. */
export interface Worktree extends WorktreeFacts {
  readonly folder: string;
}

/** What has become of a worktree. */
interface Standing {
  readonly branch: string;
  readonly commits: number;
  readonly files: number;
}

/** Folder of the worktree of a task. */
function worktreeFolder(of: string, taskId: string): string {
  return path.join(of, ...WORKTREES_FOLDER, taskId);
}

/** Makes a worktree of the folder's repository on a branch of its own, from the commit that is checked out; a sentence where there can be none, and then nothing is left of it. */
export async function makeWorktree(git: GitParts, { of, taskId }: { readonly of: string; readonly taskId: string }, signal: AbortSignal): Promise<Worktree | string> {
  const refused = whyNot(of);
  if (refused !== undefined) return refused;
  const head = await run(git, { of, signal }, ['rev-parse', '--verify', '--quiet', 'HEAD^{commit}']);
  if (head.problem !== undefined) return `git could not be run in ${of}: ${head.problem}`;
  const base = head.output.trim();
  if (head.code !== 0 || !/^[0-9a-f]{40,64}$/.test(base)) return head.code === 1 ? `The repository ${of} has no commit yet: commit something first.` : `git does not work in ${of}: ${head.output.trim().slice(0, MOST_WORDS)}`;
  await removeHalfMade(git, of);
  const folder = worktreeFolder(of, taskId);
  const branch = `skillmint/${taskId}`;
  const unprepared = prepareFolder(folder);
  if (unprepared !== undefined) return unprepared;
  // Locked, so that no other agent prunes it, whose commands do not see its folder.
  const made = await run(git, { of, folder, signal }, ['worktree', 'add', '--quiet', '--lock', '-b', branch, folder, base]);
  if (made.code === 0) return { of, branch, base, folder };
  await removeWorktree(git, { of, branch, base, folder });
  return `git could not make the worktree: ${made.problem ?? (made.output.trim().slice(0, MOST_WORDS) || 'it was stopped')}`;
}

/** Removes the worktree where nothing has been changed in it; else a line that says where it lies and how to merge it. Undefined where it is gone. */
export async function tidyWorktree(git: GitParts, worktree: Worktree): Promise<string | undefined> {
  const { folder, branch: own } = worktree;
  if (!fs.existsSync(folder)) return undefined;
  const standing = await standingOf(git, worktree);
  if (!standing) return `Its worktree ${folder} (branch ${own}) stays: git does not say whether something was changed there.`;
  const { branch, commits, files } = standing;
  if (commits > 0 || files > 0) {
    await unlock(git, worktree);
    const merge = files > 0 ? `git -C ${folder} add -A && git -C ${folder} commit, then git merge ${branch}` : `git merge ${branch}`;
    return `Its worktree ${folder} stays: branch ${branch}, ${count(commits, 'commit')}, ${count(files, 'changed file')} not committed. To take it over: ${merge}`;
  }
  const problem = await removeWorktree(git, worktree);
  return problem === undefined ? undefined : `Its worktree ${folder} (branch ${own}) is unchanged and could not be removed: ${problem}`;
}

/** Removes folder, entry and branch, the last where it has nothing of its own; a sentence on what went wrong. */
export async function removeWorktree(git: GitParts, { of, branch, base, folder }: Worktree): Promise<string | undefined> {
  try {
    fs.rmSync(folder, { recursive: true, force: true });
  } catch (error) {
    return messageOf(error);
  }
  const signal = new AbortController().signal;
  const entry = path.join(of, '.git', 'worktrees', path.basename(folder));
  const removed = fs.existsSync(entry) ? await run(git, { of, signal }, ['worktree', 'remove', '--force', '--force', path.basename(folder)]) : undefined;
  if (removed && removed.code !== 0) return removed.problem ?? removed.output.trim().slice(0, MOST_WORDS);
  const reference = `refs/heads/${branch}`;
  const tip = await run(git, { of, signal }, ['rev-parse', '--verify', '--quiet', reference]);
  if (tip.code === 0 && tip.output.trim() === base) await run(git, { of, signal }, ['update-ref', '-d', reference, base]);
  return undefined;
}

/** Removes what git was killed in the middle of making: an entry of ours whose HEAD still names no commit, which git writes in the next moment. */
async function removeHalfMade(git: GitParts, of: string): Promise<void> {
  const entries = path.join(of, '.git', 'worktrees');
  for (const name of fs.existsSync(entries) ? fs.readdirSync(entries) : []) {
    const head = path.join(entries, name, 'HEAD');
    const stat = name.startsWith('task_') ? fs.lstatSync(head, { throwIfNoEntry: false }) : undefined;
    if (!stat?.isFile() || Date.now() - stat.mtimeMs < HALF_MADE_MS || !/^0+\n?$/.test(fs.readFileSync(head, 'latin1'))) continue;
    const branch = `skillmint/${name}`;
    const tip = await run(git, { of, signal: new AbortController().signal }, ['rev-parse', '--verify', '--quiet', `refs/heads/${branch}`]);
    await removeWorktree(git, { of, branch, base: tip.output.trim(), folder: worktreeFolder(of, name) });
  }
}

/** The person may remove it from now on as any other. */
async function unlock(git: GitParts, { of, folder }: Worktree): Promise<void> {
  const name = path.basename(folder);
  if (fs.existsSync(path.join(of, '.git', 'worktrees', name, 'locked'))) await run(git, { of, folder, signal: new AbortController().signal }, ['worktree', 'unlock', name]);
}

/** Why no worktree can be made of the folder. */
function whyNot(of: string): string | undefined {
  const stat = fs.lstatSync(path.join(of, '.git'), { throwIfNoEntry: false });
  if (stat?.isDirectory()) return placeProblem(of);
  if (stat) return `${of} is itself a worktree or a submodule (its .git is no folder), and gets none of its own. Leave isolation out.`;
  const bare = fs.existsSync(path.join(of, 'HEAD')) && fs.existsSync(path.join(of, 'objects'));
  if (bare) return `${of} is a bare repository without files, and gets no worktree. Leave isolation out.`;
  for (let folder = path.dirname(of); ; folder = path.dirname(folder)) {
    if (fs.existsSync(path.join(folder, '.git'))) return `${of} is a folder within the repository ${folder}; a worktree is only made where the session works at its top. Leave isolation out.`;
    if (path.dirname(folder) === folder) return `${of} is not a git repository, so there is no worktree of it. Leave isolation out, or make one with git init.`;
  }
}

/** A link in the place of one of these folders would lead out of the workspace. */
function placeProblem(of: string): string | undefined {
  const places = WORKTREES_FOLDER.map((_, at) => path.join(of, ...WORKTREES_FOLDER.slice(0, at + 1)));
  const odd = places.find((place) => fs.lstatSync(place, { throwIfNoEntry: false })?.isDirectory() === false);
  return odd === undefined ? undefined : `No worktree can be made: ${odd} is no folder.`;
}

/** The ignore file keeps worktrees out of the status of the repository. A link in its place, which a repository can bring, is not followed. */
function prepareFolder(folder: string): string | undefined {
  try {
    fs.mkdirSync(folder, { recursive: true });
    const ignore = path.join(path.dirname(folder), '.gitignore');
    if (!fs.lstatSync(ignore, { throwIfNoEntry: false })) fs.writeFileSync(ignore, '*\n', { flag: 'wx' });
    return undefined;
  } catch (error) {
    // Another worktree was begun at this moment, and the file is there.
    return systemCode(error) === 'EEXIST' ? undefined : `The folder ${folder} for the worktree could not be made: ${messageOf(error)}`;
  }
}

async function standingOf(git: GitParts, { of, folder, base }: Worktree): Promise<Standing | undefined> {
  const { signal } = new AbortController();
  const own = path.basename(folder);
  const status = await run(git, { of, folder, own, signal }, ['status', '--porcelain=v2', '--branch', '--untracked-files=all']);
  if (status.code !== 0) return undefined;
  const lines = status.output.split('\n').filter((line) => line !== '');
  const branch = lines.map((line) => /^# branch\.head (.+)$/.exec(line)?.[1]).find((name) => name !== undefined);
  const ahead = await run(git, { of, folder, own, signal }, ['rev-list', '--count', `${base}..HEAD`]);
  const commits = /^\d+\n$/.test(ahead.output) && ahead.code === 0 ? Number(ahead.output) : undefined;
  if (commits === undefined) return undefined;
  return { branch: branch === undefined || branch === '(detached)' ? 'HEAD of that worktree' : branch, commits, files: lines.filter((line) => !line.startsWith('#')).length };
}

interface RunIn {
  readonly of: string;
  /** May be changed, too. */
  readonly folder?: string;
  /** It runs in the worktree of that name, and not in the repository. */
  readonly own?: string;
  readonly signal: AbortSignal;
}

async function run({ env, hostFor }: GitParts, { of, folder, own, signal }: RunIn, args: readonly string[]): Promise<{ readonly code: number | null; readonly output: string; readonly problem?: string }> {
  const git = path.join(of, '.git');
  const host = hostFor({ writable: folder === undefined ? [] : [folder], repositories: [{ folder: of, ...(own === undefined ? {} : { worktree: own }) }] });
  const collected = outputCollector(MOST_OUTPUT_BYTES);
  const running = host.start({
    argv: ['git', ...QUIET, ...(own === undefined ? [`--git-dir=${git}`] : []), ...args],
    cwd: own !== undefined && folder !== undefined ? folder : git,
    env: childEnvironment(env, { GIT_TERMINAL_PROMPT: '0', LC_ALL: 'C' }),
    onOutput: (chunk, stream) => collected.add(chunk, stream),
  });
  const limit = AbortSignal.any([signal, AbortSignal.timeout(LONGEST_MS)]);
  const stop = (): void => void running.stop();
  limit.addEventListener('abort', stop, { once: true });
  if (limit.aborted) stop();
  try {
    const { code, error } = await running.exit;
    return { code, output: collected.text(), ...(error === undefined ? {} : { problem: error }) };
  } finally {
    limit.removeEventListener('abort', stop);
  }
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`;
}
