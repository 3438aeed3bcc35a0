import type { ReactNode } from 'react';
import type { Todo } from '../../../../src/protocol/todo.ts';
import { visibleText } from '../../../../src/protocol/visible-text.ts';
import { useLanguage } from '../../i18n/language.tsx';
import styles from './panel.module.css';

const SIGNS = { pending: '○', in_progress: '◐', completed: '●' } as const;

/** The list that the model keeps of its work. */
export function TodoList({ todos }: { readonly todos: readonly Todo[] }): ReactNode {
  const { words: { chat: { panel: words } } } = useLanguage();
  return (
    <section className={styles.part}>
      <h2>{words.todos}</h2>
      {todos.length === 0 ? <p className={styles.quiet}>{words.noTodos}</p> : null}
      <ul className={styles.list}>
        {todos.map(({ id, subject, status }) => (
          <li key={id} className={styles.todo} data-status={status}>
            <span role="img" aria-label={words.todo[status]} title={words.todo[status]}>{SIGNS[status]}</span>
            <span>{visibleText(subject)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
