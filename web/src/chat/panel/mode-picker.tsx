import { useId, type ReactNode } from 'react';
import { PERMISSION_MODES, type PermissionMode } from '../../../../src/protocol/permission.ts';
import { useLanguage } from '../../i18n/language.tsx';
import styles from './pickers.module.css';

interface ModePickerProps {
  /** Undefined for that of the settings. */
  readonly value: PermissionMode | undefined;
  readonly onChange: (mode: PermissionMode | undefined) => void;
  /** What undefined stands for; it cannot be chosen when left out. */
  readonly none?: string;
  /** The mode that undefined leads to, where it is known. */
  readonly usual?: PermissionMode | undefined;
  readonly disabled?: boolean;
}

/** Chooses how much may happen without a question, and says what the choice means. */
export function ModePicker({ value, onChange, none, usual, disabled = false }: ModePickerProps): ReactNode {
  const { words: { chat: words } } = useLanguage();
  const field = useId();
  const meant = value ?? usual;
  return (
    <div className={styles.field}>
      <label htmlFor={field}>{words.fresh.mode}</label>
      <select id={field} value={value ?? ''} disabled={disabled} aria-describedby={`${field}-means`} onChange={({ target }) => onChange(PERMISSION_MODES.find((mode) => mode === target.value))}>
        {none === undefined ? null : <option value="">{none}</option>}
        {PERMISSION_MODES.map((mode) => <option key={mode} value={mode}>{words.modes[mode].name}</option>)}
      </select>
      <p id={`${field}-means`} className={styles.means}>{meant === undefined ? null : words.modes[meant].means}</p>
    </div>
  );
}
