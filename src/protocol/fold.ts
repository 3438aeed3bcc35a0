import { textOf, type AssistantPart, type ToolResultPart, type UserPart } from './content.ts';
import type { StoredBody, StoredEvent } from './events.ts';
import { applyHookEvent } from './fold-hooks.ts';
import { applySkillEvent } from './fold-skills.ts';
import { isObject } from './json.ts';
import { appendNote, isInStep } from './fold-messages.ts';
import { emptySessionState, isAnswered, openCalls, type CallState, type SessionState } from './session-state.ts';
import { addUsage, NO_USAGE, type Usage } from './usage.ts';

/** Keys of messages that are kept; a client repeats what it had no answer to, soon. */
const MOST_KEYS = 100;

type EventOf<T extends StoredBody['type']> = StoredEvent & { readonly type: T };

/** Folds a whole log. Events of a type that is not known are passed over, so that older programs read newer logs. */
export function foldEvents(sessionId: string, events: Iterable<StoredEvent>): SessionState {
  const state = emptySessionState(sessionId);
  for (const event of events) applyEvent(state, event);
  return state;
}

/** Applies one event to a state that the caller owns. Deterministic: the same events give the same state. */
export function applyEvent(state: SessionState, event: StoredEvent): void {
  state.last_seq = event.seq;
  switch (event.type) {
    case 'session.started': return startSession(state, event);
    case 'session.forked': state.parent = { session_id: event.parent_id, at_seq: event.at_seq }; return;
    case 'instructions.loaded': state.instructions = event.text; return;
    case 'turn.started': return startTurn(state, event);
    case 'turn.resumed': return resumeAfterEnd(state, event);
    case 'background.lost': return loseBackground(state, event);
    case 'message.added': return addMessage(state, event);
    case 'message.completed': return completeMessage(state, event);
    case 'permission.requested':
    case 'permission.resolved':
    case 'question.asked':
    case 'question.answered': return applyQuestion(state, event);
    case 'tool.started': return updateCall(state, event.call_id, (call) => ({ ...call, phase: 'started', ...(call.question && isAnswered(call.question) ? { question: { ...call.question, taken: true } } : {}) }));
    case 'tool.completed': return completeCall(state, event);
    case 'skill.offered':
    case 'skill.activated':
    case 'skill.deactivated': openTurn(state); return applySkillEvent(state, event);
    case 'agent.started': state.agents.set(event.task_id, { task_id: event.task_id, child_id: event.child_id, agent_type: event.agent_type, call_id: event.call_id, seq: event.seq, status: 'running', ...(event.background ? { background: true } : {}) }); return;
    case 'agent.completed': return completeAgent(state, event);
    case 'hook.completed': return applyHookEvent(state, event);
    case 'todos.updated': state.todos = event.todos; return;
    case 'context.compacted': return compact(state, event);
    case 'model.changed': state.model = event.model; return;
    case 'mode.changed': return changeMode(state, event);
    case 'folders.changed': state.add_dirs = event.add_dirs; return;
    case 'restrictions.changed': state.restrictions = event.restrictions; return;
    case 'sandbox.changed': state.sandbox = event.sandbox; return;
    case 'turn.completed': return endTurn(state, event);
    case 'tool.requested': return requestCall(state, event);
    case 'model.retried':
    case 'warning': return;
    default: return unknownEvent(event);
  }
}

/** A newer program's event changes nothing here; one that this program knows and forgot does not compile. */
function unknownEvent(_event: never): void {}

function startSession(state: SessionState, event: EventOf<'session.started'>): void {
  state.cwd = event.cwd;
  state.model = event.model;
  state.permission_mode = event.permission_mode;
  state.sandbox = event.sandbox;
  state.environment = event.environment;
  state.add_dirs = event.add_dirs ?? [];
  state.bound = event.bound;
  state.parent_run = event.parent;
  state.agent = event.agent;
  state.listed_agents = event.agents ?? [];
  state.restrictions = event.restrictions ?? {};
}

function changeMode(state: SessionState, { mode, note }: EventOf<'mode.changed'>): void {
  if (mode === 'plan' && state.permission_mode !== 'plan') state.mode_before_plan = state.permission_mode;
  state.permission_mode = mode;
  if (note !== undefined) state.notes.push(note);
}

function startTurn(state: SessionState, event: EventOf<'turn.started'>): void {
  noteKey(state, event.key, event.turn_id);
  const carried = state.notes.splice(0);
  state.turn = { turn_id: event.turn_id, status: 'running', steps: 0, usage: NO_USAGE, cost_usd: 0, from_seq: event.seq, options: event.options ?? {}, input: event.input, notes: carried };
  const notes = [...carried, ...(event.note === undefined ? [] : [event.note])].map((text) => ({ type: 'text', text }) as const);
  state.messages.push({ seq: event.seq, message: { role: 'user', content: [...event.input, ...notes] } });
  for (const id of state.skill_effects.keys()) if (state.skills.get(id)?.trigger !== 'bound') state.skill_effects.delete(id);
}

/** What a sub-agent used is part of the turn. What the model is told of the end of one in the background is a message of its own. */
function completeAgent(state: SessionState, event: EventOf<'agent.completed'>): void {
  const run = state.agents.get(event.task_id);
  if (run) state.agents.set(event.task_id, { ...run, status: event.status });
  countUsage(state, event.usage, event.cost_usd);
  if (event.note === undefined) return;
  const logged = { seq: event.seq, message: { role: 'user', content: [{ type: 'text', text: event.note }] } } as const;
  (openCalls(state).length > 0 ? state.queued : state.messages).push(logged);
}

/** A message in the middle of a step follows that step; the model has not seen it yet. */
/** A message that is sent again with its key is known. */
function noteKey(state: SessionState, key: string | undefined, turnId: string | undefined): void {
  if (key === undefined || turnId === undefined) return;
  state.sent.set(key, turnId);
  const [oldest] = state.sent.keys();
  if (oldest !== undefined && state.sent.size > MOST_KEYS) state.sent.delete(oldest);
}

function addMessage(state: SessionState, event: EventOf<'message.added'>): void {
  noteKey(state, event.key, state.turn?.turn_id);
  const note: readonly UserPart[] = event.note === undefined ? [] : [{ type: 'text', text: event.note }];
  const content: readonly UserPart[] = [{ type: 'text', text: event.text }, ...(event.attachments ?? []), ...note];
  const logged = { seq: event.seq, message: { role: 'user', content } } as const;
  if (event.by === 'stop_hook' && state.turn) state.turn = { ...state.turn, sent_on: (state.turn.sent_on ?? 0) + 1 };
  if (isInStep(state)) state.queued.push(logged);
  else state.messages.push(logged);
}

function completeMessage(state: SessionState, event: EventOf<'message.completed'>): void {
  state.messages.push({ seq: event.seq, message: { role: 'assistant', content: event.content } });
  if (event.usage) {
    const { usage } = event;
    countUsage(state, usage, event.cost_usd);
    const tokens = usage.input + usage.cache_read + usage.cache_write + usage.output;
    // A server that does not count says nothing about the context.
    if (tokens > 0) state.context = { tokens, messages: state.messages.length };
  }
  if (state.turn) {
    const { resumed: _resumed, ...turn } = state.turn;
    state.turn = { ...turn, steps: turn.steps + 1, opened: true };
  }
  state.calls.clear();
  for (const call of callsOf(event.content)) state.calls.set(call.call_id, call);
  if (state.calls.size === 0) flushQueued(state, event.seq);
}

function countUsage(state: SessionState, usage: Usage, cost = 0): void {
  state.usage = addUsage(state.usage, usage);
  state.cost_usd += cost;
  if (state.turn) state.turn = { ...state.turn, usage: addUsage(state.turn.usage, usage), cost_usd: state.turn.cost_usd + cost };
}

function callsOf(content: readonly AssistantPart[]): readonly CallState[] {
  return content.flatMap((part) => (part.type === 'tool_call' ? [{ call_id: part.call_id, tool: part.tool, input: part.input, phase: 'requested' as const, ...(part.invalid === undefined ? {} : { invalid: part.invalid }) }] : []));
}

function updateCall(state: SessionState, callId: string, change: (call: CallState) => CallState): void {
  const call = state.calls.get(callId);
  if (call) state.calls.set(callId, change(call));
}

function applyQuestion(state: SessionState, event: EventOf<'permission.requested' | 'permission.resolved' | 'question.asked' | 'question.answered'>): void {
  if (event.type === 'permission.resolved' || event.type === 'question.answered') resumeTurn(state);
  const byRequest = (requestId: string) => [...state.calls.values()].find((call) => call.question?.request_id === requestId)?.call_id ?? '';
  switch (event.type) {
    case 'permission.requested':
      return updateCall(state, event.call_id, (call) => ({ ...call, question: { kind: 'permission', request_id: event.request_id, reason: event.reason, rules: event.rules, unsandboxed: event.unsandboxed === true, ...(event.mode === undefined ? {} : { mode: event.mode }), ...(event.places ? { places: event.places } : {}), ...(event.tool === call.tool && call.phase !== 'started' ? {} : { inner: { tool: event.tool, input: event.input } }) } }));
    case 'permission.resolved': return resolvePermission(state, event, byRequest(event.request_id));
    case 'question.asked':
      return updateCall(state, event.call_id, (call) => ({ ...call, question: { kind: 'question', request_id: event.request_id, question: event.question, ...(event.options ? { options: event.options } : {}), ...(event.questions ? { questions: event.questions } : {}), ...(event.state ? { state: event.state } : {}) } }));
    case 'question.answered':
      return updateCall(state, byRequest(event.request_id), (call) => (call.question?.kind === 'question' ? { ...call, question: { ...call.question, answer: event.answer } } : call));
  }
}

/** What a prompt brings with it comes in one transaction, so a part of it means all of it. */
function openTurn(state: SessionState): void {
  if (state.turn && !state.turn.opened) state.turn = { ...state.turn, opened: true };
}

function resumeAfterEnd(state: SessionState, { turn_id }: EventOf<'turn.resumed'>): void {
  if (state.turn?.turn_id === turn_id) state.turn = { ...state.turn, resumed: (state.turn.resumed ?? 0) + 1 };
}

/** Told at the next request: of the turn that goes on, or with the next message. */
function loseBackground(state: SessionState, { bash_ids, note, seq }: EventOf<'background.lost'>): void {
  for (const id of bash_ids) state.background.delete(id);
  const logged = { seq, message: { role: 'user', content: [{ type: 'text', text: note.trimStart() }] } } as const;
  if (openCalls(state).length > 0) state.queued.push(logged);
  else if (state.turn?.status === 'running') state.messages.push(logged);
  else state.notes.push(note);
}

/** An answer lets a waiting turn go on. */
function resumeTurn(state: SessionState): void {
  if (state.turn?.status === 'waiting') state.turn = { ...state.turn, status: 'running' };
}

function resolvePermission(state: SessionState, event: EventOf<'permission.resolved'>, callId: string): void {
  if (event.decision === 'allow') {
    if (event.scope === 'always') state.always.push(...(event.rules ?? []));
    const { question } = state.calls.get(callId) ?? {};
    if (question?.kind === 'permission' && question.unsandboxed) state.unsandboxed_allowed = true;
  }
  updateCall(state, callId, (call) => (call.question?.kind === 'permission' ? { ...call, question: { ...call.question, decision: event.decision, scope: event.scope, ...(event.reason === undefined ? {} : { feedback: event.reason }) } } : call));
}

/** Calls of a reply come with it; those of the person begin here. */
function requestCall(state: SessionState, { call_id, tool, input, by }: EventOf<'tool.requested'>): void {
  if (by === undefined) return;
  openTurn(state);
  state.calls.set(call_id, { call_id, tool, input, by, phase: 'requested' });
}

/** When the last call of a reply has its result, the results become one message in the order of the calls. */
function completeCall(state: SessionState, event: EventOf<'tool.completed'>): void {
  const call = state.calls.get(event.call_id);
  if (!call || call.phase === 'completed') return;
  if (event.usage) countUsage(state, event.usage, event.cost_usd);
  state.calls.set(event.call_id, { ...call, phase: 'completed', status: event.status, output: event.output });
  for (const [path, stamp] of Object.entries(stampsOf(event))) state.file_stamps.set(path, stamp);
  noteBackground(state, event);
  if (openCalls(state).length > 0) return;
  const done = [...state.calls.values()];
  for (const call of done) if (call.by === 'person') appendNote(state, personNote(call));
  const content: ToolResultPart[] = done.filter((call) => call.by === undefined).map((done) => ({ type: 'tool_result', call_id: done.call_id, tool: done.tool, content: done.output ?? [], is_error: done.status !== 'ok' }));
  if (content.length > 0) state.messages.push({ seq: event.seq, message: { role: 'tool', content } });
  state.calls.clear();
  flushQueued(state, event.seq);
}

function noteBackground(state: SessionState, { details }: EventOf<'tool.completed'>): void {
  const id = details?.['bash_id'];
  if (typeof id !== 'string') return;
  if (details?.['ended'] === true) state.background.delete(id);
  else if (typeof details?.['command'] === 'string') state.background.set(id, details['command']);
}

/** What the model reads of a call that the person made. */
function personNote({ tool, input, output = [], status }: CallState): string {
  return `\n\nThe person called ${tool} ${JSON.stringify(input)}${status === 'ok' ? '' : ', which failed'}:\n${textOf(output)}`;
}

function stampsOf(event: EventOf<'tool.completed'>): Readonly<Record<string, string>> {
  const stamps = event.details?.['stamps'];
  if (!isObject(stamps)) return {};
  return Object.fromEntries(Object.entries(stamps).filter((pair): pair is [string, string] => typeof pair[1] === 'string'));
}

/** Queued messages take the number of the event that let them in, so that numbers rise along `messages`. */
function flushQueued(state: SessionState, seq: number): void {
  for (const { message } of state.queued.splice(0)) state.messages.push({ seq, message });
}

/** Everything before `kept_from_seq` gives way to one message, numbered 0, that carries what must not be lost. */
function compact(state: SessionState, event: EventOf<'context.compacted'>): void {
  const kept = state.messages.filter((logged) => logged.seq >= event.kept_from_seq);
  const carried = { seq: 0, message: { role: 'user', content: [{ type: 'text', text: event.carried }] } } as const;
  state.messages.splice(0, state.messages.length, carried, ...kept);
  state.offered.clear();
  if (event.usage) countUsage(state, event.usage, event.cost_usd);
  state.context = { tokens: event.after_tokens, messages: state.messages.length };
}

function endTurn(state: SessionState, event: EventOf<'turn.completed'>): void {
  if (state.turn?.turn_id !== event.turn_id) return;
  state.turn = { ...state.turn, status: event.status, ...(event.error ? { error: event.error } : {}) };
  if (event.status !== 'waiting') flushQueued(state, event.seq);
}
