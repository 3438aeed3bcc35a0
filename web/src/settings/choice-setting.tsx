import { useId, useState, type FormEvent, type ReactNode } from 'react';
import { useLanguage } from '../i18n/language.tsx';
import { Button } from '../ui/button.tsx';
import { Notice, Problem } from '../ui/notice.tsx';
import { Field } from './field.tsx';
import { Overridden } from './overridden.tsx';
import styles from './settings.module.css';
import { useChange, useMayChange, useSetting } from './use-settings.ts';

/** A setting that is one of some words, or a text with suggestions: changed and saved by itself; empty takes it out. */
export function ChoiceSetting({ setting: key, label, help, words: choices, suggestions }: { readonly setting: string; readonly label: string; readonly help: string; readonly words?: Readonly<Record<string, string>>; readonly suggestions?: readonly string[] }): ReactNode {
  const { words: { settings } } = useLanguage();
  const setting = useSetting(key);
  const may = useMayChange(key);
  const [typed, setTyped] = useState<string>();
  const options = useId();
  const change = useChange();
  const now = typeof setting?.value === 'string' ? setting.value : '';
  const value = typed ?? now;
  const save = (event: FormEvent): void => {
    event.preventDefault();
    const text = value.trim();
    change.mutate([{ key, ...(text === '' ? {} : { value: text }) }], { onSuccess: () => setTyped(undefined) });
  };
  return (
    <form className={styles.form} onSubmit={save}>
      <Field label={label} help={help}>
        {(ids) => (
          <div className={styles.row}>
            {choices ? (
              <select {...ids} className={styles.grow} value={value} disabled={!may} onChange={({ target }) => setTyped(target.value)}>
                {Object.entries(choices).map(([word, says]) => <option key={word} value={word}>{says}</option>)}
              </select>
            ) : <input {...ids} className={styles.grow} list={options} value={value} disabled={!may} spellCheck={false} autoComplete="off" onChange={({ target }) => setTyped(target.value)} />}
            {may ? <Button type="submit" kind={value === now ? 'usual' : 'main'} disabled={value === now || change.isPending} aria-label={`${settings.save}: ${label}`}>{settings.save}</Button> : null}
          </div>
        )}
      </Field>
      {suggestions ? <datalist id={options}>{suggestions.map((each) => <option key={each} value={each} />)}</datalist> : null}
      <Overridden setting={setting} />
      <Problem error={change.error} />
      {change.isSuccess && typed === undefined ? <Notice tone="ok">{settings.saved}</Notice> : null}
    </form>
  );
}
