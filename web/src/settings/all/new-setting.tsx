import { useId, useState, type FormEvent, type ReactNode } from 'react';
import type { ApiKnownSetting } from '../../../../src/api/settings-endpoints.ts';
import { useLanguage } from '../../i18n/language.tsx';
import { Button } from '../../ui/button.tsx';
import { Problem } from '../../ui/notice.tsx';
import { Field } from '../field.tsx';
import styles from '../settings.module.css';
import { useChange } from '../use-settings.ts';

/** A setting that has no value yet, by its key. */
export function NewSetting({ known }: { readonly known: readonly ApiKnownSetting[] }): ReactNode {
  const { words: { settings: { all: words, save } } } = useLanguage();
  const [key, setKey] = useState('');
  const [value, setValue] = useState('');
  const keys = useId();
  const change = useChange();
  const meant = known.find((one) => one.key === key.trim());
  const help = meant && [meant.description, ...(meant.words ? [meant.words.join(', ')] : [])].filter(Boolean).join(' ');
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    change.mutate([{ key: key.trim(), value }], { onSuccess: () => {
      setKey('');
      setValue('');
    } });
  };
  return (
    <form className={styles.card} onSubmit={submit} aria-label={words.another}>
      <h2>{words.another}</h2>
      <Field label={words.key} help={help}>{(ids) => <input {...ids} className={styles.text} list={keys} required autoComplete="off" spellCheck={false} value={key} onChange={({ target }) => setKey(target.value)} />}</Field>
      <datalist id={keys}>{known.map((one) => <option key={one.key} value={one.key}>{one.description}</option>)}</datalist>
      <Field label={words.value}>{(ids) => <textarea {...ids} rows={2} spellCheck={false} value={value} onChange={({ target }) => setValue(target.value)} />}</Field>
      <Problem error={change.error} />
      <div><Button type="submit" kind="main" disabled={change.isPending}>{save}</Button></div>
    </form>
  );
}
