import { isObject } from '../../protocol/json.ts';

/** What a hook does is told by the first of these fields that it has. */
const ACTIONS = ['command', 'url', 'prompt', 'tool'] as const;

/** One line for each hook of a skill: `EVENT (MATCHER): what it does`. What has another form than expected is shown as it stands, so that nothing is left out. */
export function hookLines(hooks: unknown): readonly string[] {
  if (hooks === undefined) return [];
  if (!isObject(hooks)) return [textOf(hooks)];
  return Object.entries(hooks).flatMap(([event, groups]) => listOf(groups).flatMap((group) => groupLines(event, group)));
}

function groupLines(event: string, group: unknown): readonly string[] {
  if (!isObject(group)) return [`${event}: ${textOf(group)}`];
  const { matcher, hooks } = group;
  const head = matcher === undefined || matcher === '' ? event : `${event} (${textOf(matcher)})`;
  const handlers = hooks === undefined ? [group] : listOf(hooks);
  return handlers.map((handler) => `${head}: ${handlerText(handler)}`);
}

function handlerText(handler: unknown): string {
  if (!isObject(handler)) return textOf(handler);
  const action = ACTIONS.find((name) => typeof handler[name] === 'string');
  if (action === undefined) return textOf(handler);
  const { type, args } = handler;
  const kind = type === 'command' || typeof type !== 'string' ? '' : `${type} `;
  return `${kind}${textOf(handler[action])}${Array.isArray(args) ? ` ${args.map(textOf).join(' ')}` : ''}`;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value];
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value) ?? 'null';
}
