import { isJsonObject, parseJson, type Json } from '../../protocol/json.ts';
import type { ReadSuite, SuiteProblem, TriggerQuery } from './suite.ts';

/** Reads `[{ "query", "should_trigger" }]`, or an object with that list as `queries`, `triggers` or `evals`. */
export function readTriggerSuite({ file, text }: { readonly file: string; readonly text: string }): ReadSuite<TriggerQuery> {
  const problems: SuiteProblem[] = [];
  const fail = (message: string): void => void problems.push({ severity: 'error', message: `${file}: ${message}` });
  const root = parseJson(text.replace(/^\uFEFF/, ''));
  if (root === undefined) return { entries: [], problems: [{ severity: 'error', message: `${file} is no valid JSON: correct it, for example with a JSON checker.` }] };
  const list = isJsonObject(root) ? (root['queries'] ?? root['triggers'] ?? root['evals']) : root;
  if (!Array.isArray(list) || list.length === 0) return { entries: [], problems: [{ severity: 'error', message: `${file} has no list of queries: write [{ "query": "…", "should_trigger": true }, …].` }] };
  if (isJsonObject(root) && root['draft'] === true) problems.push({ severity: 'warning', message: `${file}: it is a draft that a model wrote: correct it, then take out "draft".` });
  const entries: TriggerQuery[] = [];
  for (const [index, entry] of list.entries()) {
    const where = `query ${index + 1}`;
    const query = isJsonObject(entry) ? (entry['query'] ?? entry['prompt']) : undefined;
    const wanted = isJsonObject(entry) ? truth(entry['should_trigger']) : undefined;
    if (typeof query !== 'string' || query.trim() === '') fail(`${where} has no "query": write the message as a person would.`);
    else if (wanted === undefined) fail(`${where} ("${query}") does not say "should_trigger": true or false.`);
    else addQuery(query, wanted, where);
  }
  const sides = new Set(entries.map(({ should_trigger }) => should_trigger));
  if (sides.size === 1) problems.push({ severity: 'warning', message: `${file}: all queries ${sides.has(true) ? 'should trigger, so too frequent triggering stays unseen: add near misses' : 'should not trigger, so misses stay unseen: add queries that should'}.` });
  return { entries, problems };

  function addQuery(query: string, wanted: boolean, where: string): void {
    const before = entries.find((other) => other.query.trim() === query.trim());
    if (!before) entries.push({ id: `q${entries.length + 1}`, query, should_trigger: wanted });
    else if (before.should_trigger !== wanted) fail(`${where} ("${query}") stands twice, once with "should_trigger" true and once false: take one out.`);
    else problems.push({ severity: 'warning', message: `${file}: ${where} ("${query}") stands twice: it is counted once.` });
  }
}

function truth(value: Json | undefined): boolean | undefined {
  if (typeof value === 'boolean') return value;
  if (typeof value !== 'string') return undefined;
  return /^(?:true|yes)$/i.test(value) ? true : /^(?:false|no)$/i.test(value) ? false : undefined;
}
