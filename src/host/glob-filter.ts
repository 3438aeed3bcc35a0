import path from 'node:path';

/** A name that ripgrep's own globs and picomatch read alike. */
const PLAIN_NAME = /^(?:[\w.*?[\]-]|\{[\w.*?-]+(?:,[\w.*?-]+)*\})+$/;
const TYPE = 'skillmint';

/**
 * Arguments that make ripgrep leave out files that cannot match. `--glob` would be shorter, but overrides ignore
 * files; a file type does not. The arguments only narrow: what passes still has to go through `pathFilter`.
 */
export function narrowGlob(globs: string): readonly string[] {
  const names = positive(splitGlobs(globs)).map(lastName);
  if (names.length === 0 || names.some((name) => name === undefined)) return [];
  return [...names.flatMap((name) => ['--type-add', `${TYPE}:${name}`]), '--type', TYPE];
}

/**
 * A test of absolute paths below `root` against globs. Without `basenames` there is one glob, relative to the root, as
 * in a shell. With it, there may be several, apart by blanks or commas, those without a slash match names at any
 * depth, and those after `!` exclude. What the arguments of `narrowGlob` decide alone is not tested again unless
 * `everything` asks for it.
 */
export async function pathFilter(
  globs: string,
  root: string,
  options: { readonly basenames?: boolean; readonly everything?: boolean } = {},
): Promise<(file: string) => boolean> {
  const all = options.basenames ? splitGlobs(globs) : [globs];
  if (!options.everything && all.every((glob) => isNarrowedFully(glob, options.basenames === true))) return () => true;
  const { default: picomatch } = await import('picomatch');
  const namesAreSeenTo = !options.everything && all.length === 1 && !isNegative(globs);
  const compile = (glob: string): ((file: string) => boolean) => {
    const anchored = glob.replace(/^\.?\//, '');
    const byName = options.basenames && !glob.includes('/');
    const matches = picomatch(anchored, { dot: true, nonegate: true });
    if (byName) return (file) => matches(path.basename(file));
    const whole = (file: string): boolean => matches(below(root, file));
    return namesAreSeenTo && lastName(anchored) !== undefined ? oncePerFolder(whole) : whole;
  };
  const wanted = (options.basenames ? positive(all) : all).map(compile);
  const unwanted = options.basenames ? all.filter(isNegative).map((glob) => compile(glob.slice(1))) : [];
  return (file) => (wanted.length === 0 || wanted.some((matches) => matches(file))) && !unwanted.some((matches) => matches(file));
}

/** How deep a glob can reach below its root, or undefined when without limit. */
export function globDepth(glob: string): number | undefined {
  const plain = glob.replace(/^\.?\//, '');
  return plain.includes('**') || /[{(][^})]*\//.test(plain) ? undefined : plain.split('/').length;
}

/** The folder that a glob names before its first wildcard, and the rest of it. */
export function splitGlobBase(glob: string): { readonly base: string; readonly pattern: string } {
  const segments = glob.replaceAll('\\', path.sep === '\\' ? '/' : '\\').split('/');
  const first = segments.findIndex((segment) => /[*?[\]{}()!+@\\]/.test(segment));
  const at = first < 0 ? segments.length - 1 : first;
  const base = segments.slice(0, at).join('/');
  return { base: base === '' && glob.startsWith('/') ? '/' : base, pattern: segments.slice(at).join('/') };
}

/** Cuts at blanks and commas that are not inside braces. */
function splitGlobs(globs: string): readonly string[] {
  return globs.match(/(?:\{[^}]*\}|[^\s,])+/g) ?? [];
}

function isNegative(glob: string): boolean {
  return glob.startsWith('!');
}

function positive(globs: readonly string[]): readonly string[] {
  return globs.filter((glob) => !isNegative(glob));
}

/** The part of a glob that names the file, where ripgrep can check it. */
function lastName(glob: string): string | undefined {
  const name = glob.slice(glob.lastIndexOf('/') + 1).replace(/\*{2,}/g, '*');
  return PLAIN_NAME.test(name) ? name : undefined;
}

function isNarrowedFully(glob: string, basenames: boolean): boolean {
  const name = glob.startsWith('**/') ? glob.slice(3) : basenames ? glob : '/';
  return PLAIN_NAME.test(name) && !name.includes('**');
}

/** Where ripgrep has seen to the names, all files of a folder fare alike; to match is the greatest cost of a long list. */
function oncePerFolder(matches: (file: string) => boolean): (file: string) => boolean {
  const known = new Map<string, boolean>();
  return (file) => {
    const folder = file.slice(0, file.lastIndexOf(path.sep));
    let answer = known.get(folder);
    if (answer === undefined) known.set(folder, (answer = matches(file)));
    return answer;
  };
}

/** By slicing: `path.relative` would take longer than the match. */
function below(root: string, file: string): string {
  if (file === root) return path.basename(file);
  const start = root.endsWith(path.sep) ? root.length : root.length + 1;
  return path.sep === '/' ? file.slice(start) : file.slice(start).replaceAll(path.sep, '/');
}
