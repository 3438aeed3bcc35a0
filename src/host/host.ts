/** What is known of one file or folder. Times in ms since 1970, sizes in bytes. */
export interface FileStat {
  readonly kind: 'file' | 'directory' | 'symlink' | 'other';
  readonly size: number;
  readonly mtimeMs: number;
  /** When content, name or rights last changed; cannot be set back. Where the system has such a time. */
  readonly ctimeMs?: number;
  /** Permission bits, as in `0o644`. */
  readonly mode: number;
  /** Number of hard links. */
  readonly links: number;
  /** Changes when a file is replaced and not only written to; where the system has such a number. */
  readonly inode?: number;
}

/** One entry of a folder. */
export interface FolderEntry {
  readonly name: string;
  readonly kind: FileStat['kind'];
}

/** Files and folders. All paths are absolute. Rejections carry a system code such as `ENOENT`. */
export interface HostFiles {
  /** Follows symlinks. */
  stat(path: string): Promise<FileStat>;
  /** Does not follow the last symlink. */
  lstat(path: string): Promise<FileStat>;
  /** The real path, all symlinks followed; the path must exist. */
  realPath(path: string): Promise<string>;
  /** The text of a symlink, relative or absolute, as it stands. */
  readLink(path: string): Promise<string>;
  list(path: string): Promise<readonly FolderEntry[]>;
  read(path: string): Promise<Uint8Array>;
  /** At most `length` bytes from `offset`. */
  readRange(path: string, offset: number, length: number): Promise<Uint8Array>;
  /** Replaces the file as a whole or not at all; keeps an existing file's mode; makes missing folders, with `folderMode` where told; follows symlinks. */
  write(path: string, data: string | Uint8Array, options?: { readonly mode?: number; readonly folderMode?: number }): Promise<void>;
  /** Removes a file, or a folder with all that is in it. */
  remove(path: string): Promise<void>;
  /** Works on the file or folder of a real path, as `ExactFile` says. */
  exact<T>(realPath: string, use: (file: ExactFile) => Promise<T>): Promise<T>;
}

/**
 * One file or folder by its real path. Its folder stays open as long as it is used; what is done to it fails with `ESTALE`
 * where a symlink has taken the place of that folder or of the file since the path was resolved.
 */
export interface ExactFile {
  /** Undefined when nothing is there. */
  stat(): Promise<FileStat | undefined>;
  list(): Promise<readonly FolderEntry[]>;
  read(): Promise<Uint8Array>;
  /** See `HostFiles`. */
  readRange(offset: number, length: number): Promise<Uint8Array>;
  /** See `HostFiles`. */
  write(data: string | Uint8Array, options?: { readonly mode?: number; readonly folderMode?: number }): Promise<void>;
}

/** Synchronous, read-only view for scanning many small files at once (skill folders). Same paths and errors. */
export interface ReadTree {
  list(path: string): readonly FolderEntry[];
  stat(path: string): FileStat;
  /** False where nothing is; many times faster then than the error of `stat`. */
  isFolder(path: string): boolean;
  realPath(path: string): string;
  read(path: string): Uint8Array;
}

/** A search in files by regular expression. */
export interface GrepQuery {
  readonly pattern: string;
  /** Folder or file to search in. */
  readonly path: string;
  /** Only files whose path matches this glob. */
  readonly glob?: string;
  /** Only files of this ripgrep type, for example `ts`. */
  readonly type?: string;
  readonly ignoreCase: boolean;
  readonly multiline: boolean;
  readonly mode: 'content' | 'files_with_matches' | 'count';
  readonly before: number;
  readonly after: number;
  readonly lineNumbers: boolean;
  /** Ends the search after so many lines of output. */
  readonly limit: number;
}

/**
 * Lines of a search's output; each begins with the absolute path of its file. `truncated` when the limit cut it;
 * `warning` when it is complete but for something named there; `error` when the pattern or path was refused.
 */
export interface SearchResult {
  readonly lines: readonly string[];
  readonly truncated: boolean;
  readonly warning?: string;
  readonly error?: string;
}

/** Search in files; ignore files are honoured, `.git` is never entered. */
export interface HostSearch {
  grep(query: GrepQuery, signal: AbortSignal): Promise<SearchResult>;
  /** Absolute paths of files that match the glob below `path`, newest first. */
  glob(query: { readonly pattern: string; readonly path: string; readonly limit: number }, signal: AbortSignal): Promise<SearchResult>;
}

/** A command to start. Its process group is ended within 2 s when this process dies, whatever of. */
export interface CommandRequest {
  /** Program and arguments; nothing is interpreted by a shell unless the program is one. */
  readonly argv: readonly string[];
  readonly cwd: string;
  /** The complete environment of the child; nothing is inherited. */
  readonly env: Readonly<Record<string, string>>;
  /** For standard input; empty when left out. What is iterated over is written as it comes, and its end is the end of the input. */
  readonly stdin?: string | Uint8Array | AsyncIterable<string>;
  /** Called with each piece of output as it comes. */
  readonly onOutput?: (chunk: Uint8Array, stream: 'stdout' | 'stderr') => void;
}

/** Limits that a command ran into: the figures that held for it. */
export interface ExceededLimits {
  /** MiB; processes were killed because together they wanted more. */
  readonly memoryMb?: number;
  /** Further processes were refused. */
  readonly processes?: number;
}

/** How a command ended. */
export interface CommandExit {
  /** Exit status, or null when a signal ended it. */
  readonly code: number | null;
  readonly signal: string | null;
  /** Set when the program could not be started. */
  readonly error?: string;
  readonly exceeded?: ExceededLimits;
  /** Hosts that a sandbox kept it from, `HOST` or `localhost:PORT`, as far as that is known. */
  readonly refusedHosts?: readonly string[];
}

/** A command that is running. */
export interface RunningCommand {
  readonly exit: Promise<CommandExit>;
  /** Ends the whole process tree: SIGTERM, then SIGKILL after `graceMs` (2,000 unless told); resolves when it is gone. */
  stop(graceMs?: number): Promise<void>;
}

/** Time. */
export interface Clock {
  /** ms since 1970. */
  now(): number;
  /** Resolves after `ms`, or as soon as the signal aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** Everything that a tool may touch. The sandbox is a decorator of it. */
export interface Host {
  readonly platform: 'linux' | 'darwin' | 'win32' | 'other';
  readonly files: HostFiles;
  readonly tree: ReadTree;
  readonly search: HostSearch;
  readonly clock: Clock;
  /** The environment of the process itself, secrets included; children get `childEnvironment` only. */
  readonly env: Readonly<Record<string, string | undefined>>;
  start(command: CommandRequest): RunningCommand;
  /** Begins what the first command would have to wait for; what fails of it is told by that command. Left out where there is nothing. */
  readonly prepareCommands?: () => void;
}
