import type { CreateElicitationResponse, ElicitationPropertySchema, EnumOption, RequestPermissionRequest } from '@agentclientprotocol/sdk';
import { answersText, askedQuestions, type AskedQuestion } from '../../protocol/question.ts';
import type { OpenRequest } from '../../protocol/session-state.ts';
import { visibleText } from '../../protocol/visible-text.ts';
import { sendOptions, type Answer, type Asking } from './answer.ts';

const LATER = 'later';
const DECLINED = 'The person does not want to answer this.';

type Question = Extract<OpenRequest['question'], { kind: 'question' }>;

/** How an editor can put a question. */
export interface QuestionWays {
  /** It fills in forms. */
  readonly form: boolean;
  /** Says a text in the conversation. */
  readonly say: (text: string) => Promise<void>;
}

/**
 * Puts the questions of a call to the person: as a form, else as a choice. Where the editor has neither, and where the person closes it, they stand as text, which the next message answers.
 * Undefined where the answer is still to come.
 */
export async function askQuestion(asking: Asking, question: Question, { toolCallId, form, say }: QuestionWays & { readonly toolCallId: string }): Promise<Answer | undefined> {
  const questions = askedQuestions(question);
  try {
    const canChoose = questions.every(({ options = [], multi_select }) => options.length > 0 && multi_select !== true);
    const answers = form ? await byForm(asking, questions, toolCallId) : canChoose ? await byChoice(asking, questions, toolCallId) : undefined;
    if (answers) return answers;
  } catch (error) {
    // What the editor cannot ask is asked as text.
    if (asking.signal.aborted || !(error instanceof Error)) return undefined;
  }
  if (!asking.signal.aborted) await say(questionsText(question));
  return undefined;
}

/** The questions as text, for the person to answer with a message. */
export function questionsText(question: Question): string {
  return askedQuestions(question).map(questionText).join('\n\n');
}

async function byForm({ client, sessionId, signal }: Asking, questions: readonly AskedQuestion[], toolCallId: string): Promise<Answer | undefined> {
  const [only] = questions;
  const answered = await client.request('elicitation/create', {
    mode: 'form',
    sessionId,
    toolCallId,
    message: only && questions.length === 1 ? visibleText(only.question) : `${questions.length} questions`,
    requestedSchema: {
      type: 'object',
      properties: Object.fromEntries(questions.flatMap(fieldsOf)),
      required: questions.flatMap(({ options = [] }, i) => (options.length === 0 ? [`answer${i + 1}`] : [])),
    },
  }, sendOptions({ signal }));
  if (answered.action === 'decline') return { kind: 'text', text: DECLINED };
  const content = contentOf(answered);
  return content && { kind: 'text', text: answersText(questions, questions.map((_, i) => answerOf(content, i))) };
}

function fieldsOf({ question, header, options = [], multi_select }: AskedQuestion, i: number): readonly [string, ElicitationPropertySchema][] {
  const name = `answer${i + 1}`;
  const about = { title: visibleText(header ?? question), description: visibleText(question) };
  if (options.length === 0) return [[name, { type: 'string', ...about, minLength: 1 }]];
  const choices: EnumOption[] = options.map(({ label, description }) => ({ const: label, title: visibleText(label), ...(description === undefined ? {} : { description: visibleText(description) }) }));
  return [
    [name, multi_select ? { type: 'array', ...about, items: { anyOf: choices } } : { type: 'string', ...about, oneOf: choices }],
    [`${name}_own`, { type: 'string', title: 'Or in your own words' }],
  ];
}

function contentOf(answered: CreateElicitationResponse): Readonly<Record<string, unknown>> | undefined {
  return answered.action === 'accept' && 'content' in answered && typeof answered.content === 'object' && answered.content !== null ? { ...answered.content } : undefined;
}

function answerOf(content: Readonly<Record<string, unknown>>, i: number): string {
  const chosen = content[`answer${i + 1}`];
  const own = content[`answer${i + 1}_own`];
  if (typeof own === 'string' && own.trim() !== '') return own;
  const text = Array.isArray(chosen) ? chosen.map(String).join(', ') : typeof chosen === 'string' ? chosen : '';
  return text === '' ? '(no answer)' : text;
}

/** One question after the other; undefined where the person would rather write. */
async function byChoice({ client, sessionId, signal }: Asking, questions: readonly AskedQuestion[], toolCallId: string): Promise<Answer | undefined> {
  const answers: string[] = [];
  for (const asked of questions) {
    const { options = [] } = asked;
    const request: RequestPermissionRequest = {
      sessionId,
      toolCall: { toolCallId, status: 'pending', title: visibleText(asked.question), content: [{ type: 'content', content: { type: 'text', text: questionText(asked) } }] },
      options: [
        ...options.map(({ label }, i) => ({ optionId: `option${i + 1}`, kind: 'allow_once' as const, name: visibleText(label) })),
        { optionId: LATER, kind: 'reject_once', name: 'Answer in my own words' },
      ],
    };
    const { outcome } = await client.request('session/request_permission', request, sendOptions({ signal }));
    const label = outcome.outcome === 'selected' ? options[Number(/^option(\d+)$/.exec(outcome.optionId)?.[1] ?? 0) - 1]?.label : undefined;
    if (label === undefined) return undefined;
    answers.push(label);
  }
  return { kind: 'text', text: answersText(questions, answers) };
}

function questionText({ question, options = [], multi_select }: AskedQuestion): string {
  const lines = options.map(({ label, description }, i) => `${i + 1}. ${visibleText(label)}${description === undefined ? '' : `: ${visibleText(description)}`}`);
  return [`**${visibleText(question)}**${multi_select ? ' (several may be chosen)' : ''}`, ...(lines.length === 0 ? [] : ['', ...lines])].join('\n');
}
