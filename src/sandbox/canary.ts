import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { messageOf } from '../protocol/errors.ts';

/** How a trial command ended. */
export interface Trial {
  /** Null when it was not started or ended by a signal. */
  readonly code: number | null;
  /** What it wrote to stderr. */
  readonly said: string;
  /** What it wrote to stdout. */
  readonly printed: string;
}

/** What a trial command tries to reach. */
export interface CanaryPlace {
  /** An own folder outside of every workspace, removed afterwards. */
  readonly folder: string;
  /** A file in it with something that nobody else knows. */
  readonly secret: string;
  /** Where a server of this process listens on loopback. */
  readonly port: number;
}

const LIMIT_MS = 5_000;

/** Plants a secret below `folder` (the system's temporary folder when that is left out or missing) and opens a listener while `work` runs. */
export async function withCanaryPlace(folder: string | undefined, work: (place: CanaryPlace) => Promise<Trial>): Promise<Trial> {
  const base = folder !== undefined && fs.existsSync(folder) ? folder : os.tmpdir();
  const place = fs.mkdtempSync(path.join(base, 'canary-'));
  const server = net.createServer((socket) => socket.destroy());
  // The program may end while the trial still runs.
  const remove = (): void => fs.rmSync(place, { recursive: true, force: true });
  process.once('exit', remove);
  try {
    const secret = path.join(place, 'secret');
    fs.writeFileSync(secret, `${randomBytes(8).toString('hex')}\n`, { mode: 0o600 });
    return await work({ folder: place, secret, port: await listen(server) });
  } catch (error) {
    return { code: null, said: messageOf(error), printed: '' };
  } finally {
    server.close();
    process.off('exit', remove);
    remove();
  }
}

/** Runs a trial command without any environment, for some seconds at most; never rejects. */
export function runTrial(program: string, args: readonly string[]): Promise<Trial> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { env: {}, stdio: ['ignore', 'pipe', 'pipe'], timeout: LIMIT_MS, killSignal: 'SIGKILL' });
    let said = '';
    let printed = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(0, 4_000);
    });
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      printed = (printed + text).slice(0, 4_000);
    });
    child.on('error', (error) => resolve({ code: null, said: messageOf(error), printed }));
    child.on('close', (code, signal) => {
      const silent = code === null && said === '';
      resolve({ code, said: silent ? (child.killed ? `it did not end within ${LIMIT_MS / 1_000} s` : `it was ended by ${signal ?? 'a signal'}`) : said, printed });
    });
  });
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
