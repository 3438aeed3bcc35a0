import type { Json, JsonObject } from '../protocol/json.ts';
import { isObject } from '../protocol/json.ts';
import { failed } from '../protocol/tool.ts';
import description from './ask-user-question.md';
import type { AskedQuestion, QuestionOption } from '../protocol/question.ts';
import type { Tool, ToolQuestion } from './define.ts';
import { textArgument } from './input.ts';

/** Asks the person. The runtime asks `question` and never runs the tool. */
export function askUserQuestionTool(): Tool {
  return {
    spec: {
      name: 'AskUserQuestion',
      description,
      input_schema: {
        type: 'object',
        properties: { question: { type: 'string' }, options: { type: 'array', items: { type: 'string' } } },
        required: ['question'],
      },
    },
    otherInputs: [
      {
        type: 'object',
        properties: { question: { type: 'string' }, options: { type: 'array', items: { type: 'object' } }, header: { type: 'string' }, multiSelect: { type: 'boolean' } },
        required: ['question'],
      },
      {
        type: 'object',
        properties: { questions: { type: 'array', minItems: 1, items: { anyOf: [{ type: 'string' }, { type: 'object', properties: { question: { type: 'string' } }, required: ['question'] }] } } },
        required: ['questions'],
      },
    ],
    readOnly: true,
    aliases: ['ask_user', 'question', 'request_user_input'],
    argumentAliases: { choices: 'options', prompt: 'question', text: 'question' },
    needs: () => [],
    question: questionOf,
    run: async () => failed('The question was not asked: no person can answer here. Decide yourself and say what you assumed.'),
  };
}

/** One question as it is, several as one numbered text with their options behind each; beside it all that is known of them. */
function questionOf(input: JsonObject): ToolQuestion {
  const list = input['questions'];
  const questions = (Array.isArray(list) ? list : [input]).map(askedOf);
  const [first] = questions;
  if (questions.length !== 1 || !first) return { question: numbered(questions), questions };
  const labels = labelsOf(first);
  const saysMore = first.header !== undefined || first.multi_select === true || (first.options ?? []).some(({ description }) => description !== undefined);
  return { question: first.question, ...(labels.length > 0 ? { options: labels } : {}), ...(saysMore ? { questions } : {}) };
}

function askedOf(item: Json): AskedQuestion {
  if (typeof item === 'string') return { question: item };
  if (!isObject(item)) return { question: '' };
  const options = Array.isArray(item['options']) ? item['options'].flatMap(optionOf) : [];
  const header = item['header'];
  return {
    question: textArgument(item, 'question'),
    ...(typeof header === 'string' && header.trim() !== '' ? { header } : {}),
    ...(options.length > 0 ? { options } : {}),
    ...(item['multiSelect'] === true ? { multi_select: true } : {}),
  };
}

/** Options are texts, or objects with a label and a description. */
function optionOf(option: Json): readonly QuestionOption[] {
  if (typeof option === 'string') return [{ label: option }];
  if (!isObject(option)) return [];
  const label = textArgument(option, 'label');
  const description = textArgument(option, 'description');
  return label === '' ? [] : [{ label, ...(description === '' ? {} : { description }) }];
}

function numbered(questions: readonly AskedQuestion[]): string {
  return questions.map((asked, index) => {
    const labels = labelsOf(asked);
    return `${index + 1}. ${asked.question}${labels.length > 0 ? ` (${labels.join(' / ')})` : ''}`;
  }).join('\n');
}

function labelsOf({ options = [] }: AskedQuestion): readonly string[] {
  return options.map(({ label, description }) => (description === undefined ? label : `${label}: ${description}`));
}
