#!/usr/bin/env node
// Checks the folder of a skill for what no client forgives and what makes skills fail. Node 18 or newer, no packages.
import fs from 'node:fs';
import path from 'node:path';

const HELP = `usage: node check-skill.mjs FOLDER

Prints {"ok", "findings": [{"severity", "message"}]} as JSON. Exit code 0 when there is no error, 1 when there is one, 2 when
it was called in the wrong way.`;

const STANDARD = new Set(['name', 'description', 'license', 'compatibility', 'metadata', 'allowed-tools']);
const findings = [];
const error = (message) => findings.push({ severity: 'error', message });
const warning = (message) => findings.push({ severity: 'warning', message });

const [given] = process.argv.slice(2);
if (given === '--help' || given === '-h') {
  console.log(HELP);
  process.exit(0);
}
if (given === undefined || !fs.existsSync(given) || !fs.statSync(given).isDirectory()) {
  console.error(given === undefined ? HELP : `${given} is no folder. Give the folder of the skill.`);
  process.exit(2);
}

const folder = path.resolve(given);
const file = path.join(folder, 'SKILL.md');
if (!fs.readdirSync(folder).includes('SKILL.md')) error('There is no SKILL.md at the top of the folder, spelled so.');
else checkText(fs.readFileSync(file, 'utf8'));
console.log(JSON.stringify({ ok: findings.every(({ severity }) => severity !== 'error'), findings }, null, 2));
process.exitCode = findings.some(({ severity }) => severity === 'error') ? 1 : 0;

function checkText(text) {
  if (text.startsWith('\ufeff')) error('SKILL.md begins with a byte order mark: save it as UTF-8 without one.');
  if (text.includes('\r')) warning('SKILL.md has Windows line ends: save it with LF.');
  const parts = /^\ufeff?---\r?\n([^]*?)\r?\n---\r?\n([^]*)$/.exec(text);
  if (!parts) return error('SKILL.md does not begin with fields between two lines ---.');
  const [, head, body] = parts;
  checkFields(fieldsOf(head), head);
  checkBody(body);
}

/** Top-level fields with their text; enough for a check, no YAML reader. */
function fieldsOf(head) {
  const fields = new Map();
  let last;
  for (const line of head.split(/\r?\n/)) {
    const [, key, value] = /^([A-Za-z_][\w-]*):(.*)$/.exec(line) ?? [];
    if (key !== undefined) fields.set((last = key), value.trim());
    else if (last !== undefined && /^\s+\S/.test(line)) fields.set(last, `${fields.get(last).replace(/^[>|][+-]?$/, '')} ${line.trim()}`.trim());
  }
  return fields;
}

function checkFields(fields) {
  const plain = (text = '') => text.replace(/^(["'])([^]*)\1$/, '$2');
  const name = plain(fields.get('name'));
  if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name) || name.length > 64) error(`The name ${JSON.stringify(name)} has to be at most 64 lower-case letters, digits and single hyphens.`);
  else if (name !== path.basename(folder)) error(`The skill is called ${name} and its folder ${path.basename(folder)}: give both the same name.`);
  const written = fields.get('description') ?? '';
  const description = plain(written);
  if (description === '') error('There is no description.');
  const { length } = Array.from(description);
  if (length > 1024) error(`The description has ${length} characters; 1,024 are allowed.`);
  if (/[<>]/.test(description)) error('The description holds < or >, which some clients refuse.');
  if (!/^["'>|]/.test(written) && /: | #/.test(written)) error('The description holds ": " or " #" and is not quoted, so it cannot be read: put it into quotes.');
  if (description.length > 0 && description.length < 60) warning('The description is very short: say what the skill does and when to use it.');
  if (!/\b(use|when|whenever|for)\b|用于|时|當/i.test(description)) warning('The description does not say when to use the skill.');
  for (const field of fields.keys()) if (!STANDARD.has(field)) warning(`The field ${field} is not in the open standard: some clients refuse the skill. Put it below metadata if it is for people or for one client.`);
}

function checkBody(body) {
  const lines = body.trim().split('\n').length;
  if (body.trim() === '') error('The body is empty.');
  if (lines > 500) warning(`The body has ${lines} lines; 500 are enough. Move what is read rarely into references/.`);
  if (body.length > 20_000) warning(`The body has ${body.length} characters, more than about 5,000 tokens.`);
  const outside = body.replace(/^(```|~~~)[^]*?^\1/gm, '');
  if (/(^|\s)!`[^`]+`/m.test(outside)) warning('A command would run when the skill is loaded (!`…`): write it as a step, unless that is meant.');
  const named = new Set([...outside.matchAll(/(?<![\w/.$}-])(?:\.\/)?((?:scripts|references|assets)\/[\w./-]*\w\.\w{1,5})/g)].map(([, name]) => name));
  for (const name of named) if (!fs.existsSync(path.join(folder, name))) error(`The body names ${name}, which is not there.`);
  for (const name of filesOf('references')) if (!body.includes(name)) warning(`${name} is never named in the body, so nobody will read it.`);
  for (const name of filesOf('references')) {
    const text = fs.readFileSync(path.join(folder, name), 'utf8');
    const next = filesOf('references').find((other) => other !== name && text.includes(other));
    if (next !== undefined) warning(`${name} leads to ${next}: name that in the body instead.`);
  }
  if (!fs.existsSync(path.join(folder, 'evals', 'evals.json'))) warning('There is no evals/evals.json: without one nobody knows whether the skill helps.');
}

function filesOf(inner) {
  const at = path.join(folder, inner);
  if (!fs.existsSync(at)) return [];
  return fs.readdirSync(at, { withFileTypes: true }).flatMap((entry) => (entry.isFile() ? [`${inner}/${entry.name}`] : []));
}
