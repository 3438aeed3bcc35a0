import { useState, type FormEvent, type ReactNode } from 'react';
import type { ApiSetting } from '../../../../src/api/settings-endpoints.ts';
import { useLanguage } from '../../i18n/language.tsx';
import { Button } from '../../ui/button.tsx';
import { Problem } from '../../ui/notice.tsx';
import { Field } from '../field.tsx';
import styles from '../settings.module.css';
import { useChange } from '../use-settings.ts';
import { isHidden, shownValue } from './shown-value.ts';

/** The own value of a setting to be changed. Lists begin with the own entries: those of other places are not copied. */
export function ValueForm({ setting: { key, value, own }, onDone }: { readonly setting: Pick<ApiSetting, 'key' | 'value' | 'own'>; readonly onDone: () => void }): ReactNode {
  const { words: { settings: { all: words, save }, app } } = useLanguage();
  const hidden = isHidden(value) || isHidden(own);
  const [typed, setTyped] = useState(() => firstText(hidden, own ?? (Array.isArray(value) ? [] : value)));
  const change = useChange();
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    change.mutate([{ key, value: typed }], { onSuccess: onDone });
  };
  return (
    <form className={styles.form} onSubmit={submit}>
      <Field label={words.valueOf(key)} help={hidden ? words.secretHelp : undefined}>
        {(ids) => (hidden
          ? <input {...ids} type="password" autoComplete="off" required autoFocus value={typed} onChange={({ target }) => setTyped(target.value)} />
          : <textarea {...ids} rows={Math.min(typed.split('\n').length + 1, 14)} spellCheck={false} autoFocus value={typed} onChange={({ target }) => setTyped(target.value)} />)}
      </Field>
      <Problem error={change.error} />
      <div className={styles.row}>
        <Button type="submit" kind="main" disabled={change.isPending}>{save}</Button>
        {own === undefined ? null : <Button disabled={change.isPending} onClick={() => change.mutate([{ key }], { onSuccess: onDone })}>{words.takeOut}</Button>}
        <Button kind="plain" onClick={onDone}>{app.cancel}</Button>
      </div>
    </form>
  );
}

function firstText(hidden: boolean, value: unknown): string {
  if (hidden || value === undefined) return '';
  return typeof value === 'object' ? JSON.stringify(value, null, 2) : shownValue(value);
}
