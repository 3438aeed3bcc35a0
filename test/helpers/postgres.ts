import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openPostgres } from '../../src/store/postgres/postgres.ts';

const FOLDERS = ['/usr/lib/postgresql/15/bin', '/usr/lib/postgresql/16/bin', '/usr/lib/postgresql/17/bin', '/usr/local/bin', '/opt/homebrew/bin'];

/** Where its programs lie, if anywhere. */
const bin = FOLDERS.find((folder) => fs.existsSync(path.join(folder, 'initdb')));

/** With CI=true a missing PostgreSQL (Debian: postgresql-15) is a failure, not a reason to skip. */
export const withoutPostgres = bin === undefined && process.env['CI'] !== 'true';

/** A server of PostgreSQL on a port of loopback, with data of its own. */
export interface Cluster {
  /** The URL of a database, which is made when it is not there. */
  database(name?: string): Promise<string>;
  /** The URL of a database of that name, with whatever else is wrong with it. */
  url(name: string, more?: { readonly user?: string; readonly password?: string; readonly port?: number }): string;
  /** Ends the server as a power cut would, at once without writing out what it holds, or in order. */
  stop(signal?: 'SIGKILL' | 'SIGQUIT' | 'SIGINT'): Promise<void>;
  start(): Promise<void>;
  /** Ends the server and deletes its data, so nothing is written out first: with `fsync` that took over a minute on a slow disk. */
  dispose(): Promise<void>;
}

/** What a server is started with. */
export interface ClusterOptions {
  /** What is committed is on the disk; off makes tests faster. */
  readonly fsync?: boolean;
  readonly maxConnections?: number;
}

/** Makes a cluster and starts its server. */
export async function startCluster({ fsync = false, maxConnections = 100 }: ClusterOptions = {}): Promise<Cluster> {
  if (bin === undefined) throw new Error('PostgreSQL is missing; on Debian: apt-get install postgresql-15');
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'skillmint-postgres-'));
  const account = ownerAccount();
  if (account) fs.chownSync(folder, account.uid, account.gid);
  const data = path.join(folder, 'data');
  execFileSync(path.join(bin, 'initdb'), ['-D', data, '-U', 'skillmint', '--auth=trust', '--no-sync', '--encoding=UTF8', '--locale=C.UTF-8'], { ...account, cwd: folder, stdio: 'pipe' });
  fs.writeFileSync(path.join(data, 'pg_hba.conf'), 'host all locked 127.0.0.1/32 scram-sha-256\nhost all all 127.0.0.1/32 trust\n');
  const port = await freePort();
  const settings = { listen_addresses: '127.0.0.1', port, unix_socket_directories: folder, fsync: fsync ? 'on' : 'off', max_connections: maxConnections, superuser_reserved_connections: 1, log_min_messages: 'fatal' };
  let server: ChildProcess | undefined;
  const url: Cluster['url'] = (name, { user = 'skillmint', password, port: other = port } = {}) => `postgres://${user}${password === undefined ? '' : `:${password}`}@127.0.0.1:${other}/${name}`;
  const start = async (): Promise<void> => {
    if (bin === undefined) throw new Error('no PostgreSQL');
    fs.rmSync(path.join(data, 'postmaster.pid'), { force: true });
    server = spawn(path.join(bin, 'postgres'), ['-D', data, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])], { ...account, cwd: folder, stdio: 'ignore' });
    await answers(url('postgres'));
  };
  const stop: Cluster['stop'] = async (signal = 'SIGINT') => {
    const running = server;
    server = undefined;
    if (!running || running.exitCode !== null || running.signalCode !== null) return;
    const ended = once(running, 'exit');
    running.kill(signal);
    await ended;
  };
  await start();
  let made = 0;
  return {
    url,
    start,
    stop,
    async database(name = `db_${process.pid}_${made += 1}`) {
      const db = await openPostgres(url('postgres'));
      try {
        const { count } = await db.query('SELECT FROM pg_database WHERE datname = $1', [name]);
        if (count === 0) await db.query(`CREATE DATABASE ${name}`);
      } finally {
        await db.close();
      }
      return url(name);
    },
    async dispose() {
      await stop('SIGQUIT');
      fs.rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** `initdb` refuses to be root. */
function ownerAccount(): { readonly uid: number; readonly gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const accounts = fs.readFileSync('/etc/passwd', 'utf8').split('\n').map((line) => line.split(':'));
  const found = accounts.find(([name]) => name === 'postgres') ?? accounts.find(([name]) => name === 'nobody');
  return { uid: Number(found?.[2] ?? 65_534), gid: Number(found?.[3] ?? 65_534) };
}

async function freePort(): Promise<number> {
  const server = net.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address ? address.port : 0;
}

/** Waits until the server takes connections. */
async function answers(url: string): Promise<void> {
  const db = await openPostgres(url, { connections: 1 });
  try {
    for (let tries = 0; ; tries += 1) {
      try {
        await db.query('SELECT 1');
        return;
      } catch (error) {
        if (tries >= 300) throw error;
        await sleep(50);
      }
    }
  } finally {
    await db.close();
  }
}
