// Measures the start of the built program in a pseudo-terminal (util-linux `script`): until its message field shows what is typed,
// beside a bare Node; and starts of other commands, which must not load the screen. Prints a table, ratios and JSON.
// npm run bench:terminal -- [--rounds 15]
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { showFigures, spread } from './lib/figures.mjs';

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '15' } } });
const PROGRAM = path.resolve('dist/cli.js');
const WORD = 'typed-word';
/** The terminal reports pastes from here on, so keys are read. */
const LISTENS = '\u001b[?2004h';
const CTRL_C = '\u0003';
const CTRL_D = '\u0004';

const home = fs.mkdtempSync(path.join(os.tmpdir(), 'skillmint-bench-terminal-'));
const env = { PATH: process.env.PATH, HOME: home, LANG: 'C.UTF-8', TERM: 'xterm-256color', SKILLMINT_HOME: path.join(home, '.skillmint') };

/** Starts a command in a pseudo-terminal; resolves with the time until `until` of all output is true, ms, once it has been ended by `end`. */
function inTerminal(command, { type = () => undefined, until, end = '' }) {
  const began = performance.now();
  const child = spawn('script', ['-qefc', command.map((word) => `'${word}'`).join(' '), '/dev/null'], { cwd: home, env });
  let seen = '';
  let took;
  return new Promise((resolve, reject) => {
    child.stdout.setEncoding('utf8').on('data', (chunk) => {
      seen += chunk;
      type(seen, (text) => child.stdin.write(text));
      if (took !== undefined || !until(seen)) return;
      took = performance.now() - began;
      child.stdin.write(end);
    });
    child.on('error', reject);
    child.on('close', () => resolve(took ?? performance.now() - began));
  });
}

/** Types a word as soon as keys are read. */
function typesOnce() {
  let typed = false;
  return (seen, write) => {
    if (typed || !seen.includes(LISTENS)) return;
    typed = true;
    write(WORD);
  };
}

const never = () => false;
const MEASURED = {
  node: () => inTerminal([process.execPath, '-e', '0'], { until: never }),
  screen: () => inTerminal([process.execPath, PROGRAM], { type: typesOnce(), until: (seen) => seen.split(LISTENS).at(-1)?.includes(`${WORD}\u001b`) === true || new RegExp(`─[^─]*${WORD}`).test(seen), end: CTRL_C + CTRL_D }),
  plain: () => inTerminal([process.execPath, PROGRAM, '--plain'], { until: (seen) => /\n.*> /.test(seen), end: CTRL_D }),
  version: () => inTerminal([process.execPath, PROGRAM, '--version'], { until: never }),
  sessions: () => inTerminal([process.execPath, PROGRAM, 'sessions', 'list', '--json'], { until: never }),
};
const NAMES = { node: 'bare Node, whole', screen: 'screen: start to a field that takes words', plain: 'plain lines: start to the prompt', version: '--version, whole', sessions: 'sessions list, whole' };

const times = Object.fromEntries(Object.keys(MEASURED).map((name) => [name, []]));
try {
  // The first start of each compiles and keeps what it has compiled.
  for (const measure of Object.values(MEASURED)) await measure();
  for (let round = 0; round < Number(values.rounds); round += 1) for (const [name, measure] of Object.entries(MEASURED)) times[name].push(await measure());
} finally {
  fs.rmSync(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
}
const figures = Object.fromEntries(Object.entries(times).map(([name, all]) => [NAMES[name], spread(all)]));
// Each beside the bare Node of its own round: what else the machine does then slows both.
const ratios = Object.fromEntries(Object.entries(times).map(([name, all]) => {
  const { p50, p95 } = Object.fromEntries(Object.entries(spread(all.map((took, round) => (1_000 * took) / (times.node[round] ?? took)))).map(([key, value]) => [key, Math.round(value / 10) / 100]));
  return [NAMES[name], { p50, p95 }];
}));
showFigures({ 'start in a terminal, ms': figures, 'times the bare Node of the same round': ratios });
