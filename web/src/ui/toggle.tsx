import type { ReactNode } from 'react';
import styles from './toggle.module.css';

/** Switches something on or off. */
export function Toggle({ isOn, label, disabled = false, onChange }: { readonly isOn: boolean; readonly label: string; readonly disabled?: boolean; readonly onChange: (isOn: boolean) => void }): ReactNode {
  return (
    <button type="button" role="switch" aria-checked={isOn} disabled={disabled} className={styles.toggle} onClick={() => onChange(!isOn)}>
      <span aria-hidden="true" className={styles.track}><span className={styles.knob} /></span>
      {label}
    </button>
  );
}
