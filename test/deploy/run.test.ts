import { spawn } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { isObject } from '../../src/protocol/json.ts';
import { makePlace, type Place } from '../e2e/program.ts';
import { HANG, scripted, type Shown } from '../e2e/postgres.ts';
import { startServer, type Served } from '../e2e/served.ts';
import { startCluster, withoutPostgres, type Cluster } from '../helpers/postgres.ts';
import { readEvents, request } from '../server/open-server.ts';

const NGINX = '/usr/sbin/nginx';
const withoutNginx = !fs.existsSync(NGINX) && process.env['CI'] !== 'true';
const TOKEN = 'token-of-the-deployment-1';

async function freePort(): Promise<number> {
  const server = net.createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address ? address.port : 0;
}

/** The command of a worker as the compose file has it, on loopback and with the names of this test. */
function commandOf({ proxy, tokenFile }: { readonly proxy: number; readonly tokenFile: string }): readonly string[] {
  const compose: unknown = parse(fs.readFileSync('deploy/compose.yaml', 'utf8'), { merge: true });
  const worker = isObject(compose) && isObject(compose['services']) ? compose['services']['worker-b'] : undefined;
  const command = isObject(worker) && Array.isArray(worker['command']) ? worker['command'].map(String) : [];
  const [serve, ...args] = command.map((word) => word.replace('0.0.0.0', '127.0.0.1').replace('localhost:8080', `127.0.0.1:${proxy}`).replace('/run/secrets/skillmint-token', tokenFile));
  expect(serve).toBe('serve');
  return args;
}

/** nginx with the file of the deployment, in the foreground. Addresses need not be looked up, and nginx of Debian 12 could not do it for those of workers. */
async function startProxy({ root }: Place, port: number, workers: readonly Served[]): Promise<void> {
  const [a, b] = workers.map((worker) => `127.0.0.1:${worker.port}`);
  const site = fs.readFileSync('deploy/nginx.conf', 'utf8').replaceAll(' resolve', '').replaceAll('worker-a:8765', a ?? '').replaceAll('worker-b:8765', b ?? '').replace('listen 8080', `listen 127.0.0.1:${port}`);
  const file = path.join(root, 'nginx.conf');
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${root}/nginx-${name};`).join('\n');
  fs.writeFileSync(file, `daemon off;\npid ${root}/nginx.pid;\nerror_log stderr;\nevents {}\nhttp {\naccess_log off;\n${temporary}\n${site}\n}\n`);
  const child = spawn(NGINX, ['-c', file, '-p', root], { stdio: 'ignore' });
  onTestFinished(() => void child.kill('SIGKILL'));
  await expect.poll(() => request(port, 'GET', '/ready', { headers: { host: `127.0.0.1:${port}` } }).then(({ status }) => status, () => 0), { timeout: 20_000 }).toBe(200);
}

describe.skipIf(withoutPostgres || withoutNginx)('the deployment, without containers', { timeout: 120_000 }, () => {
  let cluster: Cluster;
  beforeAll(async () => { cluster = await startCluster(); });
  afterAll(() => cluster.dispose());

  it('spreads requests over two workers on one database, and goes on when one of them is killed', async () => {
    const [place, url, proxy] = [makePlace(), await cluster.database(), await freePort()];
    let going = false;
    const provider = await scripted(place, () => (going ? 'Done by the other one.' : HANG));
    const tokenFile = path.join(place.root, 'token');
    fs.writeFileSync(tokenFile, `${TOKEN}\n`, { mode: 0o400 });
    const start = (): Promise<Served> => startServer(place, { args: commandOf({ proxy, tokenFile }), env: { SKILLMINT_DATABASE: url, SKILLMINT_TOKEN: TOKEN } });
    const workers = [await start(), await start()];
    await startProxy(place, proxy, workers);
    const headers = { authorization: `Bearer ${TOKEN}`, host: `127.0.0.1:${proxy}` };
    const ask = (method: string, at: string, body?: object): ReturnType<typeof request> => request(proxy, method, at, { headers, ...(body ? { body } : {}) });
    const id = String((await ask('POST', '/api/sessions', {})).json['id']);
    expect((await ask('POST', `/api/sessions/${id}/messages`, { text: 'go' })).status).toBe(202);
    await expect.poll(() => provider.requests.length).toBe(1);
    for (let i = 0; i < 4; i++) expect((await ask('GET', `/api/sessions/${id}`)).json['status']).toBe('running');
    going = true;
    const busy = await busyWorker(workers);
    busy.running.child.kill('SIGKILL');
    await expect.poll(async () => (await ask('GET', `/api/sessions/${id}`)).json['status'], { timeout: 60_000, interval: 200 }).toBe('done');
    const seen = await readEvents({ port: proxy, server: { token: TOKEN } }, `/api/sessions/${id}/events`, { headers, until: ({ data }) => data['type'] === 'turn.completed' });
    expect(seen.map(({ data }) => data).filter((data): data is Readonly<Record<string, unknown>> & Shown => typeof data['type'] === 'string').at(-1)).toMatchObject({ text: 'Done by the other one.' });
    expect((await ask('GET', '/metrics')).status).toBe(200);
  });

  it('sends all that asks for an evaluation to the worker that runs it', async () => {
    const [place, url, proxy] = [makePlace(), await cluster.database(), await freePort()];
    await scripted(place, () => HANG);
    const tokenFile = path.join(place.root, 'token');
    fs.writeFileSync(tokenFile, `${TOKEN}\n`, { mode: 0o400 });
    // Each with a data folder of its own, as on two machines.
    const start = (data: string): Promise<Served> => startServer(place, { args: commandOf({ proxy, tokenFile }), env: { SKILLMINT_DATABASE: url, SKILLMINT_TOKEN: TOKEN, SKILLMINT_HOME: path.join(place.root, data) } });
    for (const data of ['one', 'two']) fs.cpSync(place.data, path.join(place.root, data), { recursive: true });
    await startProxy(place, proxy, [await start('one'), await start('two')]);
    const ask = (method: string, at: string, body?: object): ReturnType<typeof request> => request(proxy, method, at, { headers: { authorization: `Bearer ${TOKEN}`, host: `127.0.0.1:${proxy}` }, ...(body ? { body } : {}) });
    const folder = path.join(place.root, 'home/.agents/skills/tides/evals');
    fs.mkdirSync(folder, { recursive: true });
    fs.writeFileSync(path.join(folder, '../SKILL.md'), '---\nname: tides\ndescription: Computes tides.\n---\nLook at the moon.\n');
    fs.writeFileSync(path.join(folder, 'evals.json'), JSON.stringify({ skill_name: 'tides', evals: [{ id: 1, prompt: 'When is high tide?', expected_output: 'At noon.', expectations: ['It names a time.'] }] }));
    const begun = await ask('POST', '/api/skills/tides/evaluate', { runs: 1 });
    expect(begun.status, begun.text).toBe(202);
    for (let i = 0; i < 4; i++) expect((await ask('GET', `/api/evaluations/${String(begun.json['id'])}`)).json['status']).toBe('running');
    expect((await ask('POST', `/api/evaluations/${String(begun.json['id'])}/stop`)).json).toEqual({ stopped: true });
  });
});

/** The one in whose process the turn runs. */
async function busyWorker(workers: readonly Served[]): Promise<Served> {
  for (const worker of workers) {
    const { text } = await worker.ask('GET', '/metrics');
    if (/^skillmint_turns_running 1$/m.test(text)) return worker;
  }
  throw new Error('no worker runs the turn');
}
