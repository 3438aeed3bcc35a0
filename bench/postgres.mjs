// Measures workers on one PostgreSQL database (its defaults, a cluster of its own on loopback) with a scripted model: turns a second,
// take-over, deltas between workers, memory, size, and how answers slow down with the number of sessions. Prints tables and JSON.
// npm run bench:postgres -- [--turns 300] [--sessions 100000]
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Client } from 'pg';
import { createClient } from '../dist/lib/client.js';
import { startFakeProvider } from '../dist/lib/testing.js';
import { startPostgres } from './lib/cluster.mjs';
import { showFigures, spread } from './lib/figures.mjs';
import { startServer } from './lib/served.mjs';

const { values } = parseArgs({ options: { turns: { type: 'string', default: '300' }, sessions: { type: 'string', default: '100000' } } });
const [turns, mostSessions] = [Number(values.turns), Number(values.sessions)];
const AT_ONCE = 50;
/** Whose sessions those of a server without users are. */
const TENANT = '_server';

const root = fs.mkdtempSync(path.join(os.tmpdir(), 'skillmint-bench-postgres-'));
let latencyMs = 0;
let hangs = false;
const spoke = new Map();
let words = 0;
async function step() {
  await sleep(latencyMs);
  if (hangs) return { text: 'never', fault: { kind: 'hang', afterBytes: 0 } };
  const word = `w${(words += 1)}.`;
  spoke.set(word, performance.now());
  return { text: `${word} and what follows it, in some pieces of a stream`, fragment: 12 };
}

const memoryMb = ({ child: { pid } }) => Math.round(Number(/VmHWM:\s+(\d+) kB/.exec(fs.readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024);

/** User and system time of a process so far, ms; 0 for one that has ended, such as a vacuum of PostgreSQL. */
function cpuMs(pid) {
  if (!fs.existsSync(`/proc/${pid}/stat`)) return 0;
  const fields = fs.readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** The same of a server of PostgreSQL, whose connections stay for as long as is measured. */
function databaseCpuMs({ pid: server }) {
  return fs.readFileSync(`/proc/${server}/task/${server}/children`, 'utf8').trim().split(' ').reduce((sum, pid) => sum + cpuMs(pid), 0);
}

let made = 0;
const startWorker = (database, modelUrl) => startServer({ root: path.join(root, `worker-${(made += 1)}`), modelUrl, database });
const stopWorker = async ({ child }) => {
  child.removeAllListeners('close');
  child.kill('SIGTERM');
  await new Promise((resolve) => { child.once('exit', resolve); });
};
const killed = ({ child }, signal) => {
  child.removeAllListeners('close');
  child.kill(signal);
};

/** One turn: sent to `sendTo`, watched at `watchAt`. */
async function oneTurn(sendTo, watchAt = sendTo) {
  const { id } = await sendTo.createSession({ body: {} });
  const stop = new AbortController();
  const following = watchAt.follow(id, { signal: stop.signal });
  await following.next();
  await sendTo.sendMessage({ id, body: { text: 'Say something.' } });
  let text = '';
  let firstMs;
  for await (const event of following) {
    if (event.type === 'text.delta') {
      text += event.text;
      const word = /^(w\d+\.)/.exec(text)?.[1];
      if (firstMs === undefined && word) firstMs = performance.now() - spoke.get(word);
    }
    if (event.type === 'turn.completed') break;
  }
  stop.abort();
  return firstMs;
}

async function throughput(clients, count) {
  const began = performance.now();
  let next = 0;
  await Promise.all(Array.from({ length: AT_ONCE }, async () => {
    while (next < count) await oneTurn(clients[(next += 1) % clients.length]);
  }));
  return Math.round((count / (performance.now() - began)) * 10_000) / 10;
}

async function speed(cluster, modelUrl) {
  const figures = {};
  for (const workers of [1, 2]) {
    const name = `speed_${workers}`;
    const url = await cluster.database(name);
    const running = [];
    for (let n = 0; n < workers; n += 1) running.push(await startWorker(url, modelUrl));
    const clients = running.map(createClient);
    for (const client of clients) await oneTurn(client);
    const size = async () => Number((await cluster.query('SELECT pg_database_size(current_database()) AS size', [], name))[0].size);
    for (const ms of [0, 300]) {
      latencyMs = ms;
      const before = await size();
      const cpu = [cpuMs(running[0].child.pid), databaseCpuMs(cluster)];
      figures[`turns/s, ${workers} worker${workers > 1 ? 's' : ''}, model ${ms} ms`] = await throughput(clients, turns);
      if (workers === 1 && ms === 0) {
        figures['processor ms of a turn: worker'] = Math.round((cpuMs(running[0].child.pid) - cpu[0]) / turns * 10) / 10;
        figures['processor ms of a turn: PostgreSQL'] = Math.round((databaseCpuMs(cluster) - cpu[1]) / turns * 10) / 10;
      }
      if (workers === 1 && ms === 0) figures['kB of database for 1,000 turns'] = Math.round((((await size()) - before) / turns) * 1_000 / 1_000);
    }
    latencyMs = 0;
    figures[`peak MB of each, ${workers} worker${workers > 1 ? 's' : ''}`] = running.map(memoryMb).join(' and ');
    for (const one of running) await stopWorker(one);
  }
  return figures;
}

/** From the signal to the event that says that the turn goes on, ms. */
async function takeOver(cluster, modelUrl, signal) {
  const url = await cluster.database(`over_${signal.toLowerCase()}`);
  const times = [];
  const stays = await startWorker(url, modelUrl);
  const client = createClient(stays);
  for (let n = 0; n < (signal === 'SIGKILL' ? 5 : 3); n += 1) {
    const victim = await startWorker(url, modelUrl);
    hangs = true;
    const victimClient = createClient(victim);
    const { id } = await victimClient.createSession({ body: {} });
    await victimClient.sendMessage({ id, body: { text: 'Say something.' } });
    await sleep(1_000);
    hangs = false;
    const stop = new AbortController();
    const following = client.follow(id, { signal: stop.signal });
    const began = performance.now();
    killed(victim, signal);
    for await (const event of following) if (event.type === 'turn.resumed') break;
    times.push(performance.now() - began);
    for await (const event of following) if (event.type === 'turn.completed') break;
    stop.abort();
    killed(victim, 'SIGKILL');
  }
  await stopWorker(stays);
  return spread(times);
}

async function deltas(cluster, modelUrl) {
  const url = await cluster.database('deltas');
  const running = [await startWorker(url, modelUrl), await startWorker(url, modelUrl)];
  const [one, other] = running.map(createClient);
  await oneTurn(one, other);
  const measure = async (sendTo, watchAt, atOnce) => {
    const all = [];
    for (let n = 0; n < 60 / atOnce; n += 1) all.push(...(await Promise.all(Array.from({ length: atOnce }, () => oneTurn(sendTo, watchAt)))));
    return spread(all.filter((ms) => ms !== undefined));
  };
  const figures = {
    'first word at the same worker, ms': await measure(one, one, 1),
    'at the other one, ms': await measure(one, other, 1),
    'at the other one, 20 at once, ms': await measure(one, other, 20),
  };
  for (const each of running) await stopWorker(each);
  return figures;
}

/** Sessions of ten events each, made by SQL; all of one tenant, and beside them as many of a thousand others. */
async function growth(cluster, modelUrl) {
  const url = await cluster.database('growth');
  const worker = await startWorker(url, modelUrl);
  const client = createClient(worker);
  await oneTurn(client);
  const db = new Client({ connectionString: url });
  await db.connect();
  const figures = {};
  let there = 0;
  for (const sessions of [1_000, 10_000, mostSessions].filter((count) => count <= mostSessions)) {
    await db.query(`INSERT INTO skillmint.sessions (tenant, session_id, title, cwd, model, status, created_at, updated_at, last_seq)
      SELECT CASE WHEN half = 0 THEN $3 ELSE 'user' || n % 1000 END, 'ses_' || half || '_' || n, 'Title of session ' || n, '/work/' || n % 50, 'fake/m', 'done',
        to_char(timestamp '2026-01-01' + n * interval '1 minute', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), to_char(timestamp '2026-01-01' + n * interval '1 minute', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 10
      FROM generate_series($1::int, $2::int) AS n, generate_series(0, 1) AS half`, [there + 1, sessions, TENANT]);
    await db.query(`INSERT INTO skillmint.events (tenant, session_id, seq, event)
      SELECT tenant, session_id, seq, json_build_object('type', 'warning', 'code', 'bench', 'message', repeat('what was said and done. ', 12), 'time', updated_at)::text
      FROM skillmint.sessions, generate_series(1, 10) AS seq WHERE session_id LIKE 'ses\\_%\\_%' AND split_part(session_id, '_', 3)::int > $1`, [there]);
    await db.query('ANALYZE skillmint.sessions');
    there = sessions;
    const times = async (work) => {
      const all = [];
      for (let n = 0; n < 40; n += 1) {
        const began = performance.now();
        await work(n);
        all.push(performance.now() - began);
      }
      return spread(all);
    };
    const { sessions: first } = await client.listSessions({ query: { limit: '50', text: 'Title of session' } });
    if (first.length !== 50) throw new Error(`the worker shows ${first.length} of the sessions that were made, not 50`);
    const size = (await db.query('SELECT pg_database_size(current_database()) AS size')).rows[0].size;
    figures[`${sessions} sessions: page of 50, ms`] = await times((n) => client.listSessions({ query: { limit: '50', offset: String((n * 50) % sessions) } }));
    figures[`${sessions} sessions: search of a word that many have, ms`] = await times((n) => client.listSessions({ query: { limit: '50', text: `session ${n}` } }));
    figures[`${sessions} sessions: search of a word that none has, ms`] = await times((n) => client.listSessions({ query: { limit: '50', text: `walrus ${n}` } }));
    figures[`${sessions} sessions: a turn, ms`] = await times(() => oneTurn(client));
    figures[`${sessions} sessions: look for what was left, ms`] = await times(() => db.query("SELECT session_id FROM skillmint.sessions WHERE status = 'running' AND service AND (lease_until IS NULL OR lease_until < clock_timestamp())"));
    figures[`${sessions} sessions: MB of database`] = Math.round(size / 1_000_000);
  }
  await db.end();
  await stopWorker(worker);
  return figures;
}

const cluster = await startPostgres();
const provider = await startFakeProvider({ steps: Array.from({ length: turns * 5 + 2_000 }, () => step) });
try {
  const load = os.loadavg()[0].toFixed(1);
  showFigures({
    machine: { cores: os.cpus().length, 'load before': load },
    speed: await speed(cluster, provider.url),
    'taken over after, ms': { 'kill -9, another one on the machine': await takeOver(cluster, provider.url, 'SIGKILL'), 'stopped, known by its lease alone': await takeOver(cluster, provider.url, 'SIGSTOP') },
    deltas: await deltas(cluster, provider.url),
    growth: await growth(cluster, provider.url),
  });
} finally {
  await provider.close();
  await cluster.stop();
  fs.rmSync(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
}
process.exit(0);
