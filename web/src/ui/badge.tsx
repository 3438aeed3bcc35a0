import type { ReactNode } from 'react';
import styles from './badge.module.css';

/** A word on the state of something; colour never says it alone. */
export function Badge({ tone = 'quiet', title, children }: { readonly tone?: 'quiet' | 'accent' | 'ok' | 'warn' | 'danger'; readonly title?: string | undefined; readonly children: ReactNode }): ReactNode {
  return <span title={title} className={[styles.badge, styles[tone]].join(' ')}>{children}</span>;
}
