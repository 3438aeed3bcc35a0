import { failed } from '../protocol/tool.ts';
import type { JsonObject } from '../protocol/json.ts';
import type { MemoryRequest, Tool } from './define.ts';
import { optionalText, textArgument } from './input.ts';
import description from './memory.md';

const ACTIONS = ['read', 'write', 'list', 'delete'] as const;

/** Keeps notes through what the runtime gives. Only what changes a memory needs a person's consent. */
export function memoryTool(): Tool {
  return {
    spec: {
      name: 'Memory',
      description,
      input_schema: {
        type: 'object',
        properties: {
          action: { type: 'string', enum: ACTIONS },
          scope: { type: 'string', enum: ['skill', 'project'], description: 'skill in a session bound to a skill, else project' },
          skill: { type: 'string', description: 'which one, when several skills are active' },
          key: { type: 'string', description: 'name of the entry, no path' },
          content: { type: 'string', description: 'for write: the whole new text' },
        },
        required: ['action'],
      },
    },
    readOnly: false,
    deferred: true,
    argumentAliases: { operation: 'action', command: 'action', name: 'key', path: 'key', file: 'key', text: 'content', value: 'content', fact: 'content', file_text: 'content' },
    needs: (input) => (changes(input) ? [{ action: 'memory', key: textArgument(input, 'key') }] : []),
    run: async (input, context) => {
      const request = requestOf(input);
      return typeof request === 'string' ? failed(request) : context.memory.run(request);
    },
  };
}

function changes(input: JsonObject): boolean {
  const action = textArgument(input, 'action');
  return action !== 'read' && action !== 'list';
}

function requestOf(input: JsonObject): MemoryRequest | string {
  const action = ACTIONS.find((each) => each === textArgument(input, 'action'));
  if (action === undefined) return `There is no action ${JSON.stringify(textArgument(input, 'action'))}. Give one of ${ACTIONS.join(', ')}.`;
  const scope = (['skill', 'project'] as const).find((each) => each === textArgument(input, 'scope'));
  const [key, content] = [textArgument(input, 'key'), optionalText(input, 'content')];
  if (action !== 'list' && key === '') return `${action} needs a key: the name of the entry.`;
  if (action === 'write' && content === undefined) return 'write needs content: the whole new text of the entry. To remove an entry, delete it.';
  return { action, scope, skill: optionalText(input, 'skill'), key, content };
}
