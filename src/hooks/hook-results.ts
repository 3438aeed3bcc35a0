import type { EventBody } from '../protocol/events.ts';
import type { HookDecision } from '../protocol/hook.ts';
import type { Json, JsonObject } from '../protocol/json.ts';
import type { HookApproval } from '../protocol/permission.ts';
import { cutStart } from '../util/cut-text.ts';
import type { FiredHook } from './fire-hooks.ts';

/** What all hooks together say to a call: the strictest word counts. */
export interface CallGate {
  readonly decision?: HookDecision;
  /** Of `allow`: who says so. A person's own hook may let pass more than a skill's. */
  readonly approval?: HookApproval;
  readonly reason?: string;
  /** The call's new input; the last hook's that changes it. */
  readonly input?: JsonObject;
}

const COMMAND_CHARS = 500;
const STRICTNESS: readonly HookDecision[] = ['deny', 'ask', 'allow'];

/** The word of all hooks on a call. An approval of the old input is none of a new one. */
export function gateOf(fired: readonly FiredHook[]): CallGate {
  const changing = changingHook(fired);
  const input = changing?.answer.updatedInput;
  const decision = STRICTNESS.find((word) => fired.some(({ answer }) => answer.decision === word));
  if (decision === undefined) return input ? { input } : {};
  const saying = fired.filter(({ answer }) => answer.decision === decision);
  if (decision !== 'allow') return { decision, reason: reasonsOf(saying), ...(input ? { input } : {}) };
  const approving = changing ? saying.filter((one) => one === changing) : saying;
  if (approving.length === 0) return input ? { input } : {};
  return { decision, approval: approving.some(({ source }) => source.kind === 'person') ? 'person' : 'skill', ...(input ? { input } : {}) };
}

function changingHook(fired: readonly FiredHook[]): FiredHook | undefined {
  return fired.findLast(({ answer }) => answer.updatedInput !== undefined && answer.decision !== 'deny');
}

/** Why hooks block, or nothing where none does. */
export function blockReason(fired: readonly FiredHook[]): string | undefined {
  const blocking = fired.filter(({ answer }) => answer.status === 'blocked' && answer.halts === undefined);
  return blocking.length > 0 ? reasonsOf(blocking) : undefined;
}

function reasonsOf(fired: readonly FiredHook[]): string {
  return fired.map(({ source, answer }) => `${answer.reason ?? 'no reason given'} (hook of ${source.id})`).join('; ');
}

/** What the hooks give the model to read, marked as theirs; empty for nothing. */
export function contextText(fired: readonly FiredHook[]): string {
  return fired.flatMap((one) => {
    const { hook, answer } = one;
    const texts = [hook.event.startsWith('PostToolUse') && answer.status === 'blocked' ? answer.reason : undefined, answer.context];
    return texts.filter((text) => text !== undefined).map((text) => framed(one, text));
  }).join('\n');
}

/** The text cannot end the frame that it stands in. */
function framed({ source, hook }: FiredHook, text: string): string {
  return `<hook event="${hook.event}" source=${JSON.stringify(source.id)}>\n${text.replace(/<(?=\/?hook[\s>])/gi, '&lt;')}\n</hook>`;
}

/** The output that the last hook puts in the place of a tool's. */
export function replacedOutput(fired: readonly FiredHook[]): string | undefined {
  const output: Json | undefined = fired.findLast(({ answer }) => answer.updatedOutput !== undefined)?.answer.updatedOutput;
  return output === undefined ? undefined : typeof output === 'string' ? output : JSON.stringify(output);
}

/** What the hooks were asked about. */
export interface HookSubject {
  readonly callId?: string;
  /** Added to the person's message, by the first of the hooks. */
  readonly note?: string;
  /** Makes the call's input of the tool's. */
  readonly wrap?: ((input: JsonObject) => JsonObject) | undefined;
  /** A message that was sent into the turn. */
  readonly inTurn?: true;
}

/** An event for each hook. */
export function hookEvents(fired: readonly FiredHook[], { callId, note = '', wrap = (input) => input, inTurn }: HookSubject = {}): readonly EventBody[] {
  const changing = changingHook(fired);
  return fired.map((one, i): EventBody => {
    const { source, hook, answer, durationMs } = one;
    const command = [hook.command, ...(hook.args ?? [])].join(' ');
    return {
      type: 'hook.completed',
      event: hook.event,
      source: source.id,
      index: hook.index,
      command: cutStart(command, COMMAND_CHARS),
      status: answer.status,
      duration_ms: durationMs,
      ...(answer.exitCode === undefined ? {} : { exit_code: answer.exitCode }),
      ...(answer.message === undefined ? {} : { message: answer.message }),
      ...(answer.decision === undefined ? {} : { decision: answer.decision }),
      ...(callId === undefined ? {} : { call_id: callId }),
      ...(one === changing && answer.updatedInput ? { updated_input: wrap(answer.updatedInput) } : {}),
      ...(note !== '' && i === 0 ? { note } : {}),
      ...(hook.once && answer.status !== 'skipped' && answer.status !== 'cancelled' ? { once: true } : {}),
      ...(answer.halts === undefined ? {} : { halts: answer.halts }),
      ...(inTurn ? { in_turn: true } : {}),
    };
  });
}
