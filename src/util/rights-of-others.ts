/** What is asked of the file system; the ways of `ReadTree`. */
export interface ModeReader {
  stat(path: string): { readonly mode: number };
  realPath(path: string): string;
}

/** What other users of the machine may do with a file. */
export interface RightsOfOthers {
  readonly read: boolean;
  /** Change it, or put another one in its place; `by` is the file or folder whose mode lets them. */
  readonly write: false | { readonly by: string };
}

const NONE: RightsOfOthers = { read: false, write: false };
const READ = 0o044;
const WRITE = 0o022;
const ENTER = 0o011;
/** In a folder with this bit everybody may only remove what is their own. */
const STICKY = 0o1000;

/**
 * The rights that the modes of a file and of the folders above it give to its group and to everybody; none where a folder
 * above lets nobody in, and none on Windows, which keeps rights elsewhere. Throws what `stat` and `realPath` throw.
 */
export function rightsOfOthers(files: ModeReader, file: string): RightsOfOthers {
  const real = files.realPath(file);
  if (!real.startsWith('/')) return NONE;
  const folder = real.slice(0, real.lastIndexOf('/')) || '/';
  const [mode, above] = [files.stat(real).mode, files.stat(folder).mode];
  const mayReplace = (above & WRITE) !== 0 && (above & STICKY) === 0;
  if ((mode & (READ | WRITE)) === 0 && !mayReplace) return NONE;
  if (!canEnter(files, folder)) return NONE;
  const by = (mode & WRITE) === 0 ? (mayReplace ? folder : undefined) : real;
  return { read: (mode & READ) !== 0, write: by === undefined ? false : { by } };
}

function canEnter(files: ModeReader, folder: string): boolean {
  if ((files.stat(folder).mode & ENTER) === 0) return false;
  return folder === '/' || canEnter(files, folder.slice(0, folder.lastIndexOf('/')) || '/');
}
