import { SkillmintError } from '../protocol/errors.ts';
import { isWithin, SYSTEM_FOLDERS } from './places.ts';

/** A place that commands must not see. */
export interface HiddenPlace {
  readonly path: string;
  readonly kind: 'file' | 'folder';
}

/** The system's folders on this machine; some are symlinks, such as /bin to /usr/bin. */
export interface SystemFolders {
  readonly folders: readonly string[];
  readonly links: readonly { readonly path: string; readonly target: string }[];
}

/** A git repository that commands write to although its folder is none of theirs: they run in a worktree of it. */
export interface Repository {
  /** The folder whose `.git` it is. */
  readonly folder: string;
  /** Name of the worktree that they run in, once it is there. */
  readonly worktree?: string;
}

/** What commands may touch; how that is brought about is another matter. All paths absolute, roots and folders real. */
export interface SandboxPolicy {
  /** The system's folders, to be read. */
  readonly system: SystemFolders;
  /** May be changed. */
  readonly writable: readonly string[];
  /** Those of them whose protected files stay as they are. */
  readonly guarded: readonly string[];
  /** Folders in those that may be changed whose own settings stay as they are. */
  readonly settled: readonly string[];
  /** Their `.git` is among those that may be changed, but for what decides what git runs. */
  readonly repositories: readonly Repository[];
  /** May be read, besides the system's folders. */
  readonly readable: readonly string[];
  /** Hidden although a folder above would show them. */
  readonly hidden: readonly HiddenPlace[];
  /** Read-only files shown at another place: `source` on this machine, `target` inside. */
  readonly files: readonly { readonly source: string; readonly target: string }[];
  readonly home: string;
  /** Whether the home is replaced by an empty one; not so when it lies in a folder that may be changed. */
  readonly emptyHome: boolean;
  /** Folder on this machine that is /tmp inside; an empty one for each command when left out. */
  readonly temporary?: string;
  readonly network: 'none';
}

/** What a session wants of the sandbox, and what was found on the machine. */
export interface PolicyInput {
  /** The session's folder and added ones. */
  readonly roots: readonly string[];
  /** Existing folders whose settings count in full when a session begins in them. */
  readonly trusted?: readonly string[];
  /** Further folders that may be changed, without protected files: the session's output. */
  readonly writable?: readonly string[];
  readonly repositories?: readonly Repository[];
  /** Folders of active skills and others to read. */
  readonly readable?: readonly string[];
  readonly home: string;
  /** All that a system may have when left out; those that are known mount faster. */
  readonly system?: SystemFolders;
  /** The product's own data: database, settings, keys. */
  readonly dataFolder: string;
  /** Existing folders of programs on the PATH. */
  readonly toolchains: readonly string[];
  /** Existing places with credentials, below the home and in the system's folders. */
  readonly credentials: readonly HiddenPlace[];
  /** File with the person's git identity and nothing else. */
  readonly gitIdentity?: string;
  /** See `SandboxPolicy.temporary`. */
  readonly temporary?: string;
}

/**
 * Turns a session's folders into a policy. Everything that is not named is not there.
 * @throws SkillmintError `invalid_argument` when a folder to be changed is the file system's root or not absolute.
 */
export function sandboxPolicy(input: PolicyInput): SandboxPolicy {
  const { roots, home, dataFolder } = input;
  const { repositories = [] } = input;
  const wanted = [...new Set([...roots, ...(input.writable ?? []), ...repositories.map(({ folder }) => `${folder}/.git`)])];
  for (const folder of wanted) {
    if (!folder.startsWith('/') || folder === '/') throw new SkillmintError('invalid_argument', `the folder ${folder} cannot be given to sandboxed commands; choose a folder below it`);
  }
  // A folder in another one comes with it; a mount of its own would follow whatever a command puts in its place.
  const writable = wanted.filter((folder) => !wanted.some((other) => other !== folder && isWithin(other, folder)));
  // A virtual environment of a project is part of it, and can be installed into; in a home the programs of the person stay as they are.
  const toolchains = input.toolchains.filter((folder) => !writable.some((other) => isWithin(other, folder) && !isWithin(other, home)));
  const readable = [...new Set([...toolchains, ...(input.readable ?? [])])].filter((folder) => folder !== '/');
  const system = input.system ?? { folders: SYSTEM_FOLDERS, links: [] };
  const shown = [...system.folders, ...writable, ...readable];
  const candidates: readonly HiddenPlace[] = [{ path: dataFolder, kind: 'folder' }, ...input.credentials];
  // A place that was given by name is not hidden; the data folder always is.
  const hidden = candidates.filter(({ path }) => shown.some((folder) => isWithin(folder, path)) && (path === dataFolder || !shown.includes(path)));
  return {
    system,
    writable,
    guarded: [...new Set(roots)],
    settled: (input.trusted ?? []).filter((folder) => !roots.includes(folder) && writable.some((other) => isWithin(other, folder))),
    repositories,
    readable,
    hidden,
    files: input.gitIdentity === undefined ? [] : [{ source: input.gitIdentity, target: `${home}/.gitconfig` }],
    home,
    emptyHome: home !== '/' && !writable.some((folder) => isWithin(folder, home)),
    network: 'none',
    ...(input.temporary === undefined ? {} : { temporary: input.temporary }),
  };
}
