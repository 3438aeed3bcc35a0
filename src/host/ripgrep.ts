import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { messageOf } from '../protocol/errors.ts';

const LONGEST_STDERR = 8_192;

/**
 * The path of the ripgrep program that is installed with skillmint. It lies in a package of its own for each platform, beside the
 * one that names them all; that one's entry, which says the same, would bring Node's loader of modules into the first search.
 */
export async function findRipgrep(): Promise<string> {
  try {
    const names = createRequire(import.meta.url).resolve('@vscode/ripgrep');
    return createRequire(names).resolve(`@vscode/ripgrep-${process.platform}-${process.arch}/bin/${process.platform === 'win32' ? 'rg.exe' : 'rg'}`);
  } catch (error) {
    throw new Error(`the search program ripgrep is not installed for ${process.platform}-${process.arch}: install skillmint again with its optional packages`, { cause: error });
  }
}

/** How a run went. `warning` names files that could not be read; `error` means that there is no result. */
export interface RipgrepRun {
  readonly error?: string;
  readonly warning?: string;
}

/** Runs ripgrep and hands on its records one by one; `onRecord` answers whether it wants more. */
export async function runRipgrep(options: {
  readonly ripgrep: () => Promise<string>;
  readonly args: readonly string[];
  readonly separator: '\0' | '\n';
  readonly onRecord: (record: string) => boolean;
  readonly signal: AbortSignal;
}): Promise<RipgrepRun> {
  if (options.signal.aborted) return { error: 'the search was cancelled' };
  try {
    const program = await options.ripgrep();
    const { code, stderr } = await runProgram(program, options);
    if (options.signal.aborted) return { error: 'the search was cancelled' };
    return code === 2 || stderr !== '' ? judge(stderr) : {};
  } catch (error) {
    return { error: messageOf(error) };
  }
}

type Options = Parameters<typeof runRipgrep>[0];

function runProgram(program: string, options: Options): Promise<{ readonly code: number | null; readonly stderr: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, options.args, { env: systemEnvironment(), stdio: ['ignore', 'pipe', 'pipe'], windowsHide: true, signal: options.signal });
    let stderr = '';
    const split = recordSplitter(options.separator);
    child.stdout.on('data', (chunk: Buffer) => {
      for (const record of split(chunk)) {
        if (options.onRecord(record)) continue;
        child.stdout.removeAllListeners('data');
        child.stdout.destroy();
        child.kill('SIGKILL');
        return;
      }
    });
    child.stderr.on('data', (chunk: Buffer) => {
      if (stderr.length < LONGEST_STDERR) stderr += chunk.toString();
    });
    child.on('error', (error) => (options.signal.aborted ? resolve({ code: null, stderr: '' }) : reject(new Error(`ripgrep could not be started: ${error.message}`, { cause: error }))));
    child.on('close', (code) => resolve({ code, stderr }));
  });
}

/** Cuts chunks into records; a record that spans chunks comes out whole, and bytes are decoded only when complete. */
function recordSplitter(separator: '\0' | '\n'): (chunk: Buffer) => readonly string[] {
  const byte = separator.charCodeAt(0);
  let pending: Buffer[] = [];
  return (chunk) => {
    const end = chunk.lastIndexOf(byte);
    if (end < 0) {
      pending.push(chunk);
      return [];
    }
    const complete = pending.length === 0 ? chunk.subarray(0, end) : Buffer.concat([...pending, chunk.subarray(0, end)]);
    pending = end + 1 < chunk.length ? [chunk.subarray(end + 1)] : [];
    return complete.toString().split(separator);
  };
}

/** Files that could not be read leave a result; anything else (pattern, type, path) leaves none. */
function judge(stderr: string): RipgrepRun {
  const lines = stderr.split('\n').filter((line) => line.trim() !== '');
  const unreadable = lines.filter((line) => /\(os error \d+\)/.test(line));
  if (lines.length > 0 && unreadable.length === lines.length) {
    const first = (lines[0] ?? '').replace(/^rg: /, '').replace(/ \(os error \d+\)/, '');
    return { warning: `${lines.length} ${lines.length === 1 ? 'path' : 'paths'} could not be read: ${first}${lines.length > 1 ? ', ...' : ''}` };
  }
  return { error: plainError(stderr) || 'the search failed without a message' };
}

/** Of a pattern that neither engine takes, what the first one says is enough. */
function plainError(stderr: string): string {
  const [, first] = stderr.split(/^~{20,}$/m);
  return (first ?? stderr).trim().replace(/^rg: /, '');
}

/** ripgrep needs nothing of ours; Windows programs do not start without the system folder. */
function systemEnvironment(): Record<string, string> {
  const root = process.env['SystemRoot'];
  return root === undefined ? {} : { SystemRoot: root };
}
