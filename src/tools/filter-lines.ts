import { messageOf } from '../protocol/errors.ts';

/** A pattern with nested repetition may run for ever; it is stopped after so long. */
const LONGEST_MS = 1_000;

/** Why a text is no regular expression, or undefined. An empty one is none to complain about. */
export async function patternProblem(pattern: string): Promise<string | undefined> {
  const tried = await filterLines('', pattern);
  return 'problem' in tried ? tried.problem : undefined;
}

/** The lines that a regular expression matches; all of them for an empty one. */
export async function filterLines(text: string, pattern: string): Promise<{ readonly text: string } | { readonly problem: string }> {
  if (pattern === '') return { text };
  const vm = await import('node:vm');
  const code = 'text.split("\\n").filter((line) => regex.test(line)).join("\\n")';
  try {
    const result: unknown = vm.runInNewContext(code, { text, regex: new RegExp(pattern) }, { timeout: LONGEST_MS });
    return { text: String(result) };
  } catch (error) {
    return { problem: messageOf(error) };
  }
}
