import path from 'node:path';
import { SkillmintError } from '../../protocol/errors.ts';
import { findProgram, type ProgramPlaces } from './find-program.ts';
import { isBinaryProgram, shebangOf } from './shebang.ts';

/** A script and what is known of it. */
export interface ScriptFile {
  /** Relative to the skill's folder, for messages. */
  readonly name: string;
  /** Absolute real path. */
  readonly file: string;
  /** The first bytes. */
  readonly start: Uint8Array;
  /** Permission bits. */
  readonly mode: number;
}

/** Where interpreters come from. */
export interface InterpreterPlaces extends ProgramPlaces {
  /** Setting `skills.interpreters`. */
  readonly configured: Readonly<Record<string, readonly string[]>>;
  /** The Node that this program runs on. */
  readonly execPath: string;
}

/** How a script is run: what comes before its own path, nothing for a program that runs by itself. */
export interface Interpreter {
  readonly argv: readonly string[];
  /** Folder of a program that the person has configured, which may lie where commands see nothing otherwise. */
  readonly folder?: string;
}

/** By extension, for scripts that do not say it themselves. */
const USUAL: Readonly<Record<string, string>> = { js: 'node', mjs: 'node', cjs: 'node', py: 'python3', sh: 'sh', bash: 'bash', zsh: 'zsh', ps1: 'pwsh' };

/** What to install, by program and system; others are named as they are. */
const INSTALL: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  python3: { linux: 'Python 3, for example with: sudo apt-get install -y python3', darwin: 'Python 3, for example with: brew install python', win32: 'Python 3, for example with: winget install Python.Python.3.13' },
  node: { linux: 'Node.js', darwin: 'Node.js', win32: 'Node.js' },
  sh: { win32: 'Git for Windows, which brings sh' },
  bash: { linux: 'bash, for example with: sudo apt-get install -y bash', win32: 'Git for Windows, which brings bash' },
  pwsh: { win32: 'PowerShell' },
};

/** True when the script says, or its name tells, how it can be run. Whether the interpreter is there is another question. */
export function looksRunnable({ name, start, mode }: Pick<ScriptFile, 'name' | 'start' | 'mode'>, configured: InterpreterPlaces['configured']): boolean {
  return hasConfigured(configured, extensionOf(name)) || USUAL[extensionOf(name)] !== undefined || shebangOf(start) !== undefined || (isBinaryProgram(start) && (mode & 0o111) !== 0);
}

/**
 * What runs a script: the configured interpreter of its extension, else its own `#!` line, else the usual one of its
 * extension; a binary program runs by itself. Throws `spawn_failed`, which says what to install or set.
 */
export function interpreterOf(script: ScriptFile, places: InterpreterPlaces): Interpreter {
  const extension = extensionOf(script.name);
  if ((script.mode & 0o444) === 0) throw failed(`${script.name} may not be read by anybody (mode ${octal(script.mode)}). Give the right to: chmod u+r ${script.file}`);
  const configured = hasConfigured(places.configured, extension) ? places.configured[extension] : undefined;
  if (configured) return configuredInterpreter(script, configured, places);
  if (isBinaryProgram(script.start)) {
    if ((script.mode & 0o111) === 0) throw failed(`${script.name} is a program that is not marked as executable. Mark it: chmod u+x ${script.file}`);
    return { argv: [] };
  }
  const wanted = shebangOf(script.start);
  if (wanted) return { argv: [...resolve(script, programOf(wanted.program, places), places), ...wanted.args] };
  const usual = USUAL[extension];
  if (usual === undefined) throw failed(`It is not known what runs ${script.name}: give it a first line such as #!/usr/bin/env ruby, or name a program with the setting skills.interpreters${extension === '' ? '' : `.${extension}`}.`);
  return { argv: resolve(script, usual, places) };
}

function configuredInterpreter(script: ScriptFile, [program = '', ...args]: readonly string[], places: InterpreterPlaces): Interpreter {
  const found = findProgram(program, places);
  if (found === undefined) throw failed(`${script.name} is run by ${program} according to the setting skills.interpreters.${extensionOf(script.name)}, which was not found. Install it, or set the absolute path or the name of a program on the PATH.`);
  return { argv: [found, ...args], ...(program === found ? { folder: path.dirname(found) } : {}) };
}

/** A path in a `#!` line stands for its name where that has a place of its own on each system. */
function programOf(program: string, { platform }: ProgramPlaces): string {
  const name = path.posix.basename(program);
  if (name === 'nodejs') return 'node';
  if (name === 'python') return 'python3';
  return ['node', 'python3'].includes(name) || platform === 'win32' ? name : program;
}

function resolve(script: ScriptFile, program: string, places: InterpreterPlaces): readonly string[] {
  // This program runs on a Node already, which then surely works.
  const own = program === 'node' && /^node(?:\.exe)?$/i.test(path.basename(places.execPath)) ? places.execPath : undefined;
  const found = own ?? candidatesOf(program, places).flatMap((name) => findProgram(name, places) ?? [])[0];
  if (found === undefined) throw missing(script, program, places);
  return [found, ...optionsOf(path.parse(found).name.toLowerCase())];
}

function optionsOf(name: string): readonly string[] {
  // Python would write what it has compiled beside its modules, and change the skill by that.
  if (/^py(?:thon[\d.]*)?$/.test(name)) return ['-B'];
  return name === 'pwsh' || name === 'powershell' ? ['-NoProfile', '-NonInteractive', '-File'] : [];
}

function candidatesOf(program: string, { platform }: ProgramPlaces): readonly string[] {
  if (program === 'python3') return platform === 'win32' ? ['py', 'python', 'python3'] : ['python3', 'python'];
  if (program === 'pwsh') return platform === 'win32' ? ['pwsh', 'powershell'] : ['pwsh'];
  // Where a shell always lies, whatever the PATH says.
  return program === 'sh' && platform !== 'win32' ? ['/bin/sh', 'sh'] : [program];
}

function missing(script: ScriptFile, program: string, { platform }: ProgramPlaces): SkillmintError {
  const name = path.posix.basename(program);
  const where = program.includes('/') ? 'which is not there' : 'which was not found on the PATH';
  return failed(`${script.name} needs ${program}, ${where}. Install ${INSTALL[name]?.[platform] ?? name}, or name another program with the setting skills.interpreters.${extensionOf(script.name) || 'EXTENSION'}.`);
}

function failed(message: string): SkillmintError {
  return new SkillmintError('spawn_failed', message);
}

function hasConfigured(configured: InterpreterPlaces['configured'], extension: string): boolean {
  return Object.hasOwn(configured, extension) && (configured[extension]?.length ?? 0) > 0;
}

function extensionOf(name: string): string {
  return path.extname(name).slice(1).toLowerCase();
}

function octal(mode: number): string {
  return (mode & 0o777).toString(8).padStart(3, '0');
}
