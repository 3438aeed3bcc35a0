import { answersText, askedQuestions, type AskedQuestion } from '../../protocol/question.ts';
import type { OpenRequest } from '../../protocol/session-state.ts';
import type { AnswerRequest } from '../../runtime/runtime.ts';
import { oneQuestion, questionText } from '../run/question-text.ts';
import { palette, write } from '../terminal.ts';
import type { Console } from './console.ts';

/** Lines of a file's content that are shown; the end of more is further up than anybody scrolls. */
const CONTENT_LINES = 60;

/** Asks the person what a session waits for. Undefined when they would rather answer later. */
export async function askPerson(console: Console, open: OpenRequest): Promise<AnswerRequest['answer'] | undefined> {
  const { question } = open;
  const paint = palette(process.stdout);
  if (question.kind === 'question') return askQuestions(console, askedQuestions(question), paint);
  await write(process.stdout, `\n${questionText(open, { width: process.stdout.columns || 80, contentLines: CONTENT_LINES, paint })}\n`);
  return askPermission(console, { always: alwaysText(question) });
}

async function askQuestions(console: Console, questions: readonly AskedQuestion[], paint: ReturnType<typeof palette>): Promise<AnswerRequest['answer'] | undefined> {
  const answers: string[] = [];
  for (const asked of questions) {
    await write(process.stdout, `\n${oneQuestion(asked, paint)}\n`);
    const hasOptions = (asked.options ?? []).length > 0;
    const typed = await console.ask(hasOptions ? `${asked.multi_select ? 'numbers' : 'number'} or your own words: ` : 'your answer: ', { fresh: true });
    if (typed.kind !== 'line' || typed.text.trim() === '') return undefined;
    answers.push(chosenText(asked, typed.text));
  }
  return { kind: 'text', text: answersText(questions, answers) };
}

/** Numbers stand for the options; anything else is the person's own words. */
function chosenText({ options = [], multi_select }: AskedQuestion, typed: string): string {
  const numbers = multi_select ? typed.split(/[\s,]+/).filter(Boolean) : [typed.trim()];
  const chosen = numbers.map((number) => (/^\d+$/.test(number) ? options[Number(number) - 1]?.label : undefined));
  return chosen.every((label) => label !== undefined) ? chosen.join(', ') : typed;
}

function alwaysText({ rules, mode }: Extract<OpenRequest['question'], { kind: 'permission' }>): string | undefined {
  if (mode !== undefined) return `a = yes, in the mode ${mode}`;
  return rules.length > 0 ? 'a = always' : undefined;
}

async function askPermission(console: Console, { always }: { readonly always: string | undefined }): Promise<AnswerRequest['answer'] | undefined> {
  for (;;) {
    const typed = await console.ask(`  y = yes, once${always === undefined ? '' : `, ${always}`}, n = no, or say what to do instead: `, { fresh: true });
    if (typed.kind !== 'line') return undefined;
    const text = typed.text.trim();
    if (/^(y|yes)$/i.test(text)) return { kind: 'permission', decision: 'allow', scope: 'once' };
    if (/^(a|always)$/i.test(text) && always !== undefined) return { kind: 'permission', decision: 'allow', scope: 'always' };
    if (/^(n|no)$/i.test(text)) return { kind: 'permission', decision: 'deny', scope: 'once' };
    if (text.length > 1) return { kind: 'permission', decision: 'deny', scope: 'once', reason: text };
  }
}
