import { answersText, askedQuestions, chosenText, type AskedQuestion } from '../../../protocol/question.ts';
import type { OpenRequest } from '../../../protocol/session-state.ts';
import { oneQuestion, questionText } from '../../run/question-text.ts';
import { palette, write } from '../../terminal.ts';
import { alwaysText } from '../answer-words.ts';
import type { Answer } from '../face.ts';
import type { Console } from './console.ts';

/** Lines of a file's content that are shown; the end of more is further up than anybody scrolls. */
const CONTENT_LINES = 60;

/** Asks the person what a session waits for. Undefined when they would rather answer later. */
export async function askPerson(console: Console, open: OpenRequest): Promise<Answer | undefined> {
  const { question } = open;
  const paint = palette(process.stdout);
  if (question.kind === 'question') return askQuestions(console, askedQuestions(question), paint);
  await write(process.stdout, `\n${questionText(open, { width: process.stdout.columns || 80, contentLines: CONTENT_LINES, paint })}\n`);
  return askPermission(console, { always: alwaysText(question) });
}

async function askQuestions(console: Console, questions: readonly AskedQuestion[], paint: ReturnType<typeof palette>): Promise<Answer | undefined> {
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

async function askPermission(console: Console, { always }: { readonly always: string | undefined }): Promise<Answer | undefined> {
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
