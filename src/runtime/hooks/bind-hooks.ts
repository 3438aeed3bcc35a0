import type { HookedCall } from '../../agent/ports.ts';
import type { FiredHook, HookMoment } from '../../hooks/fire-hooks.ts';
import { blockReason, contextText, gateOf, hookEvents, replacedOutput } from '../../hooks/hook-results.ts';
import { textOf } from '../../protocol/content.ts';
import type { EventBody } from '../../protocol/events.ts';
import type { HookEvent } from '../../protocol/hook.ts';
import type { JsonObject } from '../../protocol/json.ts';
import { ok, type ToolOutcome } from '../../protocol/tool.ts';
import type { LiveSession } from '../turn/live-session.ts';
import type { HookBinding, TurnHooks } from './hook-binding.ts';
import { endSession, sessionHooks, type SessionHooks } from './session-hooks.ts';

/** The hooks of a turn, and those that wait for the end of the session. */
export interface BoundHooks extends TurnHooks {
  /** Runs SessionEnd hooks. */
  end(): Promise<void>;
}

/** Binds the hooks of settings and active skills into a turn. */
export function bindHooks(given: HookBinding): BoundHooks {
  const { session } = given;
  const { state } = session;
  const lifecycle = state.parent_run ? undefined : given.lifecycle;
  const hooks = sessionHooks(given);
  const submit = (prompt: string, signal: AbortSignal): Promise<readonly FiredHook[]> => hooks.fire({ event: 'UserPromptSubmit', names: [], fields: { prompt } }, signal);
  return {
    end: () => endSession(session, hooks),
    async beforePrompt(signal) {
      if (!lifecycle) return startAgent(session, hooks, signal);
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
      const fields = { stop_hook_active: (state.turn?.sent_on ?? 0) > 0, last_assistant_message: lastWords(session) };
      const fired = lifecycle ? await hooks.fire({ event: 'Stop', names: [], fields }, signal) : await beforeAgentStop(session, hooks, fields, signal);
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
    async whenCompacted(signal) {
      const fired = lifecycle ? await hooks.fire(sessionStart('compact', session), signal) : [];
      return { text: contextText(fired), events: hookEvents(fired.map(withoutHalt)) };
    },
  };
}

function sessionStart(source: 'startup' | 'resume' | 'compact', { state }: LiveSession): HookMoment {
  return { event: 'SessionStart', names: [source], fields: { source, model: state.model } };
}

/** A conversation may be compacted outside of a turn, where there is nothing to be ended. */
function withoutHalt(fired: FiredHook): FiredHook {
  const { halts: _none, ...answer } = fired.answer;
  return { ...fired, answer };
}

/** A session that goes on in another process has begun anew there. */
async function startSession(session: LiveSession, hooks: SessionHooks, signal: AbortSignal): Promise<void> {
  const source = session.state.messages.length === 1 ? 'startup' : 'resume';
  const fired = await hooks.fire(sessionStart(source, session), signal);
  if (fired.length > 0) await session.append(hookEvents(fired, { note: noteOf(contextText(fired)) }));
}

/** A sub-agent's first prompt; a run that goes on in another process has begun before. */
async function startAgent(session: LiveSession, hooks: SessionHooks, signal: AbortSignal): Promise<undefined> {
  const { state } = session;
  if (state.messages.length > 1) return;
  const fired = await hooks.fire({ event: 'SubagentStart', names: [state.agent?.type ?? ''], fields: {} }, signal);
  if (fired.length > 0) await session.append(hookEvents(fired, { note: noteOf(contextText(fired)) }));
}

/** A skill's own Stop hooks are for the end of the run that it is loaded in, whoever runs it. */
async function beforeAgentStop(session: LiveSession, hooks: SessionHooks, fields: JsonObject, signal: AbortSignal): Promise<readonly FiredHook[]> {
  const event = 'SubagentStop';
  const own = hooks.fire({ event, names: [session.state.agent?.type ?? ''], fields }, signal);
  const ofSkills = hooks.fire({ event: 'Stop', only: 'skill', names: [], fields: { ...fields, hook_event_name: event } }, signal);
  return (await Promise.all([own, ofSkills])).flat();
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
