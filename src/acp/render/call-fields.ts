import path from 'node:path';
import type { ToolCall, ToolCallContent, ToolCallLocation, ToolCallStatus } from '@agentclientprotocol/sdk';
import type { ResultPart } from '../../protocol/content.ts';
import type { JsonObject } from '../../protocol/json.ts';
import { meantCall } from '../../protocol/meant-call.ts';
import { outputText } from '../../protocol/output-text.ts';
import { tellingArgument } from '../../protocol/telling-argument.ts';
import type { AgentItem, AgentRunView, CallItem } from '../../protocol/transcript/transcript.ts';
import { visibleText } from '../../protocol/visible-text.ts';
import { cutStart } from '../../util/cut-text.ts';
import { toolKind } from '../tool-kind.ts';
import { changedParts } from './diff-content.ts';

const TITLE_CHARS = 160;
/** Tools whose results are written to be read, not output of a program or text of a file. */
const PROSE = new Set(['Task', 'TaskOutput', 'AskUserQuestion', 'Skill', 'EnterPlanMode', 'ExitPlanMode', 'WebSearch']);

/** A call as an editor shows it, without its id. */
export type CallFields = Required<Pick<ToolCall, 'title' | 'name' | 'kind' | 'status' | 'content' | 'locations' | 'rawInput'>>;

/** What an editor shows of a call. `cwd` is the folder of the session. */
export function callFields(item: CallItem, cwd: string): CallFields {
  const { tool, input } = meantCall(item);
  const file = fileOf(input, cwd);
  const parts = file !== undefined && item.diff !== undefined ? changedParts(file, item.diff) : [];
  return {
    ...named(tool, input),
    status: statusOf(item),
    content: [
      ...(item.phase === 'done' ? parts.map(({ diff }): ToolCallContent => ({ type: 'diff', ...diff })) : wanted(tool, input, file)),
      ...(item.invalid === undefined ? [] : [text(fenced(item.invalid))]),
      ...(item.agent ? agentContent(item.agent) : []),
      ...(item.live === '' ? [] : [text(fenced(outputText(item.live)))]),
      ...(parts.length > 0 && item.status === 'ok' ? [] : results(tool, item)),
    ],
    locations: file === undefined ? [] : [{ path: file, ...lineOf(input, parts) }],
  };
}

/** What an editor shows of a sub-agent that no call has begun. */
export function agentFields({ agent }: AgentItem): CallFields {
  return {
    title: titleOf('Task', agent.description ?? `${agent.type}: ${agent.prompt}`),
    name: 'Task',
    kind: 'think',
    status: agent.status === 'running' || agent.status === 'waiting' ? 'in_progress' : agent.status === 'done' ? 'completed' : 'failed',
    content: [...agentContent(agent), ...(agent.result === undefined ? [] : [text(visibleText(agent.result))])],
    locations: [],
    rawInput: { prompt: agent.prompt, subagent_type: agent.type },
  };
}

/** What a call is, before anything has come of it. */
export function plannedFields({ tool, input }: { readonly tool: string; readonly input: JsonObject }, cwd: string): Omit<CallFields, 'status'> {
  const file = fileOf(input, cwd);
  return { ...named(tool, input), content: [...wanted(tool, input, file)], locations: file === undefined ? [] : [{ path: file, ...lineOf(input, []) }] };
}

/** A text as content of a call. */
export function text(said: string): ToolCallContent {
  return { type: 'content', content: { type: 'text', text: said } };
}

/** A text that is shown as it stands, whatever it says. */
export function fenced(body: string): string {
  const longest = (body.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 2);
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${body.replace(/\n$/, '')}\n${fence}`;
}

function named(tool: string, input: JsonObject): Pick<CallFields, 'title' | 'name' | 'kind' | 'rawInput'> {
  const telling = Object.keys(input).length === 0 ? '' : tellingArgument(input);
  return { title: titleOf(tool, telling), name: tool, kind: toolKind(tool), rawInput: input };
}

function titleOf(tool: string, telling: string): string {
  const line = visibleText(telling).replace(/\s+/g, ' ').trim();
  const cut = line.length > TITLE_CHARS ? `${cutStart(line, TITLE_CHARS)}…` : line;
  return cut === '' ? visibleText(tool) : `${visibleText(tool)}: ${cut}`;
}

function statusOf({ phase, status }: CallItem): ToolCallStatus {
  switch (phase) {
    case 'requested':
    case 'waiting': return 'pending';
    case 'running': return 'in_progress';
    case 'done': return status === 'ok' ? 'completed' : 'failed';
  }
}

/** What a call would do, where that can be shown better than its arguments. */
function wanted(tool: string, { old_string: before, new_string: after, content, plan }: JsonObject, file: string | undefined): readonly ToolCallContent[] {
  if (tool === 'Edit' && file !== undefined && typeof after === 'string') return [{ type: 'diff', path: file, newText: after, ...(typeof before === 'string' ? { oldText: before } : {}) }];
  if (tool === 'Write' && file !== undefined && typeof content === 'string') return [{ type: 'diff', path: file, newText: content }];
  return tool === 'ExitPlanMode' && typeof plan === 'string' ? [text(visibleText(plan))] : [];
}

function fileOf(input: JsonObject, cwd: string): string | undefined {
  const file = input['file_path'] ?? input['notebook_path'];
  return typeof file === 'string' && file !== '' ? path.resolve(cwd, file) : undefined;
}

function lineOf({ offset }: JsonObject, [part]: ReturnType<typeof changedParts>): Pick<ToolCallLocation, 'line'> {
  const line = part?.line ?? offset;
  return typeof line === 'number' && Number.isInteger(line) && line >= 1 ? { line } : {};
}

function agentContent({ calls }: AgentRunView): readonly ToolCallContent[] {
  const lines = calls.map(({ tool, line, status }) => `${status === 'running' ? '…' : status === 'ok' ? '✓' : '✗'} ${visibleText(tool)} ${visibleText(line).replace(/\s+/g, ' ')}`);
  return lines.length === 0 ? [] : [text(fenced(lines.join('\n')))];
}

function results(tool: string, { output }: CallItem): readonly ToolCallContent[] {
  return output.map((part) => result(tool, part));
}

function result(tool: string, part: ResultPart): ToolCallContent {
  switch (part.type) {
    case 'text': return text(PROSE.has(tool) ? visibleText(part.text) : fenced(outputText(part.text)));
    case 'image': return { type: 'content', content: { type: 'image', mimeType: part.media_type, data: part.data } };
    case 'document': return text(`(${part.media_type}${part.name === undefined ? '' : `: ${visibleText(part.name)}`})`);
  }
}
