import { isJsonObject, parseJson, type Json, type JsonObject } from '../../protocol/json.ts';
import { contradictionIn } from './contradiction.ts';
import { describeCheck } from './describe-check.ts';
import { readCheck } from './read-check.ts';
import type { EvalCase, Expectation, ReadSuite, SuiteProblem } from './suite.ts';

/** What a suite is read with. `file` names it in sentences. */
export interface OutputSuiteText {
  readonly file: string;
  readonly text: string;
  /** Name of the skill that it is for. */
  readonly skill: string;
}

/**
 * Reads `evals/evals.json`: `{ "skill_name", "evals": [{ "id", "prompt", "expected_output", "files", "assertions" }] }`, with
 * `expectations` for `assertions`, or the list alone. What cannot be used is a problem, never left out in silence.
 */
export function readOutputSuite({ file, text, skill }: OutputSuiteText): ReadSuite<EvalCase> {
  const problems: SuiteProblem[] = [];
  const fail = (message: string): undefined => {
    problems.push({ severity: 'error', message: `${file}: ${message}` });
  };
  const warn = (message: string): void => void problems.push({ severity: 'warning', message: `${file}: ${message}` });
  const root = parseJson(text.replace(/^\uFEFF/, ''));
  if (root === undefined) return { entries: [], problems: [{ severity: 'error', message: `${file} is no valid JSON: correct it, for example with a JSON checker.` }] };
  const list = Array.isArray(root) ? root : isJsonObject(root) ? root['evals'] : undefined;
  if (!Array.isArray(list)) return { entries: [], problems: [{ severity: 'error', message: `${file} has no list "evals": write { "skill_name": "${skill}", "evals": [ … ] }.` }] };
  const named = isJsonObject(root) ? root['skill_name'] : undefined;
  if (typeof named === 'string' && named !== skill) warn(`it is written for the skill ${named}, and ${skill} is evaluated with it.`);
  if (isJsonObject(root) && root['draft'] === true) warn('it is a draft that a model wrote: correct it, then take out "draft".');
  if (list.length === 0) fail('the list "evals" is empty: add at least one eval.');
  const entries: EvalCase[] = [];
  const seen = new Set<string>();
  for (const [index, entry] of list.entries()) {
    const where = `eval ${index + 1}`;
    if (!isJsonObject(entry)) fail(`${where} is no object: write { "id", "prompt", "expectations" }.`);
    else {
      const read = readCase(entry, { where, index, fail, warn });
      if (read && seen.has(read.id)) fail(`the id ${read.id} stands twice, again at ${where}: give each eval an id of its own.`);
      else if (read) entries.push(read);
      if (read) seen.add(read.id);
    }
  }
  return { entries, problems };
}

interface Place {
  readonly where: string;
  readonly index: number;
  readonly fail: (message: string) => undefined;
  readonly warn: (message: string) => void;
}

function readCase(entry: JsonObject, place: Place): EvalCase | undefined {
  const { fail } = place;
  const { id: given = place.index + 1, name, prompt, expected_output: expected, files = [] } = entry;
  if (typeof given !== 'string' && typeof given !== 'number') return fail(`${place.where} has an "id" that is neither a text nor a number: correct it.`);
  const id = String(given);
  const where = `eval ${id}`;
  if (typeof prompt !== 'string' || prompt.trim() === '') return fail(`${where} has no "prompt": write the request as a person would make it.`);
  if (!Array.isArray(files)) return fail(`"files" of ${where} is no list: write paths relative to the skill's folder.`);
  const paths: string[] = [];
  for (const path of files) {
    if (typeof path !== 'string' || path === '' || /^(?:[/\\~]|[A-Za-z]:)/.test(path) || path.split(/[/\\]/).includes('..')) fail(`${where} names the file ${JSON.stringify(path)}, which is no path inside the skill: write it relative to the skill's folder, without "..".`);
    else paths.push(path);
  }
  const expectations = readExpectations(entry, { ...place, where });
  if (expectations === undefined) return undefined;
  const said = typeof expected === 'string' && expected.trim() !== '' ? expected : undefined;
  if (expectations.length === 0 && said === undefined) return fail(`${where} has neither "expectations" nor "expected_output", so nothing can be measured: add at least one.`);
  if (expectations.length === 0) place.warn(`${where} has no "expectations": it is judged by its "expected_output" alone; single expectations say more.`);
  return {
    id, prompt,
    name: typeof name === 'string' && name.trim() !== '' ? name : `eval-${id}`,
    ...(said === undefined ? {} : { expected: said }),
    files: paths,
    expectations: expectations.length > 0 ? expectations : [{ kind: 'judged', text: `The result is as expected: ${said ?? ''}` }],
  };
}

/** Undefined where one of them cannot be used. */
function readExpectations(entry: JsonObject, { where, fail, warn }: Place): readonly Expectation[] | undefined {
  const lists = ['expectations', 'assertions', 'checks'].flatMap((key) => (entry[key] === undefined ? [] : [{ key, list: entry[key] }]));
  const read: Expectation[] = [];
  let isUsable = true;
  for (const { key, list } of lists) {
    if (!Array.isArray(list)) {
      fail(`"${key}" of ${where} is no list: write [ "a sentence", { "check": "file_exists", "path": "…" } ].`);
      isUsable = false;
      continue;
    }
    for (const [i, one] of list.entries()) {
      const found = readExpectation(one);
      if ('problem' in found) {
        fail(`${where}, entry ${i + 1} of "${key}": ${found.problem}.`);
        isUsable = false;
      } else if (read.some((other) => keyOf(other) === keyOf(found))) warn(`${where} says twice "${found.text}": it is counted once.`);
      else read.push(found);
    }
  }
  const [a, b] = contradictionIn(read) ?? [];
  if (a && b) {
    fail(`${where} contradicts itself, no run can meet both "${a.text}" and "${b.text}": take one out.`);
    isUsable = false;
  }
  return isUsable ? read : undefined;
}

function readExpectation(one: Json): Expectation | { readonly problem: string } {
  if (typeof one === 'string') return one.trim() === '' ? { problem: 'it is empty: write a sentence or take it out' } : { kind: 'judged', text: one.trim() };
  if (!isJsonObject(one)) return { problem: 'it is neither a text nor an object: write a sentence, or { "check": "file_exists", "path": "…" }' };
  const { text } = one;
  const isNamed = typeof text === 'string' && text.trim() !== '';
  if (isNamed && one['check'] === undefined && one['type'] === undefined) return { kind: 'judged', text: text.trim() };
  const read = readCheck(one);
  return 'problem' in read ? read : { kind: 'check', text: isNamed ? text.trim() : describeCheck(read.check), check: read.check };
}

function keyOf(expectation: Expectation): string {
  return expectation.kind === 'judged' ? expectation.text.toLowerCase().replace(/\s+/g, ' ').replace(/[.!\s]+$/, '') : JSON.stringify(expectation.check);
}
