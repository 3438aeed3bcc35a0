import type { ReactNode } from 'react';
import { useOpenCard } from './open-cards.ts';
import styles from './card.module.css';

/** What a card shows folded and open. */
export interface CardProps {
  /** Of the item, to remember that it is open. */
  readonly id: string;
  readonly head: ReactNode;
  /** What stands below in any case. */
  readonly always?: ReactNode;
  /** What stands below as long as it is folded. */
  readonly folded?: ReactNode;
  readonly tone?: 'quiet' | 'danger';
  /** What it opens to; made when it is open. */
  readonly children: () => ReactNode;
}

/** A line that opens to more, by mouse and keyboard. */
export function Card({ id, head, always, folded, tone = 'quiet', children }: CardProps): ReactNode {
  const [isOpen, setOpen] = useOpenCard(id);
  return (
    <div className={[styles.card, styles[tone]].join(' ')}>
      <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary className={styles.head}>{head}</summary>
        {isOpen ? <div className={styles.body}>{children()}</div> : null}
      </details>
      {isOpen ? null : folded}
      {always}
    </div>
  );
}

/** What a part of a card is, above it. */
export function Part({ title, children }: { readonly title: string; readonly children: ReactNode }): ReactNode {
  return <div className={styles.part}><p className={styles.title}>{title}</p>{children}</div>;
}
