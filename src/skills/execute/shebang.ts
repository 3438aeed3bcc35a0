import path from 'node:path';

/** What the first line of a script wants to be run by. */
export interface Shebang {
  /** As written: a path, or a name that is looked for on the PATH. */
  readonly program: string;
  readonly args: readonly string[];
}

/** Beginnings of binary programs: ELF, and the forms of Mach-O. */
const MAGIC = ['7f454c46', 'feedface', 'feedfacf', 'cefaedfe', 'cffaedfe', 'cafebabe'];

/** Reads `#!`; `env NAME` and `env -S NAME …` become the name. Undefined where there is none. */
export function shebangOf(start: Uint8Array): Shebang | undefined {
  const [, line] = /^#!([^\r\n]*)/.exec(Buffer.from(start).toString('utf8')) ?? [];
  const [, program, rest = ''] = /^\s*(\S+)\s*(.*?)\s*$/.exec(line ?? '') ?? [];
  if (program === undefined) return undefined;
  if (path.posix.basename(program) !== 'env') return { program, args: rest === '' ? [] : [rest] };
  const words = rest.replace(/^(?:-S|--split-string=?)\s*/, '').split(/\s+/);
  const [name = '', ...args] = words;
  // What only env itself understands is left to it, as one argument, which is what the system hands over.
  if (name === '' || name.startsWith('-') || /["'\\$=]/.test(rest)) return { program, args: rest === '' ? [] : [rest] };
  return { program: name, args };
}

/** True for a file that the system runs by itself, without an interpreter. */
export function isBinaryProgram(start: Uint8Array): boolean {
  const hex = Buffer.from(start.subarray(0, 4)).toString('hex');
  return MAGIC.some((magic) => hex.startsWith(magic));
}
