import { isJsonObject, parseJson, type JsonObject } from '../../protocol/json.ts';

/** A `grading.json` that was read: each expectation with its verdict. */
export interface ReadGrading {
  readonly expectations: readonly { readonly text: string; readonly passed: boolean; readonly evidence: string }[];
}

/**
 * Reads a `grading.json` of Anthropic's skill-creator in either spelling: `expectations` or `assertion_results`, each with `text` or
 * `assertion`, `passed` and `evidence`. A sentence where it is none.
 */
export function readGrading(file: string, text: string): ReadGrading | string {
  const root = parseJson(text.replace(/^\uFEFF/, ''));
  if (!isJsonObject(root)) return `${file} is no valid JSON object: correct it, for example with a JSON checker.`;
  const list = root['expectations'] ?? root['assertion_results'];
  if (!Array.isArray(list)) return `${file} has neither "expectations" nor "assertion_results": write [{ "text", "passed", "evidence" }].`;
  const read: ReadGrading['expectations'][number][] = [];
  for (const [i, entry] of list.entries()) {
    const one = isJsonObject(entry) ? expectationIn(entry) : undefined;
    if (!one) return `${file}: entry ${i + 1} does not say "text" and "passed": true or false.`;
    read.push(one);
  }
  return { expectations: read };
}

function expectationIn(entry: JsonObject): ReadGrading['expectations'][number] | undefined {
  const { text = entry['assertion'], passed, evidence } = entry;
  return typeof text === 'string' && typeof passed === 'boolean' ? { text, passed, evidence: typeof evidence === 'string' ? evidence : '' } : undefined;
}
