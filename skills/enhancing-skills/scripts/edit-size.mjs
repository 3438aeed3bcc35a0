#!/usr/bin/env node
// Says how large the difference of two folders of a skill is, in lines. Node 18 or newer, no packages.
import fs from 'node:fs';
import path from 'node:path';

const HELP = `usage: node edit-size.mjs OLD NEW [--most 20]

OLD and NEW are folders of a skill. Prints {"files": [{"path", "added", "removed"}], "lines", "within"} as JSON: lines that
were added or removed, whichever is more in each file. Exit code 0 when there are at most --most of them, 1 when there are
more, 2 when it was called in the wrong way.`;

const stop = (message) => {
  console.error(message);
  process.exit(2);
};

const args = process.argv.slice(2);
if (args.includes('--help') || args.includes('-h')) {
  console.log(HELP);
  process.exit(0);
}
const at = args.indexOf('--most');
const most = at < 0 ? 20 : Number(args[at + 1]);
const [before, after] = at < 0 ? args : args.filter((_, i) => i !== at && i !== at + 1);
if (before === undefined || after === undefined || !Number.isInteger(most) || most < 0) stop(HELP);
for (const folder of [before, after]) if (!fs.existsSync(folder) || !fs.statSync(folder).isDirectory()) stop(`${folder} is no folder.`);

const names = [...new Set([...filesOf(before), ...filesOf(after)])].sort();
const files = names.map((name) => ({ path: name, ...difference(linesOf(before, name), linesOf(after, name)) })).filter(({ added, removed }) => added + removed > 0);
const lines = files.reduce((sum, { added, removed }) => sum + Math.max(added, removed), 0);
console.log(JSON.stringify({ files, lines, within: lines <= most }, null, 2));
process.exitCode = lines <= most ? 0 : 1;

function filesOf(folder, inner = '') {
  return fs.readdirSync(path.join(folder, inner), { withFileTypes: true }).flatMap((entry) => {
    const name = inner === '' ? entry.name : `${inner}/${entry.name}`;
    if (entry.isDirectory()) return entry.name === '.git' ? [] : filesOf(folder, name);
    return entry.isFile() ? [name] : [];
  });
}

function linesOf(folder, name) {
  const file = path.join(folder, name);
  return fs.existsSync(file) ? fs.readFileSync(file, 'utf8').split('\n') : [];
}

/** By the longest common run of lines, equal ones at both ends left out first. */
function difference(a, b) {
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end += 1;
  const [x, y] = [a.slice(start, a.length - end), b.slice(start, b.length - end)];
  let row = Array.from({ length: y.length + 1 }, () => 0);
  for (const line of x) {
    const next = [0];
    for (let i = 0; i < y.length; i += 1) next.push(line === y[i] ? row[i] + 1 : Math.max(row[i + 1], next[i]));
    row = next;
  }
  const common = row[y.length];
  return { added: y.length - common, removed: x.length - common };
}
