import { useState, type FormEvent, type ReactNode } from 'react';
import { useLanguage } from '../../i18n/language.tsx';
import { Button } from '../../ui/button.tsx';
import { Notice, Problem } from '../../ui/notice.tsx';
import { Field } from '../field.tsx';
import { linesOf } from '../lines.ts';
import styles from '../settings.module.css';
import { useChange } from '../use-settings.ts';

const APIS = ['openai-chat', 'openai-responses', 'anthropic'] as const;
const EMPTY = { name: '', api: 'openai-chat', baseUrl: '', models: '', key: '' };

/** A further place where models can be asked. */
export function EndpointForm({ taken }: { readonly taken: readonly string[] }): ReactNode {
  const { words: { settings: { models, add } } } = useLanguage();
  const [typed, setTyped] = useState(EMPTY);
  const change = useChange();
  const set = (part: Partial<typeof EMPTY>): void => setTyped({ ...typed, ...part });
  const name = typed.name.trim();
  const isTaken = taken.includes(name);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const ids = linesOf(typed.models).map((id) => ({ id }));
    const key = typed.key.trim();
    const value = { api: typed.api, baseUrl: typed.baseUrl.trim(), ...(ids.length > 0 ? { models: ids } : {}), ...(key === '' ? {} : { apiKey: key }) };
    change.mutate([{ key: `providers.${name}`, value }], { onSuccess: () => setTyped(EMPTY) });
  };
  return (
    <details className={styles.card}>
      <summary>{models.addEndpoint}</summary>
      <form className={styles.form} onSubmit={submit}>
        <div className={styles.two}>
          <Field label={models.name}>{(ids) => <input {...ids} required autoComplete="off" spellCheck={false} value={typed.name} onChange={({ target }) => set({ name: target.value })} />}</Field>
          <Field label={models.api}>{(ids) => <select {...ids} value={typed.api} onChange={({ target }) => set({ api: target.value })}>{APIS.map((api) => <option key={api}>{api}</option>)}</select>}</Field>
          <Field label={models.baseUrl}>{(ids) => <input {...ids} required inputMode="url" autoComplete="off" spellCheck={false} placeholder="http://localhost:8000/v1" value={typed.baseUrl} onChange={({ target }) => set({ baseUrl: target.value })} />}</Field>
          <Field label={models.optionalKey}>{(ids) => <input {...ids} type="password" autoComplete="off" value={typed.key} onChange={({ target }) => set({ key: target.value })} />}</Field>
        </div>
        <Field label={models.modelIds} help={models.modelIdsHelp}>{(ids) => <textarea {...ids} rows={3} spellCheck={false} value={typed.models} onChange={({ target }) => set({ models: target.value })} />}</Field>
        {isTaken ? <Notice tone="warn">{models.taken(name)}</Notice> : null}
        <Problem error={change.error} />
        <div><Button type="submit" kind="main" disabled={isTaken || change.isPending}>{add}</Button></div>
      </form>
    </details>
  );
}
