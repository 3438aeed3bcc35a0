import fs from 'node:fs';
import path from 'node:path';
import type { SandboxState } from '../protocol/events.ts';
import { bubblewrapArgs } from './bubblewrap-args.ts';
import { runTrial, withCanaryPlace, type Trial } from './canary.ts';
import type { SandboxPolicy } from './policy.ts';
import { missingBubblewrap, refusedBubblewrap, type ReadSystemFile, type SandboxProblem } from './remedy.ts';

/** What the sandbox of this machine is worth, found out by trying. */
export interface SandboxReport {
  readonly state: SandboxState;
  readonly mechanism: 'bubblewrap' | 'seatbelt' | 'none';
  /** Absolute path of bubblewrap where it works. */
  readonly bubblewrap?: string;
  /** Absolute path of sandbox-exec where it works. */
  readonly sandboxExec?: string;
  /** Nested user namespaces can be forbidden. */
  readonly forbidNested: boolean;
  /** Why it is not `isolated`. */
  readonly reason?: string;
  /** The command that changes it. */
  readonly remedy?: string;
}

/** What is tried out, and where. */
export interface ProbeOptions {
  readonly policy: SandboxPolicy;
  readonly platform: 'linux' | 'darwin' | 'win32' | 'other';
  /** Where bubblewrap, or sandbox-exec on macOS, may lie: absolute paths, the first that exists counts. */
  readonly candidates?: readonly string[];
  /** Folder outside of the workspace for the planted secret; the system's temporary folder when it is left out or missing. */
  readonly folder?: string;
  readonly readSystemFile?: ReadSystemFile;
}

const CANDIDATES = ['/usr/bin/bwrap', '/bin/bwrap', '/usr/local/bin/bwrap', '/run/current-system/sw/bin/bwrap'];

/** Exit status of the canary when every wall held: proof that it ran. A wall that fell adds its own bit. */
const RAN = 64;
const WALLS: readonly (readonly [number, string])[] = [
  [1, 'a file outside the workspace could be written'],
  [2, 'a planted secret could be read'],
  [4, 'a server on this machine could be reached'],
  [8, 'the private temporary folder cannot be written'],
];

/** Builtins alone, so that the shell starts nothing: $1 file to write, $2 secret, $3 port, $4 the same in hexadecimal. */
const CANARY = `s=${RAN}
{ true > "$1"; } 2>/dev/null && s=$((s|1))
[ -w /usr ] && s=$((s|1))
{ read -r x < "$2"; } 2>/dev/null && s=$((s|2))
[ -w /tmp ] || s=$((s|8))
`;
const CONNECT = `{ true 3<> "/dev/tcp/127.0.0.1/$3"; } 2>/dev/null && s=$((s|4))
exit $s`;
/** For shells that cannot connect: in the same network the listener would be in this table. */
const FIND_LISTENER = `while read -r _ address _; do case $address in *:$4) s=$((s|4));; esac; done < /proc/net/tcp || s=$((s|4))
exit $s`;

/**
 * Runs one real command in the sandbox that tries to break out: it writes outside, reads a planted secret and connects
 * to a listener of ours. One child process, no start-up files, no polling; never throws for what a machine lacks.
 */
export async function probeSandbox(options: ProbeOptions): Promise<SandboxReport> {
  const read = options.readSystemFile ?? readSystemFile;
  if (options.platform === 'darwin') return probeMac(options);
  if (options.platform !== 'linux') return notIsolated({ reason: `there is no sandbox for this system (${options.platform}) yet`, remedy: 'use Linux or, on Windows, WSL2' });
  const bubblewrap = (options.candidates ?? CANDIDATES).find((candidate) => fs.existsSync(candidate));
  if (bubblewrap === undefined) return notIsolated(missingBubblewrap(read));
  const first = await tryOut(bubblewrap, options, { forbidNested: true });
  // Versions before 0.8 do not know the option; that is the one case for a second try.
  const second = /disable-userns/.test(first.said) && first.code !== RAN ? await tryOut(bubblewrap, options, { forbidNested: false }) : undefined;
  return judge({ bubblewrap, result: second ?? first, forbidNested: second === undefined, read });
}

/** Loaded where it is needed: this file is on the way of every start. */
async function probeMac(options: ProbeOptions): Promise<SandboxReport> {
  const found = await (await import('./seatbelt/probe-seatbelt.ts')).probeSeatbelt(options);
  return typeof found === 'string' ? { state: 'isolated', mechanism: 'seatbelt', sandboxExec: found, forbidNested: false } : notIsolated(found);
}

function judge({ bubblewrap, result, forbidNested, read }: { readonly bubblewrap: string; readonly result: Trial; readonly forbidNested: boolean; readonly read: ReadSystemFile }): SandboxReport {
  const { code, said } = result;
  if (code === RAN) {
    if (forbidNested) return { state: 'isolated', mechanism: 'bubblewrap', bubblewrap, forbidNested };
    return { state: 'limited', mechanism: 'bubblewrap', bubblewrap, forbidNested, reason: 'this bubblewrap cannot forbid nested user namespaces', remedy: 'update bubblewrap to 0.8 or newer' };
  }
  if (code !== null && (code & RAN) !== 0 && code < RAN * 2) {
    const fallen = WALLS.filter(([bit]) => (code & bit) !== 0).map(([, wall]) => wall);
    return notIsolated({ reason: `in a trial ${fallen.join(', ')}`, remedy: `check that ${bubblewrap} is the bubblewrap of your system, and reinstall it` });
  }
  return notIsolated(refusedBubblewrap(said, read));
}

function notIsolated({ reason, remedy }: SandboxProblem): SandboxReport {
  return { state: 'not isolated', mechanism: 'none', forbidNested: false, reason, remedy };
}

function tryOut(bubblewrap: string, options: ProbeOptions, { forbidNested }: { readonly forbidNested: boolean }): Promise<Trial> {
  return withCanaryPlace(options.folder, ({ folder, secret, port }) => {
    const bash = ['/bin/bash', '/usr/bin/bash'].find((candidate) => fs.existsSync(candidate));
    const script = CANARY + (bash === undefined ? FIND_LISTENER : CONNECT);
    const hex = port.toString(16).toUpperCase().padStart(4, '0');
    const shell = bash === undefined ? ['/bin/sh'] : [bash, '--norc', '--noprofile'];
    const argv = [...shell, '-c', script, 'canary', path.join(folder, 'written'), secret, String(port), hex];
    return runTrial(bubblewrap, bubblewrapArgs(options.policy, { argv, cwd: '/', guards: [], forbidNested }));
  });
}

function readSystemFile(file: string): string | undefined {
  return fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : undefined;
}
