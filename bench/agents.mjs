// Measures memory of many sub-agents in one session: the largest resident size of the program while 100 of them run, ten calls of
// Task in a reply, each agent making two calls of tools. Prints a table and JSON; exits with 1 above the bound.
// npm run bench:agents -- [--agents N] [--background]      (run `npm run build` first)
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { startFakeProvider } from '../dist/lib/testing.js';

const BOUND_MB = 300;
const IN_A_REPLY = 10;
const { values } = parseArgs({ options: { agents: { type: 'string', default: '100' }, background: { type: 'boolean', default: false } } });
const agents = Number(values.agents);

/** The session starts agents until it has all; an agent looks at a file twice and ends with a long text. */
function step({ body }) {
  const results = body.messages.filter((message) => message.role === 'tool').length;
  const isAgent = JSON.stringify(body.messages.find((message) => message.role === 'user')).includes('INNER');
  if (isAgent) return results < 2 ? { calls: [{ name: 'Read', input: { file_path: 'long.txt', offset: results + 1 } }] } : 'RESULT '.repeat(500);
  if (results >= agents) return 'end';
  return { calls: Array.from({ length: Math.min(IN_A_REPLY, agents - results) }, (_, n) => ({ name: 'Task', input: { prompt: `INNER ${results + n}`, ...(values.background ? { run_in_background: true } : {}) } })) };
}

function residentMb(pid) {
  try {
    return Number(/VmRSS:\s+(\d+) kB/.exec(fs.readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    return 0; // It has ended.
  }
}

const root = fs.mkdtempSync(path.join(os.tmpdir(), 'skillmint-bench-agents-'));
const provider = await startFakeProvider({ steps: Array.from({ length: agents * 4 + 100 }, () => step) });
try {
  const data = path.join(root, '.skillmint');
  const project = path.join(root, 'project');
  for (const folder of [data, project]) fs.mkdirSync(folder, { mode: 0o700 });
  fs.writeFileSync(path.join(project, 'long.txt'), 'a line of text that is read by each agent\n'.repeat(1_500));
  fs.writeFileSync(path.join(data, 'config.json'), JSON.stringify({ providers: { fake: { api: 'openai-chat', baseUrl: provider.url, apiKey: 'k', models: [{ id: 'm', contextWindow: 200_000 }] } } }), { mode: 0o600 });
  const began = performance.now();
  const child = spawn(process.execPath, [path.resolve('dist/cli.js'), 'run', 'go', '--model', 'fake/m', '--permission-mode', 'unrestricted', '--sandbox', 'off', '--output', 'stream-json'], { cwd: project, env: { PATH: process.env.PATH, HOME: root, SKILLMINT_HOME: data }, stdio: ['ignore', 'pipe', 'inherit'] });
  let most = 0;
  const first = { mb: 0, ended: 0 };
  const timer = setInterval(() => { most = Math.max(most, residentMb(child.pid)); }, 20);
  let ended = 0;
  let rest = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop();
    ended += lines.filter((line) => line.includes('"type":"turn.completed"') && line.includes('"is_sub_agent":true')).length;
    if (first.mb === 0 && ended >= IN_A_REPLY) Object.assign(first, { mb: residentMb(child.pid), ended });
  });
  const code = await new Promise((resolve) => child.on('close', resolve));
  clearInterval(timer);
  const figures = { agents, background: values.background, ...(values.background ? {} : { ended }), code, rssMb: Math.round(most), rssAfterTenMb: Math.round(first.mb), seconds: Math.round((performance.now() - began) / 100) / 10 };
  for (const [name, value] of Object.entries(figures)) console.log(`${name.padEnd(14)}  ${value}`);
  console.log(JSON.stringify(figures));
  process.exitCode = code === 0 && most <= BOUND_MB ? 0 : 1;
} finally {
  await provider.close();
  fs.rmSync(root, { recursive: true, force: true });
}
