import type { ModelReply, ModelRequest } from '../model/model.ts';
import { textOf } from '../protocol/content.ts';
import type { Message } from '../protocol/message.ts';
import type { LoggedMessage, SessionState } from '../protocol/session-state.ts';
import { costOf } from '../protocol/usage.ts';
import { estimateTokens } from '../util/estimate-tokens.ts';
import type { AgentPorts } from './ports.ts';
import summaryPrompt from './summary-prompt.md';

const IMAGE_TOKENS = 1_500;
/** Share of the context window that stays word for word. */
const KEEP_SHARE = 0.15;
/** Below this share of the context window a compaction is not worth its call, unless it must be. */
const MIN_GAIN_SHARE = 0.1;
/** Share of the context window that the text to be summarised may fill. */
const TRANSCRIPT_SHARE = 0.6;
const RESULT_CHARS = 2_000;
const PROMPT_CHARS = 8_000;
/** Tokens of active skills' instructions that are carried over whole: at most so many, and this share of the context window. */
const SKILL_TOKENS = 25_000;
const SKILL_SHARE = 0.25;

/** Tokens of the next request: what the provider counted last, plus an estimate of what came since. */
export function contextTokens({ state, system, specs }: Pick<AgentPorts, 'state' | 'system' | 'specs'>): number {
  const since = sum(state.messages.slice(state.context.messages).map((logged) => messageTokens(logged.message)));
  if (state.context.tokens > 0) return state.context.tokens + since;
  return since + estimateTokens(system) + estimateTokens(JSON.stringify(specs));
}

/**
 * Replaces the older part of the history by a summary, one event, so that a crash leaves the old context or the new one.
 * A call and its result are never parted. Where the summary fails, the older messages are left out and counted.
 * Does nothing where too little could be gained, unless `force` is set. False when a hook has forbidden it.
 */
export async function compactHistory(ports: AgentPorts, signal: AbortSignal, options: { readonly force?: boolean; readonly trigger?: 'manual' } = {}): Promise<boolean> {
  const { messages } = ports.state;
  const before = contextTokens(ports);
  // After an overflow the window is smaller than was thought: what stays is measured by what there is.
  const whole = options.force ? Math.min(before, ports.model.info.contextWindow) : ports.model.info.contextWindow;
  const cut = cutIndex(messages, KEEP_SHARE * whole);
  const kept = messages[cut];
  if (cut === 0 || !kept) return true;
  const older = messages.slice(0, cut);
  const gain = sum(older.map((logged) => messageTokens(logged.message)));
  if (!options.force && gain < MIN_GAIN_SHARE * ports.model.info.contextWindow) return true;
  if (ports.hooks && !(await ports.hooks.beforeCompact(options.trigger ?? 'auto', signal))) return false;
  const answer = await summarise(ports, older, signal);
  if (signal.aborted) return true;
  const summary = answer && textOf(answer.content).trim();
  const { text: said, events } = (await ports.hooks?.whenCompacted(signal)) ?? { text: '', events: [] };
  if (signal.aborted) return true;
  const carried = carriedText(ports, [`<earlier_conversation>\n${summary || `[${older.length} earlier messages omitted]`}\n</earlier_conversation>`, said], messages.slice(cut));
  const after = estimateTokens(carried) + estimateTokens(ports.system) + estimateTokens(JSON.stringify(ports.specs)) + sum(messages.slice(cut).map((logged) => messageTokens(logged.message)));
  const { price } = ports.model.info;
  await ports.append([...events, { type: 'context.compacted', summary: summary ?? '', kept_from_seq: kept.seq, before_tokens: before, after_tokens: after, carried, ...(answer ? { usage: answer.usage, ...(price ? { cost_usd: costOf(answer.usage, price) } : {}) } : {}) }]);
  return true;
}

/** First message of the longest tail that fits the budget and begins with no result; at least the last exchange stays. */
function cutIndex(messages: readonly LoggedMessage[], budget: number): number {
  let tokens = 0;
  let cut = messages.length;
  for (let i = messages.length - 1; i >= 0; i--) {
    const logged = messages[i];
    if (!logged) break;
    tokens += messageTokens(logged.message);
    if (tokens > budget && cut < messages.length) break;
    if (logged.message.role !== 'tool' && isFirstOfItsNumber(messages, i)) cut = i;
  }
  return cut === messages.length ? 0 : cut;
}

/** The log is cut by number, so a message that shares its number with the one before stays with it. */
function isFirstOfItsNumber(messages: readonly LoggedMessage[], index: number): boolean {
  return messages[index - 1]?.seq !== messages[index]?.seq;
}

async function summarise(ports: AgentPorts, older: readonly LoggedMessage[], signal: AbortSignal): Promise<ModelReply | undefined> {
  await ports.append([]);
  const room = TRANSCRIPT_SHARE * ports.model.info.contextWindow;
  const request: ModelRequest = { system: summaryPrompt, tools: [], messages: [{ role: 'user', content: [{ type: 'text', text: transcript(older, room) }] }] };
  for await (const event of ports.model.stream(request, signal)) {
    if (event.type === 'done') return event.reply;
    if (event.type === 'failed' && event.failure.kind === 'aborted') return undefined;
    if (event.type === 'failed') {
      await ports.append([{ type: 'warning', code: 'compaction_failed', message: `The summary of the earlier conversation failed, so it is left out: ${event.failure.message}` }]);
      return undefined;
    }
  }
  return undefined;
}

/** The conversation as text, long results cut. Where it would not fit, the oldest part is left out, but never an earlier summary. */
function transcript(older: readonly LoggedMessage[], room: number): string {
  const carried = older.filter((logged) => logged.seq === 0).map((logged) => messageText(logged.message));
  const lines: string[] = [];
  let tokens = carried.reduce((sum, text) => sum + estimateTokens(text), 0);
  for (const { message, seq } of [...older].reverse()) {
    if (seq === 0) continue;
    const text = messageText(message);
    tokens += estimateTokens(text);
    if (tokens > room) break;
    lines.unshift(text);
  }
  return [...carried, ...lines].join('\n\n');
}

function messageText(message: Message): string {
  switch (message.role) {
    case 'user': return `PERSON: ${textOf(message.content)}`;
    case 'assistant':
      return message.content.map((part) => (part.type === 'text' ? `AGENT: ${part.text}` : part.type === 'tool_call' ? `CALL ${part.tool}: ${JSON.stringify(part.input).slice(0, RESULT_CHARS)}` : '')).filter(Boolean).join('\n');
    case 'tool': return message.content.map((part) => `RESULT ${part.tool}: ${textOf(part.content).slice(0, RESULT_CHARS)}`).join('\n');
  }
}

/** What stands in for the older messages: their summary, the person's current request, todo list and skills. */
function carriedText({ state, model }: Pick<AgentPorts, 'state' | 'model'>, before: readonly string[], kept: readonly LoggedMessage[]): string {
  const { turn } = state;
  const isRunning = turn?.status === 'running' && !kept.some((logged) => logged.seq === turn.from_seq);
  const parts = before.filter((part) => part !== '');
  if (isRunning) parts.push(`<current_request>\n${textOf(turn.input).slice(0, PROMPT_CHARS)}\n</current_request>`);
  if (state.todos.length > 0) parts.push(`<todo_list>\n${state.todos.map((todo) => `- [${todo.status}] ${todo.id}: ${todo.subject}`).join('\n')}\n</todo_list>`);
  parts.push(...skillTexts(state, Math.min(SKILL_TOKENS, SKILL_SHARE * model.info.contextWindow)));
  return parts.join('\n\n');
}

/** Active skills whole, the latest first, up to the budget in tokens; of the others how to read them again. A bound one stands in the system prompt. */
function skillTexts(state: SessionState, budget: number): readonly string[] {
  let left = budget;
  return [...state.skills.values()].filter((skill) => skill.trigger !== 'bound').reverse().map((skill) => {
    const tokens = estimateTokens(skill.body);
    if (tokens <= left) {
      left -= tokens;
      return skill.body;
    }
    return `<skill id="${skill.skill_id}">Active, left out here for its length. Read ${skill.path} before you go on with it.</skill>`;
  });
}

function messageTokens(message: Message): number {
  return sum(message.content.map((part) => {
    switch (part.type) {
      case 'text': return estimateTokens(part.text);
      case 'reasoning': return estimateTokens(part.text);
      case 'tool_call': return estimateTokens(JSON.stringify(part.input)) + estimateTokens(part.tool);
      case 'tool_result': return sum(part.content.map((inner) => (inner.type === 'text' ? estimateTokens(inner.text) : IMAGE_TOKENS)));
      case 'image':
      case 'document': return IMAGE_TOKENS;
    }
  }));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, value) => total + value, 0);
}
