import type { Json, JsonObject } from '../protocol/json.ts';
import { isObject } from '../protocol/json.ts';
import { failed } from '../protocol/tool.ts';
import description from './ask-user-question.md';
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
        properties: { questions: { type: 'array', minItems: 1, items: { anyOf: [{ type: 'string' }, { type: 'object', required: ['question'] }] } } },
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

/** One question as it is, several as one numbered text with their options behind each. */
function questionOf(input: JsonObject): ToolQuestion {
  const list = input['questions'];
  if (!Array.isArray(list)) return withOptions(textArgument(input, 'question'), labelsOf(input['options']));
  const questions = list.map(oneOf);
  const [first] = questions;
  if (questions.length === 1 && first !== undefined) return withOptions(first.question, first.options);
  const lines = questions.map(({ question, options }, index) => `${index + 1}. ${question}${options.length > 0 ? ` (${options.join(' / ')})` : ''}`);
  return { question: lines.join('\n') };
}

function oneOf(item: Json): { readonly question: string; readonly options: readonly string[] } {
  if (typeof item === 'string') return { question: item, options: [] };
  if (!isObject(item) || typeof item['question'] !== 'string') return { question: '', options: [] };
  return { question: item['question'], options: labelsOf(item['options']) };
}

function withOptions(question: string, options: readonly string[]): ToolQuestion {
  return options.length === 0 ? { question } : { question, options };
}

/** Options are texts, or objects with a label and a description. */
function labelsOf(options: unknown): readonly string[] {
  if (!Array.isArray(options)) return [];
  return options.flatMap((option: unknown) => {
    if (typeof option === 'string') return [option];
    if (!isObject(option) || typeof option['label'] !== 'string') return [];
    return [typeof option['description'] === 'string' && option['description'] !== '' ? `${option['label']}: ${option['description']}` : option['label']];
  });
}
