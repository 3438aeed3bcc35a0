import type { HookDecision, HookEvent, HookStatus } from '../protocol/hook.ts';
import { isJsonObject, parseJson, type Json, type JsonObject } from '../protocol/json.ts';
import { cutStart } from '../util/cut-text.ts';
import type { HookEnd } from './run-command.ts';

/** What a hook said. */
export interface HookAnswer {
  readonly status: HookStatus;
  readonly exitCode?: number;
  /** For the person. */
  readonly message?: string;
  /** Why it blocks, asks or denies; of an event of a tool and of Stop it is for the model. */
  readonly reason?: string;
  readonly decision?: HookDecision;
  /** For the model. */
  readonly context?: string;
  readonly updatedInput?: JsonObject;
  readonly updatedOutput?: Json;
  /** Why the turn is to end. */
  readonly halts?: string;
}

const CONTEXT_CHARS = 10_000;
const MESSAGE_CHARS = 2_000;
/** Events that a hook can block, or answer to. */
const BLOCKED_BY_2: ReadonlySet<HookEvent> = new Set(['PreToolUse', 'PostToolUse', 'PostToolUseFailure', 'UserPromptSubmit', 'Stop', 'SubagentStop', 'PreCompact']);
/** Exit codes of a shell for a program that cannot be run and for one that is not there. */
const NOT_RUN: ReadonlySet<number> = new Set([126, 127]);
/** Events that lie outside of a turn, or may: there is nothing to be ended. */
const WITHOUT_TURN: ReadonlySet<HookEvent> = new Set(['PreCompact', 'SessionEnd']);
/** Events at which plain output is for the model. */
const SPOKEN: ReadonlySet<HookEvent> = new Set(['SessionStart', 'UserPromptSubmit']);

/**
 * Reads what a hook's command left behind: its exit code, and with code 0 its output. Anything but a clear word decides nothing;
 * where the word was to be on a call and there is none, a person decides.
 */
export function readAnswer(event: HookEvent, end: HookEnd, timeoutMs: number): HookAnswer {
  switch (end.kind) {
    case 'cancelled': return { status: 'cancelled' };
    case 'timeout': return wordless(event, 'timeout', `It was ended after its limit of ${timeoutMs} ms and decided nothing.`);
    case 'failed': return wordless(event, 'error', `It decided nothing: ${end.problem}.`);
    case 'exit': return { exitCode: end.code, ...readExit(event, end) };
  }
}

/** The answer of a hook that did not come to one. One that watches calls lets none pass by failing. */
function wordless(event: HookEvent, status: HookAnswer['status'], message: string): HookAnswer {
  return { status, message, ...(event === 'PreToolUse' ? { decision: 'ask', reason: `a hook that watches calls came to no decision: ${message}` } : {}) };
}

function readExit(event: HookEvent, { code, stdout, stderr, cut }: Extract<HookEnd, { kind: 'exit' }>): HookAnswer {
  if (code === 2 && BLOCKED_BY_2.has(event)) {
    const reason = contextOf(stderr.trim()) || 'A hook blocks this and gives no reason.';
    return { status: 'blocked', reason, message: messageOf(reason), ...(event === 'PreToolUse' ? { decision: 'deny' } : {}) };
  }
  const failure = messageOf(`exit code ${code}${stderr.trim() === '' ? '' : `: ${stderr.trim()}`}`);
  if (NOT_RUN.has(code)) return wordless(event, 'error', failure);
  if (code !== 0) return { status: 'error', message: failure };
  const output = stdout.trim();
  if (!output.startsWith('{')) return { status: 'ok', ...(SPOKEN.has(event) && output !== '' ? { context: contextOf(output) } : {}) };
  const said = cut ? undefined : parseJson(output);
  if (isJsonObject(said)) return readSaid(event, said);
  return wordless(event, 'error', cut ? 'Its output is too long to be a decision, so it decided nothing.' : 'Its output begins like JSON and is none, so it decided nothing.');
}

/** Fields of a wrong kind count as left out. */
function readSaid(event: HookEvent, said: JsonObject): HookAnswer {
  const specific = isJsonObject(said['hookSpecificOutput']) ? said['hookSpecificOutput'] : {};
  const decision = event === 'PreToolUse' ? decisionOf(specific['permissionDecision'] ?? said['decision']) : undefined;
  const blocks = decision === 'deny' || (BLOCKED_BY_2.has(event) && event !== 'PreToolUse' && (said['decision'] === 'block' || said['decision'] === 'deny'));
  const given = textIn(specific, 'permissionDecisionReason') ?? textIn(said, 'reason');
  const reason = given ?? (blocks || decision === 'ask' ? 'A hook gives no reason.' : undefined);
  const context = textIn(specific, 'additionalContext');
  const halts = said['continue'] === false && !WITHOUT_TURN.has(event) ? (textIn(said, 'stopReason') ?? 'A hook stopped the turn.') : undefined;
  const message = textIn(said, 'systemMessage') ?? halts ?? (decision !== undefined || blocks ? given : undefined);
  const output = specific['updatedToolOutput'] ?? specific['updatedMCPToolOutput'];
  return {
    status: blocks || halts !== undefined ? 'blocked' : 'ok',
    ...(message === undefined ? {} : { message: messageOf(message) }),
    ...(reason === undefined ? {} : { reason: contextOf(reason) }),
    ...(decision === undefined ? {} : { decision }),
    ...(context === undefined ? {} : { context: contextOf(context) }),
    ...(event === 'PreToolUse' && isJsonObject(specific['updatedInput']) ? { updatedInput: specific['updatedInput'] } : {}),
    ...(event === 'PostToolUse' && output !== undefined ? { updatedOutput: output } : {}),
    ...(halts === undefined ? {} : { halts: messageOf(halts) }),
  };
}

/** `defer` and words that are not known ask a person: they were meant to hold the call back. */
function decisionOf(word: unknown): HookDecision | undefined {
  switch (word) {
    case undefined: case null: case '': return undefined;
    case 'allow': case 'approve': return 'allow';
    case 'deny': case 'block': return 'deny';
    default: return 'ask';
  }
}

function textIn(from: JsonObject, key: string): string | undefined {
  const value = from[key];
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

function contextOf(text: string): string {
  return text.length <= CONTEXT_CHARS ? text : `${cutStart(text, CONTEXT_CHARS)}\n[cut at ${CONTEXT_CHARS} characters]`;
}

function messageOf(text: string): string {
  return text.length <= MESSAGE_CHARS ? text : `${cutStart(text, MESSAGE_CHARS)}…`;
}
