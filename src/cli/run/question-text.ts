import { askedQuestions, type AskedQuestion } from '../../protocol/question.ts';
import type { OpenRequest } from '../../protocol/session-state.ts';
import { oneLine, printable, type palette } from '../terminal.ts';
import { wholeCall, type CallLayout } from './show-call.ts';

/** How a question is laid out and painted. */
export interface QuestionLook extends CallLayout {
  readonly paint: Pick<ReturnType<typeof palette>, 'bold' | 'yellow'>;
}

/** What a person reads before they answer: questions with their options, a plan, or a whole call with the reason and what "always" would store. */
export function questionText({ call, question }: OpenRequest, { paint, ...layout }: QuestionLook): string {
  if (question.kind === 'question') return askedQuestions(question).map((asked) => oneQuestion(asked, paint)).join('\n\n');
  const plan = call.tool === 'ExitPlanMode' ? call.input['plan'] : undefined;
  return [
    ...(typeof plan === 'string' ? [paint.bold('The plan:'), printable(plan), ''] : []),
    `${paint.yellow('?')} ${paint.bold(oneLine(call.tool))}: ${oneLine(question.reason)}`,
    ...(typeof plan === 'string' ? [] : wholeCall(call.input, layout)),
    ...question.rules.map((rule) => `  always would store: ${oneLine(rule)}`),
    ...(question.mode === undefined ? [] : [`  always would also set the permission mode ${question.mode}`]),
  ].join('\n');
}

/** One question with its numbered options. */
export function oneQuestion({ question, header, options = [], multi_select }: AskedQuestion, paint: QuestionLook['paint']): string {
  return [
    `${header === undefined ? '' : `${paint.yellow(`[${oneLine(header)}]`)} `}${paint.bold(printable(question))}${multi_select ? ' (several may be chosen)' : ''}`,
    ...options.map(({ label, description }, i) => `  ${i + 1}. ${oneLine(label)}${description === undefined ? '' : `: ${oneLine(description)}`}`),
  ].join('\n');
}
