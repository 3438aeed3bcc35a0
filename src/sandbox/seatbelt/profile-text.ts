import { SkillmintError } from '../../protocol/errors.ts';

/** sandbox-exec refuses a whole profile for one string of more than 1,025 bytes. */
const MOST_BYTES = 1_000;
const ESCAPES: ReadonlyMap<string, string> = new Map([['\\', '\\\\'], ['"', '\\"'], ['\n', '\\n'], ['\r', '\\r'], ['\t', '\\t']]);
/** Characters that the reader of profiles can only be given raw, which it may not survive, or not at all. */
const UNWRITABLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\ud800-\udfff]/u;

/**
 * A string of a profile. Everything but five characters stands as it is: the reader knows no `\u` escapes.
 * @throws SkillmintError `sandbox_unavailable` for a text that no profile can hold
 */
export function quoted(text: string): string {
  if (UNWRITABLE.test(text)) throw new SkillmintError('sandbox_unavailable', `the sandbox of macOS cannot be told of ${JSON.stringify(text)}, which holds a control character: rename that file or folder, or pass --sandbox off`);
  const inner = text.replace(/[\\"\n\r\t]/g, (char) => ESCAPES.get(char) ?? char);
  if (Buffer.byteLength(inner) > MOST_BYTES) throw new SkillmintError('sandbox_unavailable', `a path is too long for the sandbox of macOS (${text.slice(0, 80)}…): use a shorter one, or pass --sandbox off`);
  return `"${inner}"`;
}

/** Matches this path alone. */
export function only(path: string): string {
  return `(literal ${quoted(path)})`;
}

/** Matches this path and everything below it. */
export function tree(path: string): string {
  return `(subpath ${quoted(path)})`;
}

/**
 * Matches `path` in any case of its letters from `root` on, and what lies below it unless `alone`: where files are found
 * whatever the case of their names, what forbids must be as lenient. `root` is written as it is on the disk.
 */
export function anyCase(root: string, path: string, { alone = false }: { readonly alone?: boolean } = {}): string {
  const below = path.slice(root.length);
  const folded = plainPattern(below).replace(/[a-z]/gi, (letter) => `[${letter.toLowerCase()}${letter.toUpperCase()}]`);
  return `(regex ${quoted(`^${plainPattern(root)}${folded}${alone ? '$' : '($|/)'}`)})`;
}

/** Matches names right below `folder` that begin with a dot and hold more than ASCII: some of these are other spellings of plain names. */
export function oddDotNames(folder: string): string {
  return `(regex ${quoted(`^${plainPattern(folder)}/\\.[^/]*[^ -~/]`)})`;
}

/** Matches names right below `folder` that hold more than ASCII. */
export function oddNames(folder: string): string {
  return `(regex ${quoted(`^${plainPattern(folder)}/[^/]*[^ -~/]`)})`;
}

/** One rule, or nothing without filters: a rule without them would hold for every path. */
export function rule(action: 'allow' | 'deny', operations: string, filters: readonly string[]): readonly string[] {
  const different = [...new Set(filters)];
  return different.length === 0 ? [] : [`(${action} ${operations}\n  ${different.join('\n  ')})`];
}

function plainPattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
