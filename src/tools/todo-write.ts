import type { Json, JsonObject } from '../protocol/json.ts';
import { isObject } from '../protocol/json.ts';
import { failed, ok } from '../protocol/tool.ts';
import type { ToolOutcome } from '../protocol/tool.ts';
import type { Todo } from '../protocol/todo.ts';
import type { Tool, ToolContext } from './define.ts';
import { optionalText } from './input.ts';
import description from './todo-write.md';

const STATUS = ['pending', 'in_progress', 'completed'] as const;

/** Keeps the session's todo list. */
export function todoWriteTool(): Tool {
  return {
    spec: {
      name: 'TodoWrite',
      description,
      input_schema: {
        type: 'object',
        properties: {
          todos: {
            type: 'array',
            items: {
              type: 'object',
              properties: { id: { type: 'string' }, subject: { type: 'string' }, description: { type: 'string' }, status: { enum: STATUS } },
              required: ['subject', 'status'],
            },
          },
        },
        required: ['todos'],
      },
    },
    otherInputs: [
      {
        type: 'object',
        properties: {
          todos: {
            type: 'array',
            items: {
              type: 'object',
              properties: {
                id: { type: 'string' },
                subject: { type: 'string' },
                content: { type: 'string' },
                step: { type: 'string' },
                description: { type: 'string' },
                status: { enum: STATUS },
              },
              anyOf: [{ required: ['subject'] }, { required: ['content'] }, { required: ['step'] }],
            },
          },
          explanation: { type: 'string' },
        },
        required: ['todos'],
      },
      {
        type: 'object',
        properties: {
          action: { enum: ['create', 'update', 'list', 'delete'] },
          id: { type: 'string' },
          subject: { type: 'string' },
          content: { type: 'string' },
          description: { type: 'string' },
          status: { enum: STATUS },
        },
        required: ['action'],
      },
    ],
    readOnly: true,
    aliases: ['todo', 'todo_write', 'update_plan'],
    argumentAliases: { items: 'todos', plan: 'todos' },
    needs: () => [],
    run: async (input, context) => (input['action'] === undefined ? replaceAll(input, context) : changeOne(input, context)),
  };
}

function replaceAll(input: JsonObject, context: ToolContext): ToolOutcome {
  const given = Array.isArray(input['todos']) ? input['todos'] : [];
  const used = new Set(given.map((item: Json) => (isObject(item) ? item['id'] : undefined)));
  const todos: Todo[] = [];
  for (const item of given) {
    if (!isObject(item)) return failed('An item of todos is no object: give {subject, status}.');
    const id = typeof item['id'] === 'string' && item['id'] !== '' ? item['id'] : freshId(used);
    if (todos.some((todo) => todo.id === id)) return failed(`Two items have the id ${id}: give each its own.`);
    const subject = subjectOf(item) ?? '';
    todos.push({ id, subject, ...descriptionOf(item), status: statusOf(item['status']) ?? 'pending' });
  }
  return update(todos, context);
}

function changeOne(input: JsonObject, context: ToolContext): ToolOutcome {
  const { todos } = context;
  if (input['action'] === 'list') return ok(render(todos));
  if (input['action'] === 'create') {
    const subject = subjectOf(input);
    if (subject === undefined) return failed('To create an item give its subject.');
    const id = optionalText(input, 'id') ?? freshId(new Set(todos.map((todo) => todo.id)));
    if (todos.some((todo) => todo.id === id)) return failed(`There is an item ${id} already: update it, or give another id.`);
    return update([...todos, { id, subject, ...descriptionOf(input), status: statusOf(input['status']) ?? 'pending' }], context);
  }
  const id = optionalText(input, 'id');
  const old = todos.find((todo) => todo.id === id);
  if (old === undefined) return failed(`There is no item ${id ?? '(id is missing)'}. The list:\n${render(todos)}`);
  if (input['action'] === 'delete') return update(todos.filter((todo) => todo !== old), context);
  const changed: Todo = { ...old, ...descriptionOf(input), subject: subjectOf(input) ?? old.subject, status: statusOf(input['status']) ?? old.status };
  return update(todos.map((todo) => (todo === old ? changed : todo)), context);
}

function update(todos: readonly Todo[], context: ToolContext): ToolOutcome {
  const isSame = JSON.stringify(todos) === JSON.stringify(context.todos);
  return ok(render(todos), isSame ? {} : { events: [{ type: 'todos.updated', todos }] });
}

function render(todos: readonly Todo[]): string {
  const marks = { pending: '[ ]', in_progress: '[>]', completed: '[x]' };
  return todos.length === 0 ? '(the list is empty)' : todos.map((todo) => `${marks[todo.status]} ${todo.id}. ${todo.subject}`).join('\n');
}

function freshId(used: Set<unknown>): string {
  let number = 1;
  while (used.has(String(number))) number++;
  used.add(String(number));
  return String(number);
}

function subjectOf(item: Record<string, unknown>): string | undefined {
  return [item['subject'], item['content'], item['step']].find((value) => typeof value === 'string');
}

function descriptionOf(item: Record<string, unknown>): { readonly description?: string } {
  return typeof item['description'] === 'string' ? { description: item['description'] } : {};
}

function statusOf(value: unknown): Todo['status'] | undefined {
  return STATUS.find((status) => status === value);
}
