import path from 'node:path';
import { SkillmintError } from '../../protocol/errors.ts';
import { isGitRef } from './git-ref.ts';
import type { SkillSource } from './skill-source.ts';

const INDEX_PATH = '/.well-known/agent-skills/index.json';
const ARCHIVE = /\.(?:zip|skill|tgz|tar\.gz)$/i;
const SKILLPACK = /\.skillpack$/i;
const GITHUB = /^(?:github:)?([A-Za-z0-9][A-Za-z0-9-]{0,38})\/([A-Za-z0-9._-]{1,100})((?:\/[^/@#:]+)*)\/?(?:@([^#:@]+)|#([^:]*)(?::(.+))?)?$/;
const NPM = /^((?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*)(?:@(.+))?$/i;

/**
 * Reads the SOURCE of `skills install`; relative paths are meant from `cwd`. Nothing is looked up and nothing started.
 * Throws `usage` for what is no source and `install_refused` for what would not be safe to fetch.
 */
export function parseSource(text: string, cwd: string): SkillSource {
  if (text === '') throw new SkillmintError('usage', 'There is no source to install from. Give a folder, an archive, OWNER/REPO, npm:PACKAGE or an https address.');
  if (/[\0-\x1f\x7f]/.test(text)) throw refusal(text, 'it holds control characters');
  if (text.startsWith('-')) throw refusal(text, 'it looks like an option; write ./ before the name of a folder');
  if (/^\.{1,2}(?:[/\\]|$)/.test(text) || path.isAbsolute(text)) return localSource(path.resolve(cwd, text));
  if (text.startsWith('npm:')) return npmSource(text);
  if (text.startsWith('mcp:')) return mcpSource(text);
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return urlSource(text);
  if (/^[^/]*::/.test(text)) throw refusal(text, 'addresses of git helpers can run commands; use an https address');
  const github = GITHUB.exec(text);
  if (github !== null && !isFile(text)) return githubSource(text, github);
  if (/^[^/]*:/.test(text) || /^[^/]*@[^/]*$/.test(text)) throw refusal(text, 'only https addresses are fetched, not ssh; write https://HOST/REPO.git');
  if (isFile(text)) return localSource(path.resolve(cwd, text));
  throw new SkillmintError('usage', `${text} is no source: write ./${text} for a folder, npm:${text} for a package, OWNER/REPO for GitHub, or an https address.`);
}

function refusal(text: string, why: string): SkillmintError {
  return new SkillmintError('install_refused', `${shown(text)} is refused: ${why}.`);
}

function shown(text: string): string {
  return JSON.stringify(text.replace(/:\/\/[^/]*@/, '://'));
}

/** True for what is a file by its ending. */
function isFile(text: string): boolean {
  return ARCHIVE.test(text) || SKILLPACK.test(text);
}

/** A name whose ending says nothing is a folder, or a file that is judged by its content when it is opened. */
function localSource(full: string): SkillSource {
  if (SKILLPACK.test(full)) return { kind: 'skillpack', file: full };
  return ARCHIVE.test(full) ? { kind: 'zip', file: full } : { kind: 'folder', folder: full };
}

function npmSource(text: string): SkillSource {
  const [, name, version] = NPM.exec(text.slice('npm:'.length)) ?? [];
  if (name === undefined) throw new SkillmintError('usage', `${shown(text)} names no npm package; write npm:PACKAGE or npm:PACKAGE@VERSION.`);
  if (version !== undefined && /[:/\\]/.test(version)) throw refusal(text, 'only versions, ranges and tags of the registry may follow the @');
  return { kind: 'npm', package: name, ...(version === undefined ? {} : { version }) };
}

function mcpSource(text: string): SkillSource {
  const [, server, skill] = /^mcp:([^#]+)(?:#(.+))?$/.exec(text) ?? [];
  if (server === undefined) throw new SkillmintError('usage', `${shown(text)} names no MCP server; write mcp:SERVER or mcp:SERVER#SKILL.`);
  return { kind: 'mcp', server, ...(skill === undefined ? {} : { skill }) };
}

function githubSource(text: string, [, owner = '', name = '', folder = '', atRef, hashRef, hashPath]: readonly (string | undefined)[]): SkillSource {
  const repo = name.replace(/\.git$/, '');
  if (/^\.{0,2}$/.test(repo)) throw refusal(text, `${name} is no name of a repository`);
  return { kind: 'github', owner, repo, ...place(text, { ref: atRef ?? hashRef, path: hashPath ?? folder.slice(1) }) };
}

function urlSource(text: string): SkillSource {
  const isGit = /^git\+/i.test(text);
  const plain = isGit ? text.slice('git+'.length) : text;
  if (!/^https?:/i.test(plain)) throw refusal(text, 'only https addresses are fetched; write https://HOST/REPO.git');
  if (!URL.canParse(plain)) throw new SkillmintError('usage', `${shown(text)} is no valid address.`);
  const url = new URL(plain);
  if (url.username !== '' || url.password !== '') throw refusal(text, 'it holds a name or password, which would end up in the lock file');
  if (!isGit && SKILLPACK.test(url.pathname)) throw refusal(text, 'a .skillpack is installed from a file on this machine; download it first');
  const fragment = decoded(text, url.hash.slice(1));
  url.hash = '';
  if (isGit || /\.git\/?$/.test(url.pathname)) return { kind: 'git', url: url.href, ...gitPlace(text, fragment) };
  if (url.hostname === 'github.com') return githubPage(text, url, fragment);
  if (url.pathname === '/' || url.pathname.endsWith('/index.json')) return wellKnown(url, fragment);
  if (fragment !== '') throw refusal(text, 'an archive has nothing to choose with #; for a repository write git+https://…');
  return { kind: 'archive', url: url.href };
}

function decoded(text: string, fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch (error) {
    throw new SkillmintError('usage', `${shown(text)} is no valid address.`, { cause: error });
  }
}

function wellKnown(url: URL, skill: string): SkillSource {
  const index = url.pathname === '/' ? new URL(INDEX_PATH, url) : url;
  return { kind: 'well-known', url: index.href, ...(skill === '' ? {} : { skill }) };
}

/** Pages of GitHub, as a browser shows them: the repository, or `/tree/REF/FOLDER` with a REF without a slash. */
function githubPage(text: string, url: URL, fragment: string): SkillSource {
  const [owner = '', repo = '', view, ref, ...folder] = decoded(text, url.pathname).split('/').filter((part) => part !== '');
  const known = GITHUB.exec(`${owner}/${repo}`);
  if (ARCHIVE.test(url.pathname)) return { kind: 'archive', url: url.href };
  if (known === null || (view !== undefined && view !== 'tree')) throw new SkillmintError('usage', `${shown(text)} is no page of a repository or of one of its folders; write OWNER/REPO/FOLDER@REF.`);
  const hash = gitPlace(text, fragment);
  return { kind: 'github', owner, repo, ...place(text, { ref: hash.ref ?? ref, path: hash.path ?? folder.join('/') }) };
}

function gitPlace(text: string, fragment: string): { readonly ref?: string; readonly path?: string } {
  const [ref, ...rest] = fragment.split(':');
  return place(text, { ref, path: rest.join(':') });
}

/** Empty parts count as left out. */
function place(text: string, { ref = '', path: folder = '' }: { readonly ref?: string | undefined; readonly path?: string | undefined }): { readonly ref?: string; readonly path?: string } {
  if (ref !== '' && !isGitRef(ref)) throw refusal(text, `${JSON.stringify(ref)} is no name of a branch, tag or commit`);
  const parts = folder.split('/').filter((part) => part !== '' && part !== '.');
  if (parts.some((part) => part === '..' || /[\\\0]/.test(part) || part.toLowerCase() === '.git')) throw refusal(text, `the folder ${JSON.stringify(folder)} leads out of the repository`);
  return { ...(ref === '' ? {} : { ref }), ...(parts.length === 0 ? {} : { path: parts.join('/') }) };
}
