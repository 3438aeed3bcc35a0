#!/usr/bin/env node
// Checks the evals of a skill: what cannot be read, what can never fail, what is missing. Node 18 or newer, no packages.
import fs from 'node:fs';
import path from 'node:path';

const HELP = `usage: node check-evals.mjs FOLDER

FOLDER is that of the skill. Reads evals/evals.json and evals/triggers.json and prints {"ok", "tasks", "queries", "findings":
[{"severity", "message"}]} as JSON. Exit code 0 when there is no error, 1 when there is one, 2 when it was called in the wrong way.`;

/** Each check with the fields that it needs. */
const CHECKS = {
  file_exists: ['path'], file_absent: ['path'], file_matches: ['path', 'pattern'], file_schema: ['path', 'schema'], command: ['command'],
  answer_contains: ['value'], answer_matches: ['pattern'], tool_called: ['tool'], tool_not_called: ['tool'], script_used: [], skill_loaded: [], skill_not_loaded: [],
};

const [given] = process.argv.slice(2);
if (given === '--help' || given === '-h') {
  console.log(HELP);
  process.exit(0);
}
if (given === undefined || !fs.existsSync(path.join(given, 'SKILL.md'))) {
  console.error(given === undefined ? HELP : `${given} holds no SKILL.md. Give the folder of the skill.`);
  process.exit(2);
}

const findings = [];
const error = (message) => findings.push({ severity: 'error', message });
const warning = (message) => findings.push({ severity: 'warning', message });
const head = fs.readFileSync(path.join(given, 'SKILL.md'), 'utf8');
const name = /^name:\s*["']?([\w-]+)/m.exec(head)?.[1] ?? path.basename(path.resolve(given));
const tasks = readTasks();
const queries = readQueries();
console.log(JSON.stringify({ ok: findings.every(({ severity }) => severity !== 'error'), tasks: tasks.length, queries: queries.length, findings }, null, 2));
process.exitCode = findings.some(({ severity }) => severity === 'error') ? 1 : 0;

function readJson(file) {
  const full = path.join(given, file);
  if (!fs.existsSync(full)) return void warning(`There is no ${file}.`);
  try {
    return JSON.parse(fs.readFileSync(full, 'utf8').replace(/^\ufeff/, ''));
  } catch (fault) {
    return void error(`${file} is no valid JSON: ${fault.message}`);
  }
}

function readTasks() {
  const root = readJson('evals/evals.json');
  if (root === undefined) return [];
  const list = Array.isArray(root) ? root : root?.evals;
  if (!Array.isArray(list)) return error('evals/evals.json has no list "evals".'), [];
  if (root.skill_name !== undefined && root.skill_name !== name) warning(`evals/evals.json is written for ${root.skill_name}, and the skill is called ${name}.`);
  if (list.length < 3) warning(`There are ${list.length} tasks; three show more than one.`);
  const ids = new Set();
  for (const [i, task] of list.entries()) {
    const where = `task ${task?.id ?? i + 1}`;
    if (typeof task !== 'object' || task === null) {
      error(`${where} is no object.`);
      continue;
    }
    if (ids.has(task.id)) error(`The id ${task.id} stands twice.`);
    if (task.id !== undefined) ids.add(task.id);
    if (typeof task.prompt !== 'string' || task.prompt.trim() === '') error(`${where} has no "prompt".`);
    else if (task.prompt.toLowerCase().includes(name)) warning(`${where} names the skill in its prompt, so it does not show whether people's own words find it.`);
    for (const file of task.files ?? []) if (typeof file !== 'string' || leadsOut(file)) error(`${where}: the file ${JSON.stringify(file)} is no path inside the skill.`);
      else if (!fs.existsSync(path.join(given, file)) && !fs.existsSync(path.join(given, 'evals', file))) error(`${where}: the file ${file} is not there.`);
    checkExpectations(task, where);
  }
  return list;
}

function checkExpectations(task, where) {
  const list = task.expectations ?? task.assertions ?? task.checks ?? [];
  if (!Array.isArray(list)) return error(`${where}: the expectations are no list.`);
  if (list.length === 0) return (task.expected_output ? warning : error)(`${where} has no expectations${task.expected_output ? ': a judge decides by expected_output alone' : ', so nothing can be measured'}.`);
  let programs = 0;
  for (const one of list) {
    const sentence = typeof one === 'string' ? one : one?.check === undefined && one?.type === undefined ? one?.text : undefined;
    if (typeof sentence === 'string') {
      if (sentence.trim().split(/\s+/).length < 3 && !/[^\0-\x7f]/.test(sentence)) warning(`${where}: "${sentence}" is too short for a judge to decide by.`);
      if (/\b(good|nice|appropriate|high[- ]quality|well[- ]written|correct(ly)?)\b/i.test(sentence)) warning(`${where}: "${sentence}" leaves open what that means; say what to look for.`);
      continue;
    }
    const type = String(one?.check ?? one?.type ?? '').replaceAll('-', '_');
    const needed = CHECKS[type];
    if (needed === undefined) {
      error(`${where}: ${JSON.stringify(one)} is neither a sentence nor a known check (${Object.keys(CHECKS).join(', ')}).`);
      continue;
    }
    programs += 1;
    for (const field of needed) if (one[field] === undefined || one[field] === '') error(`${where}: ${type} needs "${field}".`);
    if (typeof one.path === 'string' && leadsOut(one.path)) error(`${where}: the path ${one.path} leads out of the workspace.`);
    if (typeof one.pattern === 'string') checkPattern(one.pattern, where);
    if (type === 'file_exists' && (task.files ?? []).some((file) => path.basename(file) === one.path)) warning(`${where}: ${one.path} is there from the beginning, so file_exists cannot fail.`);
  }
  if (programs === 0) warning(`${where} is decided by a judge alone; add a check that a program can make.`);
}

function checkPattern(pattern, where) {
  try {
    if (new RegExp(pattern, 'mu').test('')) warning(`${where}: /${pattern}/ matches the empty text, so it cannot fail.`);
  } catch (fault) {
    error(`${where}: /${pattern}/ is no regular expression: ${fault.message}`);
  }
}

function readQueries() {
  const list = readJson('evals/triggers.json');
  if (list === undefined) return [];
  if (!Array.isArray(list)) return error('evals/triggers.json is no list.'), [];
  const seen = new Set();
  for (const [i, each] of list.entries()) {
    if (typeof each?.query !== 'string' || typeof each.should_trigger !== 'boolean') error(`query ${i + 1} needs "query", a text, and "should_trigger", true or false.`);
    else if (seen.has(each.query.trim())) error(`query ${i + 1} stands twice: ${each.query}`);
    else if (each.query.toLowerCase().includes(name)) warning(`query ${i + 1} names the skill: ${each.query}`);
    seen.add(each?.query?.trim?.());
  }
  const wanted = list.filter((each) => each?.should_trigger === true);
  const unwanted = list.filter((each) => each?.should_trigger === false);
  if (wanted.length === 0 || unwanted.length === 0) warning(`There are ${wanted.length} queries that should trigger and ${unwanted.length} that should not; both sides are needed.`);
  const words = (text) => new Set(text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? []);
  const own = new Set(wanted.flatMap(({ query }) => [...words(String(query))]));
  const far = unwanted.filter(({ query }) => ![...words(String(query))].some((word) => own.has(word)));
  if (wanted.length > 0 && far.length > unwanted.length / 2) warning(`${far.length} of ${unwanted.length} negatives share no word with the queries that should trigger: near misses show more.`);
  return list;
}

function leadsOut(file) {
  return /^([/\\~]|[A-Za-z]:)/.test(file) || file.split(/[/\\]/).includes('..');
}
