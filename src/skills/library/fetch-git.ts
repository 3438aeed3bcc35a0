import fs from 'node:fs/promises';
import path from 'node:path';
import { startDeadline } from '../../egress/deadline.ts';
import type { LocalProxy } from '../../egress/local-proxy.ts';
import { SkillmintError } from '../../protocol/errors.ts';
import type { FetchedSource, FetchSourceOptions } from './fetched-source.ts';
import { isGitRef } from './git-ref.ts';
import { writeTree } from './git-tree.ts';
import { type Git, type GitResult, openGit } from './run-git.ts';
import { sourceText, type SourceOf } from './skill-source.ts';

const TOTAL_MS = 120_000;
const MAX_BYTES = 200 * 1024 * 1024;

interface Wanted {
  readonly url: string;
  readonly ref: string | undefined;
}

/**
 * Fetches one commit of a repository with the system's git, which reaches the network through the guard's proxy alone.
 * Submodules, large files kept elsewhere (LFS) and hooks are left alone. Throws as `fetchSource` does.
 */
export async function fetchGit(source: SourceOf<'git' | 'github'>, { egress, temporary, env, signal, progress }: FetchSourceOptions): Promise<FetchedSource> {
  const url = source.kind === 'git' ? source.url : `https://github.com/${source.owner}/${source.repo}.git`;
  if (source.ref !== undefined && !isGitRef(source.ref)) throw new SkillmintError('install_refused', `${url} is refused: ${JSON.stringify(source.ref)} is no name of a branch, tag or commit.`);
  await egress.check(url, { plainHttp: 'listed' });
  progress?.(`fetching ${url}${source.ref === undefined ? '' : ` at ${source.ref}`}`);
  const [workTree, folder] = [path.join(temporary, 'tree'), path.join(temporary, 'repository')];
  await Promise.all([fs.mkdir(workTree), fs.mkdir(folder)]);
  const proxy = await egress.startProxy({ limits: { bodyBytes: MAX_BYTES, totalMs: TOTAL_MS, idleMs: TOTAL_MS }, plainHttp: 'listed' });
  const deadline = startDeadline({ what: url, totalMs: TOTAL_MS, idleMs: TOTAL_MS, signal });
  try {
    const protocol = url.startsWith('http:') ? 'http' : 'https';
    const git = await openGit({ folder, workTree, env, proxy: proxy.url, protocol, signal: deadline.signal });
    const commit = await fetchCommit(git, { url, ref: source.ref }, proxy);
    await writeTree(git, { commit, path: source.path, what: url }, workTree);
    return { folder: workTree, provenance: { source: sourceText(source), kind: source.kind, commit, resolved: url } };
  } finally {
    deadline.stop();
    await proxy.close();
  }
}

/** One commit alone where the server gives it; else everything, which also old servers and plain files can do. */
async function fetchCommit(git: Git, wanted: Wanted, proxy: LocalProxy): Promise<string> {
  const { url, ref = 'HEAD' } = wanted;
  const fetch = ['fetch', '--quiet', '--no-tags', '--no-recurse-submodules', '--no-write-commit-graph'];
  const first = await git.run([...fetch, '--depth=1', '--', url, ref]);
  if (first.code === 0) return commitOf(git, 'FETCH_HEAD', wanted);
  if (!mayNeedEverything(first, ref) || proxy.problems.length > 0) throw fetchProblem(first, wanted, proxy);
  const all = await git.run([...fetch, '--update-head-ok', '--', url, 'HEAD', '+refs/heads/*:refs/heads/*', '+refs/tags/*:refs/tags/*']);
  if (all.code !== 0) throw fetchProblem(all, wanted, proxy);
  return commitOf(git, ref === 'HEAD' ? 'FETCH_HEAD' : ref, wanted);
}

function mayNeedEverything({ stderr }: GitResult, ref: string): boolean {
  return /dumb http|shallow|unadvertised object|not our ref/i.test(stderr) || (/couldn't find remote ref/i.test(stderr) && isCommitId(ref));
}

function isCommitId(ref: string): boolean {
  return /^[0-9a-f]{7,64}$/.test(ref);
}

async function commitOf(git: Git, name: string, { url, ref }: Wanted): Promise<string> {
  const { code, stdout } = await git.run(['rev-parse', '--quiet', '--verify', `${name}^{commit}`]);
  const commit = stdout.trim();
  if (code !== 0 || commit === '') throw noSuchRef(url, ref ?? 'HEAD');
  if (ref !== undefined && ref.length >= 40 && isCommitId(ref) && commit !== ref) {
    throw new SkillmintError('install_refused', `${url} is refused: asked for the commit ${ref}, it gave ${commit}. A branch or tag seems to bear the commit's name.`);
  }
  return commit;
}

function noSuchRef(url: string, ref: string): SkillmintError {
  return new SkillmintError('not_found', `${url} has no branch, tag or commit ${ref}. Check the name.`);
}

function fetchProblem({ stderr }: GitResult, { url, ref = 'HEAD' }: Wanted, { problems }: LocalProxy): SkillmintError {
  const [known] = problems;
  if (known !== undefined) return known;
  if (/couldn't find remote ref|not our ref|unadvertised object/i.test(stderr)) return noSuchRef(url, ref);
  if (/could not read Username|Authentication failed|error: 40[134]|not found/i.test(stderr)) {
    return new SkillmintError('not_found', `${url} is no repository that can be read without a login. Check the address; a private one you can clone yourself and install as a folder.`);
  }
  const last = stderr.trim().split('\n').at(-1) ?? '';
  return new SkillmintError('network_failed', `${url} cannot be fetched: ${last.replace(/^(?:fatal|error): /, '') || 'git gave no reason'}. Try again; nothing was kept.`);
}
