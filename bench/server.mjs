// Measures `skillmint serve` on loopback with a scripted model that takes 300 ms: turns that arrive evenly and as one burst (added
// latency, first token, memory), idle event streams, and the listing of many stored sessions. Prints tables and JSON.
// npm run bench:server -- [--turns 200] [--streams 1000] [--sessions 5000]
import fs from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createClient } from '../dist/lib/client.js';
import { startFakeProvider } from '../dist/lib/testing.js';
import { startServer } from './lib/served.mjs';
import { showFigures, spread } from './lib/figures.mjs';

const LATENCY_MS = 300;
const SPREAD_MS = 10_000;
const { values } = parseArgs({ options: { turns: { type: 'string', default: '200' }, streams: { type: 'string', default: '1000' }, sessions: { type: 'string', default: '5000' } } });
const [turns, streams, sessions] = [Number(values.turns), Number(values.streams), Number(values.sessions)];

function memoryMb(pid, field) {
  return Math.round(Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(fs.readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024);
}

/** User and system time of a process so far, s. */
function cpuSeconds(pid) {
  const fields = fs.readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/** When the model began to speak, by the word that it said. */
const spoke = new Map();
let words = 0;

/** One reply after the latency, with a word of its own, in a few pieces. */
async function step() {
  await sleep(LATENCY_MS);
  const word = `w${(words += 1)}.`;
  spoke.set(word, performance.now());
  return { text: `${word} and what follows it, in some pieces of a stream`, fragment: 12 };
}

/** One turn as a page sees it: what it took beyond the model, ms, and how long the first word was on its way, ms. */
async function oneTurn(client) {
  const { id } = await client.createSession({ body: {} });
  const stop = new AbortController();
  const following = client.follow(id, { signal: stop.signal });
  await following.next();
  const began = performance.now();
  await client.sendMessage({ id, body: { text: 'Say something.' } });
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
  const addedMs = performance.now() - began - LATENCY_MS;
  stop.abort();
  return { addedMs, firstMs };
}

async function load(client, pid, { name, everyMs }) {
  const began = performance.now();
  const running = [];
  for (let n = 0; n < turns; n += 1) {
    const wait = began + n * everyMs - performance.now();
    if (wait > 0) await sleep(wait);
    running.push(oneTurn(client));
  }
  const done = await Promise.all(running);
  return { name, turns, 'added ms': spread(done.map(({ addedMs }) => addedMs)), 'first token ms': spread(done.map(({ firstMs }) => firstMs)), seconds: Math.round((performance.now() - began) / 100) / 10, 'peak MB': memoryMb(pid, 'VmHWM') };
}

/** Streams that are open and say nothing; then a turn in one of their sessions, which all of them hear. */
async function idleStreams(client, { url, token, child: { pid } }) {
  const { id } = await client.createSession({ body: {} });
  const agent = new http.Agent({ maxSockets: Number.POSITIVE_INFINITY });
  const before = memoryMb(pid, 'VmRSS');
  const heard = [];
  const open = await Promise.all(Array.from({ length: streams }, () => new Promise((resolve, reject) => {
    const request = http.get(`${url}/api/sessions/${id}/events`, { agent, headers: { authorization: `Bearer ${token}` } }, (response) => {
      response.on('data', (chunk) => String(chunk).includes('turn.completed') && heard.push(performance.now()));
      resolve(request);
    });
    request.once('error', reject);
  })));
  const opened = memoryMb(pid, 'VmRSS');
  const cpu = cpuSeconds(pid);
  await sleep(5_000);
  const idleCpu = cpuSeconds(pid) - cpu;
  const turn = await oneTurn(client);
  await client.sendMessage({ id, body: { text: 'Say something.' } });
  while (heard.length < streams) await sleep(20);
  const all = Math.max(...heard) - Math.min(...heard);
  for (const request of open) request.destroy();
  return { streams, 'MB before': before, 'MB open': opened, 'CPU s in 5 s idle': Math.round(idleCpu * 100) / 100, 'added ms of a turn beside': Math.round(turn.addedMs), 'ms from first to last that heard': Math.round(all) };
}

async function listing(client) {
  for (let left = sessions; left > 0; left -= 50) await Promise.all(Array.from({ length: Math.min(50, left) }, () => client.createSession({ body: {} })));
  const times = [];
  for (let n = 0; n < 100; n += 1) {
    const began = performance.now();
    const { sessions: page } = await client.listSessions({ query: { limit: '50', offset: String((n * 50) % sessions) } });
    if (page.length === 0) throw new Error('a page is empty');
    times.push(performance.now() - began);
  }
  return { sessions, 'ms of a page of 50': spread(times) };
}

const root = fs.mkdtempSync(path.join(os.tmpdir(), 'skillmint-bench-server-'));
const provider = await startFakeProvider({ steps: Array.from({ length: turns * 2 + 100 }, () => step) });
let server;
try {
  server = await startServer({ root, modelUrl: provider.url });
  const client = createClient(server);
  await oneTurn(client); // loads what turns need
  const even = await load(client, server.child.pid, { name: `over ${SPREAD_MS / 1_000} s`, everyMs: SPREAD_MS / turns });
  const burst = await load(client, server.child.pid, { name: 'as one burst', everyMs: 0 });
  const figures = { even, burst, idle: await idleStreams(client, server), listing: await listing(client) };
  showFigures(figures);
} finally {
  server?.child.kill('SIGTERM');
  await provider.close();
  fs.rmSync(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
}
