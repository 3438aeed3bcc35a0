#!/usr/bin/env node
// Splits cases into a part to learn from and a part that is held out: the same way each time. Node 18 or newer, no packages.
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';

const HELP = `usage: node split-cases.mjs FILE --out FOLDER [--held-out 0.4] [--seed TEXT]

FILE is a list of {query, should_trigger}, or {"evals": [...]}. Writes learn.json and held-out.json of the same form into FOLDER
and prints how many went where. The split depends on the cases and the seed alone; cases of both sides are split in the same share.
Exit code 2 when it was called in the wrong way.`;

const stop = (message) => {
  console.error(message);
  process.exit(2);
};

const args = process.argv.slice(2);
if (args.includes('--help') || args.includes('-h')) {
  console.log(HELP);
  process.exit(0);
}
const options = { out: undefined, 'held-out': '0.4', seed: '42' };
let file;
for (let i = 0; i < args.length; i += 1) {
  const name = args[i].replace(/^--/, '');
  if (!args[i].startsWith('--')) file ??= args[i];
  else if (!Object.hasOwn(options, name) || args[i + 1] === undefined) stop(`${args[i]} is no option, or lacks its value.\n${HELP}`);
  else options[name] = args[(i += 1)];
}
const share = Number(options['held-out']);
if (file === undefined || options.out === undefined) stop(HELP);
if (!(share > 0 && share < 1)) stop(`--held-out has to lie between 0 and 1, not ${options['held-out']}.`);

const root = read(file);
const isSuite = !Array.isArray(root);
const cases = isSuite ? root.evals : root;
if (!Array.isArray(cases)) stop(`${file} is neither a list nor an object with "evals".`);
if (cases.length < 4) stop(`${file} has ${cases.length} cases: too few to hold some out. Write more first.`);

const parts = { learn: [], 'held-out': [] };
for (const side of [true, false, undefined]) {
  const own = cases.filter((each) => each.should_trigger === side);
  const held = new Set([...own].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1)).slice(0, Math.round(own.length * share)));
  for (const each of own) parts[held.has(each) ? 'held-out' : 'learn'].push(each);
}
fs.mkdirSync(options.out, { recursive: true });
for (const [name, list] of Object.entries(parts)) {
  const ordered = cases.filter((each) => list.includes(each));
  fs.writeFileSync(path.join(options.out, `${name}.json`), `${JSON.stringify(isSuite ? { ...root, evals: ordered } : ordered, null, 2)}\n`);
}
console.log(JSON.stringify({ learn: parts.learn.length, held_out: parts['held-out'].length, folder: path.resolve(options.out) }));

function read(name) {
  try {
    return JSON.parse(fs.readFileSync(name, 'utf8'));
  } catch (error) {
    return stop(`${name} cannot be read as JSON: ${error.message}`);
  }
}

function keyOf(each) {
  return createHash('sha256').update(`${options.seed}\0${each.query ?? each.prompt ?? JSON.stringify(each)}`).digest('hex');
}
