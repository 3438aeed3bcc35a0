import { isJsonObject, parseJson, type JsonObject } from '../../protocol/json.ts';
import { jsonIn } from '../judge/ask-judge.ts';
import { readOutputSuite } from './read-output-suite.ts';
import { readTriggerSuite } from './read-trigger-suite.ts';
import task from './draft-task.md';

/** Suites that a model wrote. They are marked as drafts, which each evaluation with them says. */
export interface DraftedSuites {
  readonly output: JsonObject;
  readonly triggers: JsonObject;
  readonly cases: number;
  readonly queries: number;
}

/** Has a model write suites for a skill. One answer that cannot be used is sent back with the reason. Resolves to a sentence where the second cannot be used either. */
export async function draftSuites(skill: { readonly name: string; readonly text: string }, ask: (prompt: string) => Promise<string>): Promise<DraftedSuites | string> {
  const prompt = `${task}\n\n=== SKILL ${skill.name}\n${skill.text}\n=== END OF SKILL`;
  const first = readDraft(skill.name, await ask(prompt));
  return typeof first === 'string' ? readDraft(skill.name, await ask(`${prompt}\n\nAn earlier answer could not be used: ${first}\nAnswer again with the JSON alone.`)) : first;
}

function readDraft(name: string, answer: string): DraftedSuites | string {
  const root = parseJson(jsonIn(answer));
  if (!isJsonObject(root)) return 'it was no JSON object.';
  const { evals = null, triggers: queries = null } = root;
  const output = { skill_name: name, draft: true, evals };
  const triggers = { draft: true, queries };
  const cases = readOutputSuite({ file: '"evals"', text: JSON.stringify(output), skill: name });
  const messages = readTriggerSuite({ file: '"triggers"', text: JSON.stringify(triggers) });
  const errors = [...cases.problems, ...messages.problems].filter(({ severity }) => severity === 'error');
  const files = cases.entries.flatMap((entry) => entry.files);
  if (errors.length > 0) return errors.map(({ message }) => message).join(' ');
  if (files.length > 0) return `it names files that do not exist (${files.join(', ')}).`;
  return { output, triggers, cases: cases.entries.length, queries: messages.entries.length };
}
