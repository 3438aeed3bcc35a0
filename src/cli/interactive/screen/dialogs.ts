import { decodeKittyPrintable, Input, matchesKey, SelectList, type Component } from '@mariozechner/pi-tui';
import { answersText, askedQuestions, chosenText, type AskedQuestion } from '../../../protocol/question.ts';
import type { OpenRequest } from '../../../protocol/session-state.ts';
import { oneQuestion, questionText } from '../../run/question-text.ts';
import { oneLine } from '../../terminal.ts';
import { alwaysText } from '../answer-words.ts';
import type { Answer, Choosable } from '../face.ts';
import { fitLines, wrapLines } from './fit-lines.ts';
import type { DialogComponent } from './screen-state.ts';
import { listTheme, type Paint } from './theme.ts';

/** Lines of a file's content that a question shows at most; nothing else of it is cut. */
const CONTENT_LINES = 60;
const MOST_LISTED = 10;
const LIST_KEYS = ['up', 'down', 'pageUp', 'pageDown', 'enter'] as const;

/** What a dialog is made with. `answer` ends it. */
export interface DialogParts<T> {
  readonly paint: Paint;
  readonly answer: (value: T) => void;
  /** Whether keys count by now. */
  readonly isArmed: () => boolean;
}

/** The character that a key stands for, or the key as it came. */
function characterOf(data: string): string {
  return decodeKittyPrintable(data) ?? data;
}

function hint({ paint, isArmed }: Pick<DialogParts<never>, 'paint' | 'isArmed'>, text: string): string {
  return paint.cyan(isArmed() ? text : '…');
}

/** A yes or no. */
export function confirmDialog(question: string, parts: DialogParts<boolean>): Component {
  return {
    invalidate: () => undefined,
    render: (width) => wrapLines(`\n${question} ${hint(parts, 'y = yes, n = no')}`, width),
    handleInput(data) {
      const key = characterOf(data).toLowerCase();
      if (key === 'y') parts.answer(true);
      if (key === 'n') parts.answer(false);
    },
  };
}

/** A call that needs consent, or a plan: a key answers, and a refusal may come with a reason. */
export function permissionDialog(open: OpenRequest, parts: DialogParts<Answer>): DialogComponent {
  const { paint, answer } = parts;
  const { question } = open;
  const always = question.kind === 'permission' ? alwaysText(question) : undefined;
  const reason = new Input();
  let isReasoning = false;
  reason.focused = true;
  reason.onSubmit = (text) => answer({ kind: 'permission', decision: 'deny', scope: 'once', ...(text.trim() === '' ? {} : { reason: text.trim() }) });
  return {
    back() {
      const was = isReasoning;
      isReasoning = false;
      return was;
    },
    invalidate: () => undefined,
    render(width) {
      const text = wrapLines(`\n${questionText(open, { width, contentLines: CONTENT_LINES, paint })}`, width);
      const isPlan = open.call.tool === 'ExitPlanMode';
      const keys = `y = yes${isPlan ? '' : ', once'}${always === undefined ? '' : `, ${always}`}, n = no, r = no, and say ${isPlan ? 'what to change' : 'what to do instead'}, Esc = later`;
      return [...text, ...(isReasoning ? [paint.cyan('instead:'), ...fitLines(reason.render(width), width)] : wrapLines(hint(parts, keys), width))];
    },
    handleInput(data) {
      if (isReasoning) return reason.handleInput(data);
      const key = characterOf(data).toLowerCase();
      if (key === 'y') answer({ kind: 'permission', decision: 'allow', scope: 'once' });
      if (key === 'a' && always !== undefined) answer({ kind: 'permission', decision: 'allow', scope: 'always' });
      if (key === 'n') answer({ kind: 'permission', decision: 'deny', scope: 'once' });
      if (key === 'r') isReasoning = true;
    },
  };
}

/** Questions of the model, one after the other: a number answers at once where one may be chosen; else numbers or own words, and Enter. */
export function questionDialog({ question }: OpenRequest, parts: DialogParts<Answer>): Component {
  const { paint, answer } = parts;
  const questions = question.kind === 'question' ? askedQuestions(question) : [];
  const answers: string[] = [];
  const field = new Input();
  field.focused = true;
  const take = (asked: AskedQuestion, text: string): void => {
    if (text.trim() === '') return;
    answers.push(chosenText(asked, text));
    field.setValue('');
    if (answers.length === questions.length) answer({ kind: 'text', text: answersText(questions, answers) });
  };
  return {
    invalidate: () => undefined,
    render(width) {
      const asked = questions[answers.length];
      if (!asked) return [];
      const hasOptions = (asked.options ?? []).length > 0;
      const keys = hasOptions ? `${asked.multi_select ? 'numbers' : 'number'} or your own words, Esc = later` : 'your answer, Esc = later';
      return [...wrapLines(`\n${oneQuestion(asked, paint)}\n${hint(parts, keys)}`, width), ...fitLines(field.render(width), width)];
    },
    handleInput(data) {
      const asked = questions[answers.length];
      if (!asked) return;
      const key = characterOf(data);
      if (!asked.multi_select && field.getValue() === '' && asked.options?.[Number(key) - 1] !== undefined) return take(asked, key);
      if (matchesKey(data, 'enter')) return take(asked, field.getValue());
      field.handleInput(data);
    },
  };
}

/** A list to choose from; what is typed narrows it. */
export function pickDialog(title: string, from: readonly Choosable[], { paint, answer }: DialogParts<string | undefined>): Component {
  const field = new Input();
  field.focused = true;
  const items = from.map(({ value, label, description }) => ({ value, label: oneLine(label), ...(description === undefined ? {} : { description: oneLine(description) }) }));
  const listed = (): SelectList => {
    const wanted = field.getValue().toLowerCase();
    const list = new SelectList(items.filter(({ label, description = '', value }) => `${label} ${description} ${value}`.toLowerCase().includes(wanted)), MOST_LISTED, listTheme(paint), { minPrimaryColumnWidth: 16, maxPrimaryColumnWidth: 48 });
    list.onSelect = ({ value }) => answer(value);
    return list;
  };
  let list = listed();
  return {
    invalidate: () => undefined,
    render: (width) => fitLines(['', `${paint.bold(title)} ${paint.dim('· type to narrow, Enter chooses, Esc leaves')}`, ...field.render(width), ...list.render(width)], width),
    handleInput(data) {
      if (LIST_KEYS.some((key) => matchesKey(data, key))) return list.handleInput(data);
      field.handleInput(data);
      list = listed();
    },
  };
}
