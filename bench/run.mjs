// Measures the built program beside plain Node and prints a table. Read the ratios: milliseconds belong to the machine.
// node bench/run.mjs [--rounds N]      (npm run bench builds first)
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { median } from './measure.mjs';
import { runRound } from './scenarios.mjs';

const DEFAULT_ROUNDS = 7;
const folder = path.resolve(import.meta.dirname, '..');
const cli = path.join(folder, 'dist', 'cli.js');

/** Rows of the table: label, figure of ours, figure it is compared with, the ratio that we hold ourselves to. */
const ROWS = [
  ['start → first model request, ms', 'hello.firstMs', 'plainHello.firstMs', 2.2],
  ['one-line answer, ms', 'hello.wallMs', 'plainHello.wallMs', 2.2],
  ['per turn over 20 tool turns, ms', 'turns.turnMs', 'plainTurns.turnMs', 2],
  ['peak memory, one line, MB', 'hello.peakMb', 'plainHello.peakMb', 1.5],
  ['peak memory, 20 turns, MB', 'turns.peakMb', 'plainTurns.peakMb', 1.5],
  ['`--version` against `node -e 0`, ms', 'version.wallMs', 'node.wallMs', 1.3],
  ['`skills list`, 200 skills, against `node -e 0`, ms', 'list.wallMs', 'node.wallMs', 2],
];

function roundsWanted() {
  const at = process.argv.indexOf('--rounds');
  const rounds = at < 0 ? DEFAULT_ROUNDS : Number(process.argv[at + 1]);
  if (!Number.isInteger(rounds) || rounds < 1) throw new Error('--rounds takes a whole number of at least 1');
  return rounds;
}

function hasBubblewrap() {
  try {
    execFileSync('bwrap', ['--version'], { stdio: 'ignore' });
    return true;
  } catch (error) {
    if (error.code === 'ENOENT') return false;
    throw error;
  }
}

function figure(results, name) {
  const [job, field] = name.split('.');
  return median(results.map((round) => round[job][field]));
}

function row([label, ours, plain, bar], results) {
  const [own, floor] = [figure(results, ours), figure(results, plain)];
  if (own === undefined || floor === undefined) return `| ${label} | not measured on this system | | | |`;
  return `| ${label} | ${own.toFixed(1)} | ${floor.toFixed(1)} | ${(own / floor).toFixed(2)} | ${bar} |`;
}

if (!fs.existsSync(cli)) throw new Error(`${cli} is missing: run npm run build first`);
const { startFakeProvider } = await import(pathToFileURL(path.join(folder, 'dist', 'lib', 'testing.js')).href);
const rounds = roundsWanted();
const sandbox = hasBubblewrap() ? 'required' : 'off';
const root = fs.mkdtempSync(path.join(os.tmpdir(), 'skillmint-bench-'));
try {
  const results = [];
  const shared = { root, cli, floor: path.join(folder, 'bench', 'floor.mjs'), startFakeProvider, sandbox };
  await runRound({ ...shared, round: -1 });
  for (let round = 0; round < rounds; round += 1) results.push(await runRound({ ...shared, round }));
  console.log(`Node ${process.version}, ${os.cpus().length} cores, ${os.cpus()[0]?.model ?? 'unknown processor'}, ${rounds} rounds, sandbox ${sandbox}; medians\n`);
  console.log('| figure | skillmint | plain Node | ratio | held to |\n| --- | ---: | ---: | ---: | ---: |');
  for (const one of ROWS) console.log(row(one, results));
  console.log(`| first request, bytes | ${figure(results, 'hello.bytes')} | ${figure(results, 'plainHello.bytes')} | | |`);
} finally {
  fs.rmSync(root, { recursive: true, force: true });
}
