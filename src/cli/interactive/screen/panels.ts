import type { Component } from '@mariozechner/pi-tui';
import type { Todo } from '../../../protocol/todo.ts';
import { oneLine } from '../../terminal.ts';
import { fitLines } from './fit-lines.ts';
import type { Paint } from './theme.ts';

const MOST_TODOS = 6;

/** A part of the screen whose lines are made anew for each frame. */
export function panel(lines: (width: number) => readonly string[]): Component {
  return { render: (width) => fitLines(lines(width), width), invalidate: () => undefined };
}

/** The todo list while something of it is left to do; around what is being done where it is long. */
export function todoLines(todos: readonly Todo[], paint: Paint): readonly string[] {
  if (todos.every(({ status }) => status === 'completed')) return [];
  const current = Math.max(0, todos.findIndex(({ status }) => status !== 'completed'));
  const from = Math.max(0, Math.min(current - 1, todos.length - MOST_TODOS));
  const shown = todos.slice(from, from + MOST_TODOS).map(({ subject, status }) => {
    const text = oneLine(subject);
    if (status === 'completed') return paint.dim(`  ☑ ${text}`);
    return status === 'in_progress' ? `  ${paint.yellow('◐')} ${paint.bold(text)}` : `  ☐ ${text}`;
  });
  const done = todos.filter(({ status }) => status === 'completed').length;
  return ['', paint.dim(`todo ${done}/${todos.length}`), ...shown];
}
