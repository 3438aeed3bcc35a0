import type { ReactNode } from 'react';
import { visibleText } from '../../../../../src/protocol/visible-text.ts';
import { useLanguage } from '../../../i18n/language.tsx';
import type { NoteEvent } from '../../../../../src/protocol/transcript/transcript.ts';
import { Card } from './card.tsx';
import styles from './todos-note.module.css';

const SIGNS = { completed: '☑', in_progress: '◐', pending: '☐' } as const;

/** How far the todo list has come; opens to all of it. */
export function TodosNote({ id, event: { todos } }: { readonly id: string; readonly event: Extract<NoteEvent, { type: 'todos.updated' }> }): ReactNode {
  const { words: { transcript } } = useLanguage();
  const now = todos.find(({ status }) => status === 'in_progress');
  const head = <><span className={styles.count}>{transcript.todos(todos.filter(({ status }) => status === 'completed').length, todos.length)}</span>{now ? <span className={styles.now}>{visibleText(now.subject)}</span> : null}</>;
  return (
    <Card id={id} head={head}>
      {() => <ul className={styles.todos}>{todos.map(({ id: own, subject, status }) => <li key={own} className={styles[status]}><span role="img" aria-label={transcript.todoStatus[status]}>{SIGNS[status]}</span> {visibleText(subject)}</li>)}</ul>}
    </Card>
  );
}
