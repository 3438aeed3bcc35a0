import { spawn } from 'node:child_process';
import fs from 'node:fs';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { messageOf, SkillmintError } from '../../protocol/errors.ts';

/** A network of its own with nothing but a loopback, kept open by this process. */
export interface NetworkNamespace {
  /** Words before a program that make it run there. */
  readonly enter: readonly [string, ...string[]];
  close(): void;
}

/** Programs that are needed, with absolute paths. */
export interface NamespacePrograms {
  readonly bubblewrap: string;
  /** Undefined where it is not installed. */
  readonly nsenter: string | undefined;
}

const LIMIT_MS = 5_000;

/**
 * Makes the namespace. bubblewrap brings its loopback up in a process that lives for some milliseconds; what keeps the
 * namespace afterwards are open files of this process, so that it is gone with it, however it ends. Rejects with why there is none.
 */
export async function makeNamespace({ bubblewrap, nsenter }: NamespacePrograms): Promise<NetworkNamespace> {
  if (nsenter === undefined) throw new Error('nsenter of the package util-linux is not installed');
  // Without --dev, so that bubblewrap makes one user namespace alone, which then owns the network.
  const args = ['--unshare-user', '--unshare-net', '--die-with-parent', '--cap-drop', 'ALL', '--ro-bind', '/', '/', '--info-fd', '3', '--', '/bin/sh', '-c', 'echo; read -r _'];
  const holder = spawn(bubblewrap, args, { env: {}, cwd: '/', stdio: ['pipe', 'pipe', 'pipe', 'pipe'], timeout: LIMIT_MS, killSignal: 'SIGKILL' });
  const ended = new Promise<void>((resolve) => holder.once('close', () => resolve()));
  const said = text(holder.stderr);
  const failed = new Promise<never>((_, reject) => {
    holder.once('error', reject);
    holder.once('close', () => void said.then((words) => reject(new Error(words.trim() || 'bubblewrap ended without a word')), reject));
  });
  try {
    const [pid] = await Promise.race([Promise.all([firstText(holder.stdio[3], /"child-pid":\s*(\d+)/), firstText(holder.stdout, /()\n/)]), failed]);
    return keep(pid, nsenter);
  } finally {
    holder.stdin.on('error', () => holder.stdin.destroy());
    holder.stdin.end('\n');
    await ended;
  }
}

/** Waits until what comes fits the pattern; resolves to its group. */
function firstText(stream: unknown, pattern: RegExp): Promise<string> {
  let so = '';
  return new Promise((resolve, reject) => {
    if (!(stream instanceof Readable)) return reject(new Error('bubblewrap was started without its pipes'));
    stream.on('data', (chunk: Buffer) => {
      so += chunk.toString('latin1');
      const found = pattern.exec(so)?.[1];
      if (found !== undefined) resolve(found);
    });
  });
}

function keep(pid: string, nsenter: string): NetworkNamespace {
  const places = [`/proc/${pid}/ns/user`, `/proc/${pid}/ns/net`];
  for (const place of places) {
    if (fs.readlinkSync(place) === fs.readlinkSync(place.replace(`/${pid}/`, '/self/'))) throw new Error(`${place} is that of this process`);
  }
  const files = places.map((place) => fs.openSync(place, 'r'));
  const [user, network] = files.map((file) => `/proc/${process.pid}/fd/${file}`);
  return { enter: [nsenter, '--preserve-credentials', `--user=${user ?? ''}`, `--net=${network ?? ''}`, '--'], close: () => files.forEach((file) => fs.closeSync(file)) };
}

/** The error of a command with grants where no namespace can be made. */
export function namespaceProblem(error: unknown): SkillmintError {
  return new SkillmintError('sandbox_unavailable', `the Network rules cannot hold, since commands can be given no network here (${messageOf(error).slice(0, 200)}); take them away, or pass --sandbox off`, { cause: error });
}
