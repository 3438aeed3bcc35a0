import type { TranscriptItem } from '../../../protocol/transcript/transcript.ts';
import { noteLine } from '../../run/note-line.ts';
import { oneLine, printable } from '../../terminal.ts';
import { fitLines, wrapLines } from './fit-lines.ts';
import { renderAgent, renderCall, type ItemLook } from './render-call.ts';

/** The lines of one item of a conversation. Nothing in it can do more than stand there. */
export function renderItem(item: TranscriptItem, look: ItemLook): string[] {
  const { paint, width, isOpen } = look;
  switch (item.kind) {
    case 'person': return wrapLines(printable(item.text), width - 2).map((line, i) => `${i === 0 ? paint.cyan('>') : ' '} ${paint.bold(line)}`);
    case 'text': return look.markdown(item.text, width);
    case 'reasoning': return isOpen ? wrapLines(printable(item.text), width - 2).map((line) => paint.dim(`∴ ${line}`)) : fitLines([paint.dim(`∴ ${item.isWhole ? 'thought' : 'thinking'}: ${oneLine(item.text).slice(-2 * width)}`)], width);
    case 'call': return renderCall(item, look);
    case 'agent': return renderAgent(item.agent, look);
    // What is left to do, and what a turn waits for, stands below the conversation.
    case 'note': return (item.event.type === 'todos.updated' && !isOpen) || (item.event.type === 'turn.completed' && item.event.status === 'waiting') ? [] : wrapLines(noteLine(item.event, paint) ?? '', width).filter((line) => line !== '');
  }
}
