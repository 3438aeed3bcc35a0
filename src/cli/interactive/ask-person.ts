import type { OpenRequest } from '../../protocol/session-state.ts';
import type { AnswerRequest } from '../../runtime/runtime.ts';
import { questionText } from '../run/question-text.ts';
import { palette, write } from '../terminal.ts';
import type { Console } from './console.ts';

/** Lines of a file's content that are shown; the end of more is further up than anybody scrolls. */
const CONTENT_LINES = 60;

/** Asks the person what a session waits for. Undefined when they would rather answer later. */
export async function askPerson(console: Console, open: OpenRequest): Promise<AnswerRequest['answer'] | undefined> {
  await write(process.stdout, `\n${questionText(open, { width: process.stdout.columns || 80, contentLines: CONTENT_LINES, paint: palette(process.stdout) })}\n`);
  return open.question.kind === 'question' ? askQuestion(console, open.question.options ?? []) : askPermission(console, open.question.rules);
}

async function askQuestion(console: Console, options: readonly string[]): Promise<AnswerRequest['answer'] | undefined> {
  const typed = await console.ask(options.length > 0 ? 'number or your own words: ' : 'your answer: ', { fresh: true });
  if (typed.kind !== 'line' || typed.text.trim() === '') return undefined;
  return { kind: 'text', text: options[Number(typed.text) - 1] ?? typed.text };
}

async function askPermission(console: Console, rules: readonly string[]): Promise<AnswerRequest['answer'] | undefined> {
  const always = rules.length > 0 ? ', a = always' : '';
  for (;;) {
    const typed = await console.ask(`  y = yes, once${always}, n = no, or say what to do instead: `, { fresh: true });
    if (typed.kind !== 'line') return undefined;
    const text = typed.text.trim();
    if (/^(y|yes)$/i.test(text)) return { kind: 'permission', decision: 'allow', scope: 'once' };
    if (/^(a|always)$/i.test(text) && rules.length > 0) return { kind: 'permission', decision: 'allow', scope: 'always' };
    if (/^(n|no)$/i.test(text)) return { kind: 'permission', decision: 'deny', scope: 'once' };
    if (text.length > 1) return { kind: 'permission', decision: 'deny', scope: 'once', reason: text };
  }
}
