import type { SessionQuery } from './store.ts';

/** What picks the rows of a listing, as a condition with the values that its marks stand for. */
export interface WantedRows {
  readonly condition: string;
  readonly values: readonly string[];
}

/** How a database writes what all of them can do. */
export interface Dialect {
  /** The mark of the n-th value, from 1. */
  readonly value: (n: number) => string;
  /** What says that a value is a text, where that has to be said. */
  readonly type: string;
  /** Compares with a pattern, in whatever case of the letters a to z. */
  readonly like: string;
}

/** The rows that a listing wants. Of an interrupted session the row still says that it runs: whether its writer lives is known by nobody but the reader. */
export function wantedRows({ cwd, agents = false, task, status, text }: SessionQuery, { value, type, like }: Dialect, first: readonly [column: string, value: string][] = []): WantedRows {
  const values: string[] = [];
  const mark = (one: string): string => value(values.push(one));
  const parts = first.map(([column, one]) => `${column} = ${mark(one)}`);
  if (cwd !== undefined) parts.push(`cwd = ${mark(cwd)}`);
  if (task !== undefined) parts.push(`task_id = ${mark(task)}`);
  else if (!agents) parts.push('task_id IS NULL');
  if (status !== undefined) parts.push(`status = ${mark(status === 'interrupted' ? 'running' : status)}`);
  if (text !== undefined && text !== '') parts.push(`(title ${like} ${mark(within(text))} ESCAPE '!' OR cwd ${like} ${mark(within(text))} ESCAPE '!' OR substr(session_id, 1, length(${mark(text)}${type})) = ${mark(text)})`);
  return { condition: parts.length === 0 ? '' : `WHERE ${parts.join(' AND ')}`, values };
}

/** A pattern for what has the text anywhere in it. */
function within(text: string): string {
  return `%${text.replaceAll(/[!%_]/g, '!$&')}%`;
}

/** True where the status cannot be told from the row alone. */
export function dependsOnWriter({ status }: SessionQuery): boolean {
  return status === 'running' || status === 'interrupted';
}
