import type { ReactNode } from 'react';
import styles from './note.module.css';

/** One line with a sign before it. */
export function Line({ sign, tone = 'quiet', children }: { readonly sign: string; readonly tone?: 'quiet' | 'warn'; readonly children: ReactNode }): ReactNode {
  return <p className={[styles.line, styles[tone]].join(' ')}><span aria-hidden="true" className={styles.sign}>{sign}</span><span className={styles.text}>{children}</span></p>;
}
