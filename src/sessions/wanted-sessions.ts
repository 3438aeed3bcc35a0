import type { SessionQuery } from './store.ts';

/** What picks the rows of a listing, as a condition with the values that stand for its question marks. */
export interface WantedRows {
  readonly condition: string;
  readonly values: readonly string[];
}

/** The rows that a listing wants. Of an interrupted session the row still says that it runs: whether its writer lives is known by nobody but the reader. */
export function wantedRows({ cwd, agents = false, task, status, text }: SessionQuery): WantedRows {
  const parts: readonly (readonly [string, ...string[]])[] = [
    ...(cwd === undefined ? [] : [['cwd = ?', cwd] as const]),
    ...(task === undefined ? [] : [['task_id = ?', task] as const]),
    ...(agents || task !== undefined ? [] : [['task_id IS NULL'] as const]),
    ...(status === undefined ? [] : [['status = ?', status === 'interrupted' ? 'running' : status] as const]),
    ...(text === undefined || text === '' ? [] : [["(title LIKE ? ESCAPE '!' OR cwd LIKE ? ESCAPE '!' OR substr(session_id, 1, length(?)) = ?)", within(text), within(text), text, text] as const]),
  ];
  return { condition: parts.length === 0 ? '' : `WHERE ${parts.map(([part]) => part).join(' AND ')}`, values: parts.flatMap(([, ...values]) => values) };
}

/** A pattern for what has the text anywhere in it. */
function within(text: string): string {
  return `%${text.replaceAll(/[!%_]/g, '!$&')}%`;
}

/** True where the status cannot be told from the row alone. */
export function dependsOnWriter({ status }: SessionQuery): boolean {
  return status === 'running' || status === 'interrupted';
}
