import type { OpenRequest } from '../../protocol/session-state.ts';
import type { AnswerRequest } from '../../runtime/runtime.ts';
import { callLine } from '../run/plain-progress.ts';
import { oneLine, palette, printable, write } from '../terminal.ts';
import type { Console } from './console.ts';

const PREVIEW_LINES = 30;

/** Asks the person what a session waits for. Undefined when they would rather answer later. */
export async function askPerson(console: Console, open: OpenRequest): Promise<AnswerRequest['answer'] | undefined> {
  return open.question.kind === 'question' ? askQuestion(console, open.question) : askPermission(console, open);
}

async function askQuestion(console: Console, asked: Extract<OpenRequest['question'], { kind: 'question' }>): Promise<AnswerRequest['answer'] | undefined> {
  const paint = palette(process.stdout);
  const options = asked.options ?? [];
  await write(process.stdout, `\n${paint.bold(printable(asked.question))}\n${options.map((option, i) => `  ${i + 1}. ${oneLine(option)}\n`).join('')}`);
  const text = await console.ask(options.length > 0 ? 'number or your own words: ' : 'your answer: ');
  if (text === undefined || text.trim() === '') return undefined;
  return { kind: 'text', text: options[Number(text) - 1] ?? text };
}

async function askPermission(console: Console, { call, question: asked }: OpenRequest): Promise<AnswerRequest['answer'] | undefined> {
  const paint = palette(process.stdout);
  const { reason, rules } = asked.kind === 'permission' ? asked : { reason: '', rules: [] };
  await write(process.stdout, `\n${paint.yellow('?')} ${paint.bold(call.tool)} ${callLine(call.input)}\n  ${oneLine(reason)}\n${preview(call.input)}`);
  const always = rules.length > 0 ? `, a = always (stores ${rules.map(oneLine).join(', ')})` : '';
  for (;;) {
    const text = (await console.ask(`  y = yes, once${always}, n = no, or say what to do instead: `))?.trim();
    if (text === undefined) return undefined;
    if (/^(y|yes)$/i.test(text)) return { kind: 'permission', decision: 'allow', scope: 'once' };
    if (/^(a|always)$/i.test(text) && rules.length > 0) return { kind: 'permission', decision: 'allow', scope: 'always' };
    if (/^(n|no)$/i.test(text)) return { kind: 'permission', decision: 'deny', scope: 'once' };
    if (text.length > 1) return { kind: 'permission', decision: 'deny', scope: 'once', reason: text };
  }
}

/** The text that a call would write or run, where one line does not show it. */
function preview(input: Readonly<Record<string, unknown>>): string {
  const text = ['content', 'new_string', 'command'].map((key) => input[key]).find((value) => typeof value === 'string' && value.includes('\n'));
  if (typeof text !== 'string') return '';
  const lines = printable(text).split('\n');
  const shown = lines.slice(0, PREVIEW_LINES).map((line) => `  │ ${line}`);
  return `${shown.join('\n')}\n${lines.length > PREVIEW_LINES ? `  │ … ${lines.length - PREVIEW_LINES} more lines\n` : ''}`;
}
