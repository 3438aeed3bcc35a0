import { textOf } from '../../protocol/content.ts';
import { diffRows, type DiffRow } from '../../protocol/diff-rows.ts';
import type { SessionEvent } from '../../protocol/events.ts';
import { isObject } from '../../protocol/json.ts';
import { cutStart } from '../../util/cut-text.ts';
import { oneLine, palette, printable, write } from '../terminal.ts';
import { callLine } from './show-call.ts';
import { noteLine } from './note-line.ts';

const LINE_CHARS = 110;
const DIFF_LINES = 40;
const WHOSE_CHARS = 40;

type Print = (text: string) => Promise<void>;

/** Shows a turn as plain lines: what is called, on what, how long it took, what changed. The model's words go to `text`, where it is given. */
export function plainProgress(stream: NodeJS.WriteStream, { text }: { readonly text?: NodeJS.WriteStream }): (event: SessionEvent) => Promise<void> {
  const paint = palette(stream);
  const print: Print = (text) => write(stream, text);
  const names = new Map<string, string>();
  let inText = false;
  const endText = async (): Promise<void> => {
    if (inText && text) await write(text, '\n');
    inText = false;
  };
  const agents = new Map<string, string>();
  const ofAgent = subAgentProgress(print, paint, agents);
  return async (event) => {
    if (event.is_sub_agent) {
      await endText();
      return ofAgent(event);
    }
    if (event.type === 'text.delta') {
      if (!text) return;
      inText = true;
      return write(text, printable(event.text));
    }
    if (event.type === 'reasoning.delta' || event.type === 'tool.delta') return;
    await endText();
    switch (event.type) {
      case 'session.started': return print(paint.dim(`session ${event.session_id} · ${oneLine(event.model)} · ${event.permission_mode} · sandbox: ${event.sandbox}\n`));
      case 'tool.requested': {
        names.set(event.call_id, event.tool);
        return print(`${paint.cyan('●')} ${paint.bold(oneLine(event.tool))} ${paint.dim(callLine(event.input))}\n`);
      }
      case 'tool.completed': return printResult(print, paint, event, names.get(event.call_id) ?? '');
      case 'agent.started': {
        agents.set(event.task_id, event.description ?? event.agent_type);
        return print(`${paint.green('◆')} sub-agent ${oneLine(event.agent_type)}: ${paint.dim(cutStart(oneLine(event.prompt), LINE_CHARS))}\n`);
      }
      case 'agent.completed': return void agents.delete(event.task_id);
      case 'skill.activated':
      case 'skill.deactivated':
      case 'model.retried':
      case 'sandbox.changed':
      case 'context.compacted':
      case 'warning':
      case 'hook.completed':
      case 'todos.updated': {
        const line = noteLine(event, paint);
        return line === undefined ? undefined : print(`${line}\n`);
      }
      default: return undefined;
    }
  };
}

/**
 * What sub-agents do, one line a call, indented; their words go to the one that called them. `agents` holds what those at work
 * are about: where there are several, each line says whose it is.
 */
function subAgentProgress(print: Print, paint: ReturnType<typeof palette>, agents: ReadonlyMap<string, string>): (event: SessionEvent) => Promise<void> {
  return async (event) => {
    const about = agents.size > 1 ? agents.get(event.agent_id ?? '') : undefined;
    const whose = about === undefined ? '' : paint.dim(`[${cutStart(oneLine(about), WHOSE_CHARS)}] `);
    if (event.type === 'tool.requested') return print(`    ${whose}${paint.cyan('●')} ${oneLine(event.tool)} ${paint.dim(callLine(event.input))}\n`);
    if (event.type === 'tool.completed' && event.status !== 'ok') return print(`      ${whose}${paint.red(`⎿ ${event.status}: ${cutStart(oneLine(textOf(event.output)), LINE_CHARS)}`)}\n`);
    if (event.type === 'warning') return print(`    ${whose}${paint.yellow(oneLine(event.message))}\n`);
    return undefined;
  };
}

async function printResult(print: Print, paint: ReturnType<typeof palette>, event: Extract<SessionEvent, { type: 'tool.completed' }>, tool: string): Promise<void> {
  const took = event.duration_ms === undefined ? '' : ` ${event.duration_ms} ms`;
  const text = oneLine(textOf(event.output));
  const colour = event.status === 'ok' ? paint.dim : paint.red;
  const state = event.status === 'ok' ? '' : `${event.status}: `;
  const shown = tool === 'Skill' && event.status === 'ok' ? 'loaded' : text.length > LINE_CHARS ? `${cutStart(text, LINE_CHARS)}…` : text;
  await print(colour(`  ⎿ ${state}${shown}${took}\n`));
  const diff = isObject(event.details) ? event.details['diff'] : undefined;
  if (typeof diff === 'string' && diff !== '') await print(`${diffLines(diff, paint)}\n`);
}

const MARKS: Readonly<Record<DiffRow['kind'], string>> = { added: '+', removed: '-', same: ' ', gap: '', note: '' };

/** A unified diff, coloured, cut after `most` lines. */
export function diffLines(diff: string, paint: ReturnType<typeof palette>, most = DIFF_LINES): string {
  const rows = diffRows(diff);
  const shown = rows.slice(0, most).map(({ kind, text }) => {
    const line = `${MARKS[kind]}${printable(text)}`;
    return `    ${kind === 'added' ? paint.green(line) : kind === 'removed' ? paint.red(line) : paint.dim(line)}`;
  });
  return rows.length > most ? [...shown, paint.dim(`    … ${rows.length - most} more lines`)].join('\n') : shown.join('\n');
}
