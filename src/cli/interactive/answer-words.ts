import type { AskedQuestion } from '../../protocol/question.ts';
import type { OpenRequest } from '../../protocol/session-state.ts';

/** The answer that was typed to a question: numbers stand for the options; anything else is the person's own words. */
export function chosenText({ options = [], multi_select }: AskedQuestion, typed: string): string {
  const numbers = multi_select ? typed.split(/[\s,]+/).filter(Boolean) : [typed.trim()];
  const chosen = numbers.map((number) => (/^\d+$/.test(number) ? options[Number(number) - 1]?.label : undefined));
  return chosen.every((label) => label !== undefined) ? chosen.join(', ') : typed;
}

/** What the key `a` does, where it does something. */
export function alwaysText({ rules, mode }: Pick<Extract<OpenRequest['question'], { kind: 'permission' }>, 'rules' | 'mode'>): string | undefined {
  if (mode !== undefined) return `a = yes, in the mode ${mode}`;
  return rules.length > 0 ? 'a = always' : undefined;
}
