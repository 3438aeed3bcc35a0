import { isJsonObject, parseJson } from '../../protocol/json.ts';

/** True for text in the form of a trigger suite: a list in which everything is a message that says whether it should trigger. */
export function looksLikeTriggers(text: string): boolean {
  const root = parseJson(text.replace(/^\uFEFF/, ''));
  const list = isJsonObject(root) ? (root['queries'] ?? root['triggers'] ?? root['evals']) : root;
  return Array.isArray(list) && list.length > 0 && list.every((entry) => isJsonObject(entry) && typeof (entry['query'] ?? entry['prompt']) === 'string' && entry['should_trigger'] !== undefined);
}

/** True for text in the form of an output suite: a list of evals, each with a prompt. */
export function looksLikeEvals(text: string): boolean {
  const root = parseJson(text.replace(/^\uFEFF/, ''));
  const list = isJsonObject(root) ? root['evals'] : root;
  return Array.isArray(list) && list.length > 0 && list.every((entry) => isJsonObject(entry) && typeof entry['prompt'] === 'string');
}
