// Measures the web interface of the built package in the Chromium of this machine, with a scripted model: from the printed link to a
// message field that takes words, the same with a warm cache, a session of 5,000 events, and a list of 1,000 skills. Prints tables and JSON.
// npm run bench:interface -- [--rounds 7] [--turns 715] [--skills 1000]
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import zlib from 'node:zlib';
import { chromium } from 'playwright-core';
import { createClient } from '../dist/lib/client.js';
import { startFakeProvider } from '../dist/lib/testing.js';
import { showFigures, spread } from './lib/figures.mjs';
import { startServer } from './lib/served.mjs';

const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'];
const { values } = parseArgs({ options: { rounds: { type: 'string', default: '7' }, turns: { type: 'string', default: '715' }, skills: { type: 'string', default: '1000' } } });
const [rounds, turns, skills] = [Number(values.rounds), Number(values.turns), Number(values.skills)];

/** Notes tasks of over 50 ms and the longest time between two frames. */
const WATCH = `(() => {
  const seen = { tasks: [0], frame: 0 };
  new PerformanceObserver((list) => { for (const { duration } of list.getEntries()) seen.tasks.push(Math.round(duration)); }).observe({ type: 'longtask', buffered: true });
  let last = performance.now();
  const frame = (now) => { seen.frame = Math.max(seen.frame, Math.round(now - last)); last = now; requestAnimationFrame(frame); };
  requestAnimationFrame(frame);
  globalThis.seen = seen;
})()`;

/** Notes in the page itself when the message field is there and takes words: whoever asks from outside asks only every half second. */
const NOTE_READY = `(() => {
  const look = () => {
    const field = document.querySelector('textarea[data-message]');
    if (field && !field.disabled) globalThis.readyMs = performance.now();
    else setTimeout(look, 2);
  };
  look();
})()`;

/** One turn of the model: it reads a file, then says a little in Markdown. */
function steps() {
  return Array.from({ length: turns }, (_, index) => [
    { text: 'I look.', calls: [{ name: 'Read', input: { file_path: 'notes.md' } }] },
    { text: `## Step ${index}\n\nI read the file and see **one** thing:\n\n- first \`a${index}\`\n- then \`b${index}\`\n\n\`\`\`ts\nexport const value = ${index};\n\`\`\`\n\nThat was step ${index}.` },
  ]).flat();
}

/** Opens an address; resolves with the time until the message field takes words, ms from the beginning of the navigation. */
async function ready(page, address) {
  await page.goto(address);
  await page.locator('textarea[data-message]').fill('a word');
  return page.evaluate('globalThis.readyMs');
}

/** What `act` takes by the clock, ms. */
async function timed(act) {
  const began = performance.now();
  await act();
  return performance.now() - began;
}

async function opening(browser, { link, url }) {
  const [first, again] = [[], []];
  const scripts = [];
  for (let round = 0; round < rounds; round += 1) {
    const context = await browser.newContext();
    const page = await context.newPage();
    if (round === 0) page.on('response', async (answer) => answer.url().endsWith('.js') && scripts.push(zlib.gzipSync(await answer.body()).length));
    await page.addInitScript(NOTE_READY);
    first.push(await ready(page, link));
    page.removeAllListeners('response');
    again.push(await ready(page, url));
    await context.close();
  }
  return { 'ms from the link, login included': spread(first), 'ms opened again': spread(again), 'script kB gzip': Math.round(scripts.reduce((sum, size) => sum + size, 0) / 100) / 10 };
}

/** Sends a message and waits until its turn has ended. */
async function oneTurn(client, following, id, text) {
  await client.sendMessage({ id, body: { text } });
  for (;;) {
    const { value, done } = await following.next();
    if (done) throw new Error('the stream of events has ended');
    if (value.type === 'turn.completed') return;
  }
}

async function longSession(page, client, url) {
  const { id } = await client.createSession({ body: {} });
  const stop = new AbortController();
  const following = client.follow(id, { signal: stop.signal });
  for (let turn = 0; turn < turns; turn += 1) await oneTurn(client, following, id, `Question ${turn}`);
  stop.abort();
  const openMs = await timed(async () => {
    await page.goto(`${url}/chat/${id}`);
    await page.getByText(`That was step ${turns - 1}.`).first().waitFor();
  });
  await page.evaluate(WATCH);
  await page.getByRole('region', { name: 'Conversation' }).hover();
  let wheels = 0;
  const scrollMs = await timed(async () => {
    for (; (await page.evaluate('document.querySelector("[role=region]").scrollTop')) > 0; wheels += 1) await page.mouse.wheel(0, -1_000);
  });
  return { turns, 'ms to its end': Math.round(openMs), 'turns of the wheel to its start': wheels, 'ms of one': Math.round(scrollMs / wheels), ...(await strain(page)) };
}

async function strain(page) {
  const { tasks, frame } = await page.evaluate('globalThis.seen');
  return { 'tasks over 50 ms': tasks.length - 1, 'longest task ms': Math.max(...tasks), 'longest frame ms': frame };
}

async function skillList(page, client, { url, project }) {
  for (let number = 0; number < skills; number += 1) {
    const folder = path.join(project, '.skillmint', 'skills', `bench-skill-${number}`);
    fs.mkdirSync(folder, { recursive: true });
    fs.writeFileSync(path.join(folder, 'SKILL.md'), `---\nname: bench-skill-${number}\ndescription: Fills form number ${number} of the bench and checks it. Use when form ${number} is mentioned.\n---\n\n# Form ${number}\n`);
  }
  while ((await client.listSkills({ query: { cwd: project } })).skills.length < skills) await sleep(100);
  const again = [];
  for (let round = 0; round < rounds; round += 1) {
    again.push(await timed(async () => {
      await page.goto(`${url}/skills`);
      await page.getByText('bench-skill-').first().waitFor();
    }));
  }
  await page.evaluate(WATCH);
  await page.getByText('bench-skill-').first().hover();
  for (let turn = 0; turn < 60; turn += 1) await page.mouse.wheel(0, 1_000);
  return { skills, 'ms to the list': spread(again), ...(await strain(page)) };
}

const root = fs.mkdtempSync(path.join(os.tmpdir(), 'skillmint-bench-interface-'));
const provider = await startFakeProvider({ steps: steps() });
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: FLAGS });
let server;
try {
  server = await startServer({ root, modelUrl: provider.url });
  fs.writeFileSync(path.join(server.project, 'notes.md'), 'A line.\n'.repeat(40));
  const link = `${server.url}/#token=${server.token}`;
  const figures = { opening: await opening(browser, { link, url: server.url }) };
  const page = await browser.newPage();
  await page.addInitScript(NOTE_READY);
  await ready(page, link);
  const client = createClient(server);
  figures.session = await longSession(page, client, server.url);
  figures.skills = await skillList(page, client, server);
  showFigures(figures);
} finally {
  await browser.close();
  server?.child.kill('SIGTERM');
  await provider.close();
  fs.rmSync(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
}
