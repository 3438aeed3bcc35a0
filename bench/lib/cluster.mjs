import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';

const FOLDERS = [15, 16, 17].map((version) => `/usr/lib/postgresql/${version}/bin`);

/** Starts PostgreSQL with its defaults and data of its own on a free port of loopback; `initdb` refuses to be root. */
export async function startPostgres() {
  const bin = FOLDERS.find((folder) => fs.existsSync(path.join(folder, 'initdb')));
  if (!bin) throw new Error('PostgreSQL is missing; on Debian: apt-get install postgresql-15');
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'skillmint-bench-postgres-'));
  const [uid, gid] = process.getuid() === 0 ? fs.readFileSync('/etc/passwd', 'utf8').split('\n').find((line) => /^(postgres|nobody):/.test(line)).split(':').slice(2, 4).map(Number) : [process.getuid(), process.getgid()];
  fs.chownSync(folder, uid, gid);
  execFileSync(path.join(bin, 'initdb'), ['-D', `${folder}/data`, '-U', 'skillmint', '--auth=trust', '--encoding=UTF8', '--locale=C.UTF-8'], { uid, gid, cwd: folder, stdio: 'pipe' });
  const probe = net.createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address();
  probe.close();
  await once(probe, 'close');
  const child = spawn(path.join(bin, 'postgres'), ['-D', `${folder}/data`, '-c', 'listen_addresses=127.0.0.1', '-c', `port=${port}`, '-c', `unix_socket_directories=${folder}`], { uid, gid, cwd: folder, stdio: 'ignore' });
  const url = (name) => `postgres://skillmint@127.0.0.1:${port}/${name}`;
  const query = async (sql, params = [], name = 'postgres') => {
    const client = new Client({ connectionString: url(name) });
    await client.connect();
    try {
      return (await client.query(sql, params)).rows;
    } finally {
      await client.end();
    }
  };
  for (let tries = 0; ; tries += 1) {
    try {
      await query('SELECT 1');
      break;
    } catch (error) {
      if (tries > 200) throw error;
      await sleep(50);
    }
  }
  return {
    pid: child.pid,
    query,
    async database(name) {
      await query(`CREATE DATABASE ${name}`);
      return url(name);
    },
    async stop() {
      child.kill('SIGINT');
      await once(child, 'exit');
      fs.rmSync(folder, { recursive: true, force: true });
    },
  };
}
