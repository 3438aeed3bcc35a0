import type { AgentHooks, HookedCall } from '../../agent/ports.ts';
import type { FiredHook } from '../../hooks/fire-hooks.ts';
import { blockReason, contextText, gateOf, hookEvents, replacedOutput } from '../../hooks/hook-results.ts';
import { textOf } from '../../protocol/content.ts';
import type { EventBody } from '../../protocol/events.ts';
import type { HookEvent } from '../../protocol/hook.ts';
import type { JsonObject } from '../../protocol/json.ts';
import { ok, type ToolOutcome } from '../../protocol/tool.ts';
import type { LiveSession } from '../live-session.ts';
import { endSession, sessionHooks, type SessionHookParts, type SessionHooks } from './session-hooks.ts';

/** What this process keeps of a session for its hooks, beside the log. */
export interface HookLifecycle {
  /** SessionStart hooks had their turn in this process. */
  started: boolean;
  /** Runs SessionEnd hooks; set once the session has started. */
  end: (() => Promise<void>) | undefined;
}

/** What the hooks of a turn work with. */
export interface HookBinding extends SessionHookParts {
  /** Not for the session of a sub-agent: its prompt is no person's, and only skills' Stop hooks are for its end. */
  readonly lifecycle: HookLifecycle;
}

/** The hooks of a turn, in the loop and beside it. */
export interface TurnHooks extends AgentHooks {
  /** Before a message that is sent into the turn is stored: why it is refused, or what goes with it. */
  beforeMessage(text: string, signal: AbortSignal): Promise<{ readonly refused: string } | { readonly note: string }>;
}

/** Binds the hooks of settings and active skills into a turn. */
export function bindHooks(given: HookBinding): TurnHooks {
  const { session } = given;
  const { state } = session;
  const lifecycle = state.parent_run ? undefined : given.lifecycle;
  const hooks = sessionHooks(given);
  const submit = (prompt: string, signal: AbortSignal): Promise<readonly FiredHook[]> => hooks.fire({ event: 'UserPromptSubmit', names: [], fields: { prompt } }, signal);
  return {
    async beforePrompt(signal) {
      if (!lifecycle) return undefined;
      lifecycle.end = () => endSession(session, hooks);
      if (!lifecycle.started) await startSession(session, hooks, signal);
      lifecycle.started = true;
      const fired = await submit(textOf(state.turn?.input ?? []), signal);
      if (fired.length === 0) return undefined;
      const refused = blockReason(fired);
      await session.append(hookEvents(fired, refused === undefined ? { note: noteOf(contextText(fired)) } : {}));
      return refused;
    },
    async beforeMessage(text, signal) {
      const fired = lifecycle ? await submit(text, signal) : [];
      if (fired.length > 0) await session.append(hookEvents(fired, { inTurn: true }), { unless: () => state.turn?.status !== 'running' });
      const refused = blockReason(fired);
      return refused === undefined ? { note: noteOf(contextText(fired)) } : { refused };
    },
    async beforeTool(call, signal) {
      const fired = await hooks.fire({ event: 'PreToolUse', names: [call.tool, call.called], fields: fieldsOf(call), call }, signal);
      if (fired.length > 0) await session.append(hookEvents(fired, { callId: call.call_id, wrap: call.wrap }));
      const gate = gateOf(fired);
      return gate.input && call.wrap ? { ...gate, input: call.wrap(gate.input) } : gate;
    },
    async afterTool({ outcome, ...call }, signal) {
      const event: HookEvent = outcome.status === 'ok' ? 'PostToolUse' : 'PostToolUseFailure';
      const result: JsonObject = outcome.status === 'ok' ? { tool_response: responseOf(call, outcome) } : { error: textOf(outcome.content), is_interrupt: false };
      const fired = await hooks.fire({ event, names: [call.tool, call.called], fields: { ...fieldsOf(call), ...result }, call }, signal);
      return { outcome: withWords(outcome, replacedOutput(fired), contextText(fired)), events: hookEvents(fired, { callId: call.call_id }) };
    },
    async beforeStop(signal) {
      const fields = { ...(lifecycle ? {} : { hook_event_name: 'SubagentStop' }), stop_hook_active: (state.turn?.sent_on ?? 0) > 0, last_assistant_message: lastWords(session) };
      const fired = await hooks.fire({ event: 'Stop', only: lifecycle ? undefined : 'skill', names: [], fields }, signal);
      if (fired.length > 0) await session.append(hookEvents(fired));
      const reason = fired.some(({ answer }) => answer.halts !== undefined) ? undefined : blockReason(fired);
      return reason === undefined ? undefined : `The turn is not over yet. ${reason}`;
    },
    async beforeCompact(trigger, signal) {
      const fired = await hooks.fire({ event: 'PreCompact', names: [trigger], fields: { trigger, custom_instructions: '' } }, signal);
      const refused = blockReason(fired);
      const warning: readonly EventBody[] = refused === undefined ? [] : [{ type: 'warning', code: 'compaction_blocked', message: `The conversation was not compacted: ${refused}` }];
      if (fired.length > 0) await session.append([...hookEvents(fired), ...warning]);
      return refused === undefined;
    },
  };
}

/** A session that goes on in another process has begun anew there. */
async function startSession(session: LiveSession, hooks: SessionHooks, signal: AbortSignal): Promise<void> {
  const source = session.state.messages.length === 1 ? 'startup' : 'resume';
  const fired = await hooks.fire({ event: 'SessionStart', names: [source], fields: { source, model: session.state.model } }, signal);
  if (fired.length > 0) await session.append(hookEvents(fired, { note: noteOf(contextText(fired)) }));
}

function noteOf(context: string): string {
  return context === '' ? '' : `\n\n${context}`;
}

function fieldsOf(call: HookedCall): JsonObject {
  return { tool_name: call.tool, tool_input: call.input, tool_use_id: call.call_id };
}

/** The output under the names that hooks of Claude Code look for. */
function responseOf({ tool, input }: HookedCall, outcome: ToolOutcome): JsonObject {
  const output = textOf(outcome.content);
  const file = input['file_path'];
  return { success: true, output, ...(tool === 'Bash' ? { stdout: output, stderr: '', interrupted: false } : {}), ...(typeof file === 'string' ? { filePath: file } : {}) };
}

function withWords(outcome: ToolOutcome, replaced: string | undefined, context: string): ToolOutcome {
  const content = replaced === undefined ? outcome.content : ok(replaced).content;
  if (context === '') return { ...outcome, content };
  return { ...outcome, content: [...content, { type: 'text', text: `${content.length > 0 ? '\n' : ''}${context}` }] };
}

function lastWords({ state }: LiveSession): string {
  const last = state.messages.at(-1)?.message;
  return last?.role === 'assistant' ? textOf(last.content) : '';
}
