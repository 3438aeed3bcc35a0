import path from 'node:path';
import { PROTECTED_FROM_COMMANDS, PROTECTED_GIT_FILES, PROTECTED_IN_GIT, PROTECTED_IN_WORKTREE, PROTECTED_SETTINGS } from '../../protocol/protected-paths.ts';
import { isWithin } from '../places.ts';
import type { SandboxPolicy } from '../policy.ts';
import { BASE_RULES } from './base-rules.ts';
import { anyCase, oddDotNames, oddNames, only, quoted, rule, tree } from './profile-text.ts';

const IN_GIT: readonly string[] = [...PROTECTED_IN_GIT, ...Object.keys(PROTECTED_GIT_FILES)];

/** What a profile depends on beside the policy. */
export interface ProfileOptions {
  /** Further places in the guarded folders that stay as they are: what protected symlinks lead to. */
  readonly kept: readonly string[];
  /** Ports of this machine's loopback that may be used. */
  readonly ports: { readonly listen: readonly number[]; readonly connect: readonly number[] };
  /** All spellings of a path that matter: as it was given, and as it is on the disk. */
  readonly spellings: (path: string) => readonly string[];
}

interface Place {
  readonly path: string;
  readonly rules: readonly string[];
}

/**
 * The policy as a profile of Seatbelt. The last rule that fits decides, so places come from the outermost to the innermost, and what
 * must stay comes at the end. What allows is spelled exactly; what forbids in any case of letters.
 * @throws SkillmintError `sandbox_unavailable` for a path that no profile can hold
 */
export function seatbeltProfile(given: SandboxPolicy, options: ProfileOptions): string {
  const temporary = given.temporary === undefined ? [] : options.spellings(given.temporary);
  const policy = spelled(given, temporary, options.spellings);
  return [
    ...BASE_RULES,
    ...network(temporary, options.ports),
    ...rule('allow', 'file-read*', policy.system.folders.map(tree)),
    ...placed(policy).flatMap(({ rules }) => rules),
    ...rule('allow', 'file-read*', policy.files.map(({ source }) => only(source))),
    // The way to what is shown, not what else lies there; also where it leads through a hidden folder.
    ...rule('allow', 'file-read-metadata', ['/etc', '/tmp', '/var', '/dev', ...ancestors(shownBy(policy))].map(only)),
    "(if (defined? 'file-write-setugid) (deny file-write-setugid))",
    ...kept(policy, options),
    ...rule('deny', 'file-write-unlink file-write-create', pinned(policy).map(only)),
    '',
  ].join('\n');
}

/** The same policy with every spelling of its places, the temporary folder among those that may be changed. */
function spelled(policy: SandboxPolicy, temporary: readonly string[], spellings: ProfileOptions['spellings']): SandboxPolicy {
  const all = (paths: readonly string[]): readonly string[] => [...new Set(paths.flatMap(spellings))];
  return {
    ...policy,
    writable: [...all(policy.writable), ...temporary],
    guarded: all(policy.guarded),
    settled: all(policy.settled),
    repositories: policy.repositories.flatMap((one) => spellings(one.folder).map((folder) => ({ ...one, folder }))),
    readable: all(policy.readable),
    hidden: policy.hidden.flatMap(({ path: one, kind }) => spellings(one).map((spelling) => ({ path: spelling, kind }))),
    files: policy.files.flatMap(({ source, target }) => spellings(source).map((spelling) => ({ source: spelling, target }))),
  };
}

/** By depth; of equally deep ones the writable come after the readable, and what hides after both. */
function placed(policy: SandboxPolicy): readonly Place[] {
  const places: readonly Place[] = [
    ...policy.readable.map((one) => ({ path: one, rules: [...rule('allow', 'file-read*', [tree(one)]), ...rule('deny', 'file-write*', [tree(one)])] })),
    ...policy.writable.map((one) => ({ path: one, rules: rule('allow', 'file-read* file-write*', [tree(one)]) })),
    ...policy.hidden.map(({ path: one }) => ({ path: one, rules: rule('deny', 'file-read* file-write*', [anyCase(rootOf(policy, one), one)]) })),
  ];
  const depth = ({ path: one }: Place): number => one.split('/').length;
  return places.toSorted((a, b) => depth(a) - depth(b));
}

/** The innermost folder that shows a place: up to there its spelling is exact. */
function rootOf(policy: SandboxPolicy, place: string): string {
  const roots = [...policy.system.folders, ...policy.readable, ...policy.writable].filter((root) => root !== place && isWithin(root, place));
  return roots.toSorted((a, b) => b.length - a.length)[0] ?? place;
}

/** Protected names, whether they are there or not; the folder `.git` can neither be made nor moved, and what is in it changed. */
function kept({ guarded, settled, repositories }: SandboxPolicy, { kept: further }: ProfileOptions): readonly string[] {
  const settings = settled.flatMap((root) => rule('deny', 'file-write*', [anyCase(root, path.join(root, PROTECTED_SETTINGS)), oddDotNames(root)]));
  const ofRepositories = repositories.flatMap(({ folder, worktree }) => {
    const git = path.join(folder, '.git');
    const names = [...IN_GIT.map((name) => path.join(git, name)), ...(worktree === undefined ? [] : PROTECTED_IN_WORKTREE.map((name) => path.join(git, 'worktrees', worktree, name)))];
    return rule('deny', 'file-write*', [...names.map((name) => anyCase(folder, name)), oddNames(git)]);
  });
  return [...settings, ...ofRepositories, ...guarded.flatMap((root) => {
    const git = path.join(root, '.git');
    const names = [...PROTECTED_FROM_COMMANDS.map((name) => path.join(root, name)), ...IN_GIT.map((name) => path.join(git, name)), ...further.filter((one) => isWithin(root, one) && one !== root && one !== git)];
    return rule('deny', 'file-write*', [...names.map((name) => anyCase(root, name)), anyCase(root, git, { alone: true }), oddDotNames(root), oddNames(git)]);
  })];
}

/** Folders that would carry away what is protected in them: those to be changed themselves, and all between them and such a place. */
function pinned({ writable, guarded, settled, repositories, readable, hidden }: SandboxPolicy): readonly string[] {
  const entries = repositories.flatMap(({ folder, worktree }) => (worktree === undefined ? [] : [path.join(folder, '.git/worktrees', worktree)]));
  const places = [...writable, ...guarded, ...settled, ...entries, ...readable, ...hidden.map((one) => one.path)];
  return writable.flatMap((root) => [root, ...places.filter((place) => place !== root && isWithin(root, place)).flatMap((place) => [place, ...ancestors([place]).filter((one) => isWithin(root, one))])]);
}

function shownBy({ system, readable, writable, files }: SandboxPolicy): readonly string[] {
  return [...system.folders, ...readable, ...writable, ...files.map(({ source }) => source)];
}

/** All folders above these paths. */
function ancestors(paths: readonly string[]): readonly string[] {
  return [...new Set(paths.flatMap((one) => {
    const names = one.split('/').slice(1, -1);
    return ['/', ...names.map((_, index) => `/${names.slice(0, index + 1).join('/')}`)];
  }))];
}

/** Nothing but granted ports of the loopback, and sockets in the private temporary folder. */
function network(temporary: readonly string[], { listen, connect }: ProfileOptions['ports']): readonly string[] {
  const port = (number: number): string => quoted(`localhost:${number}`);
  return [
    ...rule('allow', 'network-bind network-inbound', listen.map((number) => `(local ip ${port(number)})`)),
    ...rule('allow', 'network-outbound', connect.map((number) => `(remote ip ${port(number)})`)),
    ...(temporary.length === 0 ? [] : ['(allow system-socket (socket-domain AF_UNIX))']),
    ...rule('allow', 'network-bind', temporary.map((folder) => `(local unix-socket ${tree(folder)})`)),
    ...rule('allow', 'network-outbound', temporary.map((folder) => `(remote unix-socket ${tree(folder)})`)),
  ];
}
