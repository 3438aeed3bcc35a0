import { useId, type ReactNode } from 'react';
import styles from './settings.module.css';

/** What a control has to carry so that its label and help belong to it. */
export interface FieldIds {
  readonly id: string;
  readonly 'aria-describedby': string | undefined;
}

/** A control with its label, and a sentence on what it is for. */
export function Field({ label, help, children }: { readonly label: string; readonly help?: string | undefined; readonly children: (ids: FieldIds) => ReactNode }): ReactNode {
  const id = useId();
  const helpId = `${id}-help`;
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      {children({ id, 'aria-describedby': help === undefined ? undefined : helpId })}
      {help === undefined ? null : <p id={helpId} className={styles.help}>{help}</p>}
    </div>
  );
}
