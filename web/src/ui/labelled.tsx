import type { ReactNode } from 'react';
import styles from './labelled.module.css';

/** A control with its name above it, and a line of help below. */
export function Labelled({ label, help, children }: { readonly label: string; readonly help?: string | undefined; readonly children: ReactNode }): ReactNode {
  return (
    <label className={styles.labelled}>
      <span className={styles.label}>{label}</span>
      {children}
      {help === undefined ? null : <span className={styles.help}>{help}</span>}
    </label>
  );
}
