import { parseRule } from '../permissions/rule.ts';
import type { Hook, HookEvent } from '../protocol/hook.ts';
import { isObject } from '../protocol/json.ts';
import type { SkillDiagnostic } from '../protocol/skill.ts';
import { eventNamed, MATCHED_EVENTS, TOOL_EVENTS } from './hook-events.ts';
import { matcherProblem } from './matcher.ts';

/** The hooks that can run, and a sentence on everything that cannot. */
export interface ParsedHooks {
  readonly hooks: readonly Hook[];
  readonly diagnostics: readonly SkillDiagnostic[];
}

const MOST_HOOKS = 200;
const LONGEST_TIMEOUT_S = 86_400;
const OTHER_TYPES: ReadonlySet<unknown> = new Set(['http', 'mcp_tool', 'prompt', 'agent']);

/** What a hook is written under. */
interface Place {
  readonly event: HookEvent;
  readonly index: number;
  readonly inMs: boolean;
  readonly matcher: string | undefined;
}

type Report = (code: string, message: string, severity?: SkillDiagnostic['severity']) => undefined;

/**
 * Reads the `hooks` of a skill's frontmatter or of settings: event → list of `{ matcher?, hooks: [{ type: "command", … }] }`.
 * A group, a hook or a command text alone is taken where a list is wanted, names of other clients count. Whatever cannot
 * be understood or is not supported is left out and reported; nothing throws.
 */
export function parseHooks(value: unknown): ParsedHooks {
  const hooks: Hook[] = [];
  const diagnostics: SkillDiagnostic[] = [];
  const report: Report = (code, message, severity = 'warning') => void diagnostics.push({ code, severity, message });
  const map = isObject(value) && isObject(value['hooks']) ? value['hooks'] : value;
  if (!isObject(map)) report('hooks-shape', 'hooks should be a map of events, such as PreToolUse, to lists of hooks');
  const counts = new Map<HookEvent, number>();
  for (const [name, groups] of Object.entries(isObject(map) ? map : {})) {
    const event = readEvent(name, report);
    if (event === undefined) continue;
    for (const [matcher, handler] of handlersOf(groups, name, report)) {
      const index = counts.get(event.event) ?? 0;
      counts.set(event.event, index + 1);
      const hook = readHandler(handler, { ...event, index, matcher }, report);
      if (hook !== undefined) hooks.push(hook);
    }
  }
  if (hooks.length > MOST_HOOKS) report('hooks-too-many', `there are ${hooks.length} hooks; those after the first ${MOST_HOOKS} are left out`);
  return { hooks: hooks.slice(0, MOST_HOOKS), diagnostics };
}

function readEvent(name: string, report: Report): { readonly event: HookEvent; readonly inMs: boolean } | undefined {
  const found = eventNamed(name);
  switch (found.kind) {
    case 'supported': return found;
    case 'unsupported': return report('hook-event-unsupported', `hooks of the event ${name} are not supported; they never run`);
    case 'unknown': return report('hook-event-unknown', `hooks know no event ${JSON.stringify(name)}${found.suggestion === undefined ? '' : `; did you mean ${found.suggestion}?`}`);
  }
}

/** Every handler below an event with the matcher of its group. */
function handlersOf(groups: unknown, name: string, report: Report): readonly (readonly [string | undefined, unknown])[] {
  const list: readonly unknown[] = Array.isArray(groups) ? groups : [groups];
  return list.flatMap((group): readonly (readonly [string | undefined, unknown])[] => {
    const handlers = isObject(group) && group['hooks'] !== undefined ? group['hooks'] : group;
    const matcher = isObject(group) ? readMatcher(group['matcher']) : undefined;
    const problem = matcher === null ? 'it is no text' : matcherProblem(matcher ?? '');
    if (matcher === null || problem !== undefined) {
      report('hook-matcher', `a matcher of ${name} cannot be used, so its hooks never run: ${problem ?? ''}`);
      return [];
    }
    return (Array.isArray(handlers) ? handlers : [handlers]).map((handler: unknown) => [matcher, handler] as const);
  });
}

/** Null when it is none. */
function readMatcher(value: unknown): string | undefined | null {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'string') return value;
  return Array.isArray(value) && value.every((item) => typeof item === 'string') ? value.join('|') : null;
}

function readHandler(given: unknown, place: Place, report: Report): Hook | undefined {
  const handler = typeof given === 'string' ? { command: given } : given;
  const where = `the hook ${place.index + 1} of ${place.event}`;
  if (!isObject(handler)) return report('hooks-shape', `${where} should be an object with a command`);
  const type = handler['type'] ?? 'command';
  if (OTHER_TYPES.has(type)) return report('hook-type-unsupported', `${where} has the type ${JSON.stringify(type)}, which is not supported; it never runs`);
  if (type !== 'command') return report('hook-type-unknown', `${where} has the unknown type ${JSON.stringify(type)}; write "command"`);
  const { command } = handler;
  if (typeof command !== 'string' || command.trim() === '') return report('hooks-shape', `${where} has no command`);
  const condition = readCondition(handler['if'], place, (message) => report('hook-if', `${where} never runs: ${message}`));
  if (condition === null) return undefined;
  const args = readArgs(handler['args']);
  if (args === null) return report('hooks-shape', `${where}: args should be a list of texts`);
  if (isYes(handler['async']) || isYes(handler['asyncRewake'])) report('hook-async', `${where} is waited for, although it says async`, 'info');
  const seconds = readTimeout(handler['timeout'], place.inMs);
  if (seconds === null) report('hooks-shape', `${where}: timeout should be a number of seconds above zero; the usual limit holds`);
  return {
    event: place.event,
    index: place.index,
    command,
    ...(MATCHED_EVENTS.has(place.event) && place.matcher !== undefined ? { matcher: place.matcher } : {}),
    ...(condition === undefined ? {} : { if: condition }),
    ...(args === undefined ? {} : { args }),
    ...(handler['shell'] === 'powershell' ? { shell: 'powershell' } : {}),
    ...(typeof seconds === 'number' ? { timeout_ms: Math.round(seconds * 1_000) } : {}),
    ...(isYes(handler['once']) ? { once: true } : {}),
  };
}

/** Null when the hook cannot run because of it. */
function readCondition(value: unknown, { event }: Place, refuse: (message: string) => undefined): string | undefined | null {
  if (value === undefined || value === null) return undefined;
  const rule = typeof value === 'string' ? value : '';
  const parsed = parseRule(rule, { purpose: 'restrict' });
  if (TOOL_EVENTS.has(event) && 'rule' in parsed) return rule;
  refuse('rule' in parsed ? 'an "if" is for events of tools' : parsed.problem.problem);
  return null;
}

function readArgs(value: unknown): readonly string[] | undefined | null {
  if (value === undefined || value === null) return undefined;
  if (!Array.isArray(value)) return null;
  const args = value.map((item: unknown) => (typeof item === 'string' || typeof item === 'number' ? String(item) : undefined));
  return args.every((item) => item !== undefined) ? args : null;
}

/** Seconds; null for what is no time. */
function readTimeout(value: unknown, inMs: boolean): number | undefined | null {
  if (value === undefined || value === null) return undefined;
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof number !== 'number' || !(number > 0)) return null;
  return Math.min(inMs ? number / 1_000 : number, LONGEST_TIMEOUT_S);
}

function isYes(value: unknown): boolean {
  return value === true || /^(?:true|yes|on|1)$/i.test(String(value));
}
