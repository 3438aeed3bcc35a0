import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { messageOf } from '../protocol/errors.ts';
import type { SandboxState } from '../protocol/events.ts';
import { bubblewrapArgs } from './bubblewrap-args.ts';
import type { SandboxPolicy } from './policy.ts';
import { missingBubblewrap, refusedBubblewrap, type ReadSystemFile, type SandboxProblem } from './remedy.ts';

/** What the sandbox of this machine is worth, found out by trying. */
export interface SandboxReport {
  readonly state: SandboxState;
  readonly mechanism: 'bubblewrap' | 'none';
  /** Absolute path of bubblewrap where it works. */
  readonly bubblewrap?: string;
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
  /** Where bubblewrap may lie: absolute paths, the first that exists counts. */
  readonly candidates?: readonly string[];
  /** Folder outside of the workspace for the planted secret; the system's temporary folder when it is left out or missing. */
  readonly folder?: string;
  readonly readSystemFile?: ReadSystemFile;
}

const CANDIDATES = ['/usr/bin/bwrap', '/bin/bwrap', '/usr/local/bin/bwrap', '/run/current-system/sw/bin/bwrap'];
const LIMIT_MS = 5_000;

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
  if (options.platform !== 'linux') return notIsolated({ reason: `there is no sandbox for this system (${options.platform}) yet`, remedy: 'use Linux or, on Windows, WSL2' });
  const bubblewrap = (options.candidates ?? CANDIDATES).find((candidate) => fs.existsSync(candidate));
  if (bubblewrap === undefined) return notIsolated(missingBubblewrap(read));
  const first = await tryOut(bubblewrap, options, { forbidNested: true });
  // Versions before 0.8 do not know the option; that is the one case for a second try.
  const second = /disable-userns/.test(first.said) && first.code !== RAN ? await tryOut(bubblewrap, options, { forbidNested: false }) : undefined;
  return judge({ bubblewrap, result: second ?? first, forbidNested: second === undefined, read });
}

interface Trial {
  readonly code: number | null;
  readonly said: string;
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

async function tryOut(bubblewrap: string, options: ProbeOptions, { forbidNested }: { readonly forbidNested: boolean }): Promise<Trial> {
  const base = options.folder !== undefined && fs.existsSync(options.folder) ? options.folder : os.tmpdir();
  const place = fs.mkdtempSync(path.join(base, 'canary-'));
  const server = net.createServer((socket) => socket.destroy());
  // The program may end while the trial still runs.
  const remove = (): void => fs.rmSync(place, { recursive: true, force: true });
  process.once('exit', remove);
  try {
    const secret = path.join(place, 'secret');
    fs.writeFileSync(secret, `${randomBytes(8).toString('hex')}\n`, { mode: 0o600 });
    const port = await listen(server);
    const bash = ['/bin/bash', '/usr/bin/bash'].find((candidate) => fs.existsSync(candidate));
    const script = CANARY + (bash === undefined ? FIND_LISTENER : CONNECT);
    const hex = port.toString(16).toUpperCase().padStart(4, '0');
    const shell = bash === undefined ? ['/bin/sh'] : [bash, '--norc', '--noprofile'];
    const argv = [...shell, '-c', script, 'canary', path.join(place, 'written'), secret, String(port), hex];
    return await runCanary(bubblewrap, bubblewrapArgs(options.policy, { argv, cwd: '/', guards: [], forbidNested }));
  } catch (error) {
    return { code: null, said: messageOf(error) };
  } finally {
    server.close();
    process.off('exit', remove);
    remove();
  }
}

function listen(server: net.Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port: 0, host: '127.0.0.1' }, () => {
      const address = server.address();
      if (address !== null && typeof address === 'object') resolve(address.port);
      else reject(new Error('the listener has no port'));
    });
  });
}

function runCanary(bubblewrap: string, args: readonly string[]): Promise<Trial> {
  return new Promise((resolve) => {
    const child = spawn(bubblewrap, args, { env: {}, stdio: ['ignore', 'ignore', 'pipe'], timeout: LIMIT_MS, killSignal: 'SIGKILL' });
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(0, 4_000);
    });
    child.on('error', (error) => resolve({ code: null, said: messageOf(error) }));
    child.on('close', (code) => resolve({ code, said: code === null && said === '' ? `it did not end within ${LIMIT_MS / 1_000} s` : said }));
  });
}

function readSystemFile(file: string): string | undefined {
  return fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : undefined;
}
