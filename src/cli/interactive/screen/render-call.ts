import { textOf } from '../../../protocol/content.ts';
import { meantCall } from '../../../protocol/meant-call.ts';
import { outputText } from '../../../protocol/output-text.ts';
import type { AgentRunView, CallItem } from '../../../protocol/transcript/transcript.ts';
import { diffLines } from '../../run/plain-progress.ts';
import { callLine, wholeCall } from '../../run/show-call.ts';
import { oneLine } from '../../terminal.ts';
import { fitLines, wrapLines } from './fit-lines.ts';
import type { RenderMarkdown } from './render-markdown.ts';
import type { Paint } from './theme.ts';

const LIVE_LINES = 5;
const CLOSED_DIFF_LINES = 20;
const CLOSED_ERROR_LINES = 3;
const CLOSED_AGENT_CALLS = 3;
const OPEN_LINES = 500;
const MARKS: Readonly<Record<string, string>> = { requested: '○', waiting: '?', running: '●', ok: '✓', error: '✗', denied: '⊘', interrupted: '■' };

/** How an item is shown. */
export interface ItemLook {
  /** Columns. */
  readonly width: number;
  /** With all its details. */
  readonly isOpen: boolean;
  readonly paint: Paint;
  readonly markdown: RenderMarkdown;
}

/** A tool call: a line, what it says while it runs, and what it has changed; open, all that it was given and has brought. */
export function renderCall(item: CallItem, look: ItemLook): string[] {
  const { tool, input } = meantCall(item);
  const { paint, width, isOpen } = look;
  const state = item.status ?? item.phase;
  const mark = paintState(state, paint)(MARKS[state] ?? '●');
  const head = `${mark} ${paint.bold(oneLine(tool))} ${paint.dim(callLine(input))}`;
  const end = endOf(item);
  const first = end === '' ? fitLines([head], width) : [`${fitLines([head], Math.max(8, width - end.length - 1))[0] ?? ''} ${paint.dim(end)}`];
  return fitLines([
    ...first,
    ...(isOpen ? wholeCall(input, { width }).map(paint.dim) : []),
    ...(item.agent ? renderAgent(item.agent, look) : []),
    ...liveLines(item, look),
    ...resultLines(item, look),
  ], width);
}

/** A sub-agent: what it is about, its latest calls, and in the end what it says. */
export function renderAgent(agent: AgentRunView, { paint, width, isOpen }: ItemLook): string[] {
  const about = oneLine(agent.description ?? agent.prompt);
  const calls = isOpen ? agent.calls : agent.status === 'running' ? agent.calls.slice(-CLOSED_AGENT_CALLS) : [];
  const lines = [
    `  ${paint.green('◆')} ${oneLine(agent.type)}${agent.isBackground ? ' in the background' : ''} · ${agent.status} · ${counted(agent.calls.length, 'call')} ${paint.dim(about)}`,
    ...calls.map(({ tool, line, status }) => `    ${paintState(status, paint)(MARKS[status] ?? '●')} ${oneLine(tool)} ${paint.dim(oneLine(line))}`),
  ];
  if (agent.result === undefined) return fitLines(lines, width);
  return fitLines([...lines, ...(isOpen ? wrapLines(outputText(agent.result), width - 4) : [oneLine(outputText(agent.result))]).map((line) => paint.dim(`    ${line}`))], width);
}

function paintState(state: string, paint: Paint): (text: string) => string {
  if (state === 'ok') return paint.green;
  return state === 'error' || state === 'denied' ? paint.red : paint.yellow;
}

function endOf({ phase, status, durationMs, output }: CallItem): string {
  if (phase === 'waiting') return 'waits for you';
  if (phase !== 'done') return '';
  const text = textOf(output);
  const size = text === '' ? [] : [counted(text.trimEnd().split('\n').length, 'line')];
  return [...(status === 'ok' || status === undefined ? [] : [status]), ...(durationMs === undefined ? [] : [duration(durationMs)]), ...size].join(' · ');
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}

/** A time in ms, in words. */
export function duration(ms: number): string {
  return ms < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`;
}

function liveLines({ phase, live }: CallItem, { paint, width, isOpen }: ItemLook): string[] {
  if (phase === 'done' || live === '') return [];
  return wrapLines(outputText(live).trimEnd(), width - 4).slice(isOpen ? -OPEN_LINES : -LIVE_LINES).map((line) => paint.dim(`  │ ${line}`));
}

function resultLines(item: CallItem, { paint, width, isOpen }: ItemLook): string[] {
  if (item.phase !== 'done') return [];
  const text = outputText(textOf(item.output)).trimEnd();
  const isOk = item.status === 'ok';
  if (item.diff !== undefined && isOk) return diffLines(item.diff, paint, isOpen ? OPEN_LINES : CLOSED_DIFF_LINES).split('\n');
  if (text === '' || (item.agent !== undefined && !isOpen)) return [];
  if (!isOpen && item.tool === 'Skill' && isOk) return [paint.dim('  ⎿ loaded')];
  const lines = wrapLines(text, width - 4);
  const most = isOpen ? OPEN_LINES : isOk ? 1 : CLOSED_ERROR_LINES;
  const more = lines.length > most ? [paint.dim(`    … ${lines.length - most} more lines (Ctrl-O shows details)`)] : [];
  return [...lines.slice(0, most).map((line, i) => (isOk ? paint.dim : paint.red)(`  ${i === 0 ? '⎿' : ' '} ${line}`)), ...(isOk && !isOpen ? [] : more)];
}
