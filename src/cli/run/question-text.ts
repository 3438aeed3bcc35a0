import type { OpenRequest } from '../../protocol/session-state.ts';
import { oneLine, printable, type palette } from '../terminal.ts';
import { wholeCall, type CallLayout } from './show-call.ts';

/** How a question is laid out and painted. */
export interface QuestionLook extends CallLayout {
  readonly paint: Pick<ReturnType<typeof palette>, 'bold' | 'yellow'>;
}

/** What a person reads before they answer: a question with its options, or a whole call with the reason and what "always" would store. */
export function questionText({ call, question }: OpenRequest, { paint, ...layout }: QuestionLook): string {
  if (question.kind === 'question') return [paint.bold(printable(question.question)), ...(question.options ?? []).map((option, i) => `  ${i + 1}. ${oneLine(option)}`)].join('\n');
  return [
    `${paint.yellow('?')} ${paint.bold(oneLine(call.tool))}: ${oneLine(question.reason)}`,
    ...wholeCall(call.input, layout),
    ...question.rules.map((rule) => `  always would store: ${oneLine(rule)}`),
  ].join('\n');
}
