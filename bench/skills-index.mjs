// Measures the index of skills: first indexing, size, opening it warm, questions, memory. Prints a table and JSON.
// npm run bench:skills -- [--skills N] [--corpus FILE.jsonl.gz]... [--keep FOLDER]
// Skills are made from a seeded generator, or from rows with `name`, `description` and `body` of the given files.
// Questions go through the dictionary, as in a turn: run `npm run build` first.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { rolldown } from 'rolldown';
import { writeCorpus } from './skill-corpus.mjs';

const { values } = parseArgs({ options: { skills: { type: 'string', default: '10000' }, corpus: { type: 'string', multiple: true, default: [] }, keep: { type: 'string' }, child: { type: 'string' }, phase: { type: 'string' } } });

const QUESTIONS = [
  'turn a csv file into a report with charts', 'review this pull request for security problems', 'write unit tests for the parser', 'deploy the service to kubernetes', 'translate the documentation into French',
  'find out why the build is slow', 'create a presentation about our sales', 'extract the tables from this pdf', 'set up authentication with OAuth', 'refactor the database layer', 'optimise this SQL query',
  'generate an image of a cat', 'summarise the meeting notes', 'fix the failing continuous integration', 'draft an email to a customer', 'analyse the logs of the web server', '把这个表格转换成图表', '写一份关于销售的报告',
  'plan a trip to Japan', 'write release notes for version 2', 'migrate from JavaScript to TypeScript', 'scrape a website into JSON', 'design a landing page', 'explain this error message',
];

function percentile(sorted, share) {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}

/** ms of processor time so far: says more than the clock where others use the machine. */
function cpuMs() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** One process: opens the index, makes a view, asks. */
async function child() {
  const given = JSON.parse(values.child);
  const started = performance.now();
  const startedCpu = cpuMs();
  const { SkillIndex, localTree, openLexicon } = await import(pathToFileURL(given.bundle).href);
  const loaded = performance.now();
  const loadedCpu = cpuMs();
  const index = new SkillIndex({ tree: localTree(), program: 'bench', worker: String(process.pid), now: () => Date.now(), file: given.file });
  let lexicon;
  const view = () => index.openView({ tree: localTree(), cwd: given.home, home: given.home, dataFolder: path.join(given.home, '.skillmint'), env: {}, visibilityKey: '', budgetMs: given.budgetMs, lexicon: () => (lexicon ??= openLexicon(given.lexicon)) });
  const opened = await view();
  const ready = performance.now();
  const figures = { loadMs: loaded - started, warmMs: ready - loaded, warmCpuMs: cpuMs() - loadedCpu, complete: opened.view.complete };
  if (values.phase === 'fill') {
    const delays = [];
    let last = performance.now();
    const timer = setInterval(() => {
      delays.push(performance.now() - last - 5);
      last = performance.now();
    }, 5);
    await index.fill(opened.roots);
    clearInterval(timer);
    figures.fillMs = performance.now() - started;
    figures.fillCpuMs = cpuMs() - startedCpu;
    figures.stallMs = Math.max(...delays);
  } else {
    const times = [];
    const before = cpuMs();
    for (let round = 0; round < 5; round += 1) {
      for (const question of QUESTIONS) {
        const at = performance.now();
        await opened.view.rank(question, 8);
        times.push(performance.now() - at);
      }
    }
    figures.firstMs = times[0];
    figures.queryCpuMs = (cpuMs() - before) / times.length;
    times.sort((a, b) => a - b);
    Object.assign(figures, { total: opened.view.total, p50Ms: percentile(times, 0.5), p99Ms: percentile(times, 0.99) });
    const wrong = performance.now();
    await opened.view.resolve('no-such-skill-as-this');
    figures.wrongNameMs = performance.now() - wrong;
  }
  figures.peakMb = process.resourceUsage().maxRSS / 1024;
  const closing = performance.now();
  await index.close();
  figures.closeMs = performance.now() - closing;
  console.log(JSON.stringify(figures));
}

function run(phase, given) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [import.meta.filename, '--phase', phase, '--child', JSON.stringify(given)], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`the ${phase} process failed: ${stderr}`);
  return JSON.parse(stdout.trim().split('\n').at(-1));
}

async function bundle(folder) {
  const entry = path.join(folder, 'entry.ts');
  const source = path.resolve(import.meta.dirname, '../src');
  fs.writeFileSync(entry, `export { SkillIndex } from '${source}/skills/index/skill-index.ts';\nexport { localTree } from '${source}/host/local-tree.ts';\nexport { openLexicon } from '${source}/skills/search/lexicon.ts';\n`);
  const built = await rolldown({ input: entry, platform: 'node', external: [/^node:/, 'libsql'] });
  await built.write({ dir: path.join(folder, 'dist'), format: 'esm', entryFileNames: 'index.mjs' });
  await built.close();
  fs.symlinkSync(path.resolve(import.meta.dirname, '../node_modules'), path.join(folder, 'node_modules'), 'dir');
  return path.join(folder, 'dist', 'index.mjs');
}

async function main() {
  const root = values.keep ?? fs.mkdtempSync(path.join(os.tmpdir(), 'skillmint-skills-bench-'));
  fs.mkdirSync(root, { recursive: true });
  try {
    const home = path.join(root, 'home');
    const folder = path.join(home, '.agents', 'skills');
    if (!fs.existsSync(folder)) writeCorpus(folder, { count: Number(values.skills), files: values.corpus });
    const work = fs.mkdtempSync(path.join(root, 'work-'));
    const given = { home, file: path.join(work, 'skills.db'), bundle: await bundle(work), budgetMs: 200, lexicon: path.resolve(import.meta.dirname, '../dist/lexicon.txt') };
    const fill = run('fill', given);
    const asks = Array.from({ length: 5 }, () => run('ask', given));
    const middle = (name) => asks.map((each) => each[name]).sort((a, b) => a - b)[2];
    const figures = {
      skills: asks[0].total,
      firstIndexingS: fill.fillMs / 1000,
      firstIndexingCpuS: fill.fillCpuMs / 1000,
      longestStallMs: fill.stallMs,
      indexingPeakMb: fill.peakMb,
      sizeMb: fs.statSync(given.file).size / 1e6,
      warmOpenMs: middle('warmMs'),
      warmOpenCpuMs: middle('warmCpuMs'),
      firstQueryMs: middle('firstMs'),
      queryCpuMs: middle('queryCpuMs'),
      queryP50Ms: middle('p50Ms'),
      queryP99Ms: middle('p99Ms'),
      wrongNameMs: middle('wrongNameMs'),
      peakMb: middle('peakMb'),
      closeMs: middle('closeMs'),
    };
    console.log('| figure | value |\n| --- | ---: |');
    for (const [name, value] of Object.entries(figures)) console.log(`| ${name} | ${Number.isInteger(value) ? value : value.toFixed(1)} |`);
    console.log(JSON.stringify(figures));
  } finally {
    if (values.keep === undefined) fs.rmSync(root, { recursive: true, force: true });
  }
}

await (values.child === undefined ? main() : child());
