import { useState, type FormEvent, type ReactNode } from 'react';
import type { ApiProvider } from '../../../../src/api/settings-endpoints.ts';
import { useLanguage } from '../../i18n/language.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Problem } from '../../ui/notice.tsx';
import { Confirm } from '../confirm.tsx';
import { Field } from '../field.tsx';
import styles from '../settings.module.css';
import { useChange, useMayChange, useSettings } from '../use-settings.ts';

const TONES = { settings: 'ok', environment: 'ok', missing: 'quiet', 'not needed': 'accent' } as const;

/** A provider with the state of its key, which goes in and never comes out. */
export function ProviderRow({ provider, models: ids }: { readonly provider: ApiProvider; readonly models: readonly string[] }): ReactNode {
  const { words: { settings: { models } } } = useLanguage();
  const { name, api, baseUrl, problem, key, variable, known } = provider;
  const [isOpen, setOpen] = useState(false);
  const [isRemoving, setRemoving] = useState(false);
  const own = (useSettings().data?.settings ?? []).filter((setting) => setting.own !== undefined).map((setting) => setting.key);
  const may = useMayChange('providers');
  const change = useChange();
  const hasOwnKey = own.includes(`providers.${name}.apiKey`);
  const isOwn = !known && own.some((each) => each.startsWith(`providers.${name}.`));
  return (
    <li>
      <div className={styles.spread}>
        <div className={styles.row}>
          <h3>{name}</h3>
          <Badge tone={TONES[key]} title={variable}>{models.key[key]}{key === 'environment' ? ` (${variable ?? ''})` : ''}</Badge>
          {isOwn ? <Badge>{models.own}</Badge> : null}
        </div>
        <div className={styles.row}>
          {may && key !== 'not needed' ? <Button aria-expanded={isOpen} aria-label={`${hasOwnKey ? models.replaceKey : models.setKey}: ${name}`} onClick={() => setOpen(!isOpen)}>{hasOwnKey ? models.replaceKey : models.setKey}</Button> : null}
          {may && hasOwnKey ? <Button kind="danger" aria-label={`${models.removeKey}: ${name}`} onClick={() => change.mutate([{ key: `providers.${name}.apiKey` }])}>{models.removeKey}</Button> : null}
          {may && isOwn ? <Button kind="danger" onClick={() => setRemoving(true)}>{models.removeEndpoint(name)}</Button> : null}
        </div>
      </div>
      {problem === undefined ? <p className={styles.help} title={ids.join('\n')}><span className={styles.mono}>{api}</span> · <span className={styles.mono}>{baseUrl}</span> · {ids.length === 0 ? models.anyModel : models.count(ids.length)}</p> : <Problem error={problem} />}
      {isRemoving ? null : <Problem error={change.error} />}
      {isRemoving ? <Confirm title={models.removeTitle(name)} act={change} label={models.removeEndpoint(name)} kind="danger" onYes={() => change.mutate([{ key: `providers.${name}` }], { onSuccess: () => setRemoving(false) })} onClose={() => setRemoving(false)}><p>{models.removeHelp}</p></Confirm> : null}
      {isOpen ? <KeyForm name={name} onDone={() => setOpen(false)} /> : null}
    </li>
  );
}

function KeyForm({ name, onDone }: { readonly name: string; readonly onDone: () => void }): ReactNode {
  const { words: { settings: { models, save } } } = useLanguage();
  const [typed, setTyped] = useState('');
  const change = useChange();
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    change.mutate([{ key: `providers.${name}.apiKey`, value: typed.trim() }], { onSuccess: onDone });
  };
  return (
    <form className={styles.form} onSubmit={submit}>
      <Field label={models.keyOf(name)}>
        {(ids) => (
          <div className={styles.row}>
            <input {...ids} className={styles.grow} type="password" autoComplete="off" autoFocus required value={typed} onChange={({ target }) => setTyped(target.value)} />
            <Button type="submit" kind="main" disabled={change.isPending}>{save}</Button>
          </div>
        )}
      </Field>
      <Problem error={change.error} />
    </form>
  );
}
