import type { DraftedEvals } from '../../runtime/evaluate/draft-evals.ts';
import { oneLine } from '../terminal.ts';

/** Which suites were drafted, for a terminal. */
export function draftedText({ model, cases, queries, files }: DraftedEvals): string {
  return `${oneLine(model)} drafted ${cases} cases and ${queries} messages:\n${files.map((file) => `  ${oneLine(file)}\n`).join('')}`;
}
