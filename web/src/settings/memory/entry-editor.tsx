import { useState, type FormEvent, type ReactNode } from 'react';
import { useLanguage } from '../../i18n/language.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Loading } from '../../ui/loading.tsx';
import { Notice, Problem } from '../../ui/notice.tsx';
import { Confirm } from '../confirm.tsx';
import { Field } from '../field.tsx';
import styles from '../settings.module.css';
import look from './memory.module.css';
import { useEntry, useMemoryAct, type Whose } from './use-memory.ts';

/** An entry to be read, changed and deleted. */
export function EntryEditor({ whose, entry, onRemoved }: { readonly whose: Whose; readonly entry: string; readonly onRemoved: () => void }): ReactNode {
  const { words: { settings: { memory: words, save, saved } } } = useLanguage();
  const read = useEntry(whose, entry);
  const [typed, setTyped] = useState<string>();
  const [isRemoving, setRemoving] = useState(false);
  const text = typed ?? read.data?.text ?? '';
  const isChanged = typed !== undefined && typed !== read.data?.text;
  const saving = useMemoryAct((client) => client.writeMemory({ key: entry, query: whose, body: { text } }), () => setTyped(undefined));
  const removing = useMemoryAct((client) => client.removeMemory({ key: entry, query: whose }), onRemoved);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    saving.mutate();
  };
  if (!read.data) return read.isError ? <Problem error={read.error} /> : <Loading />;
  return (
    <form className={styles.form} onSubmit={submit}>
      <div className={styles.row}><h2>{entry}</h2>{isChanged ? <Badge tone="warn">{words.unsaved}</Badge> : null}</div>
      {read.data.cut ? <Notice tone="warn">{words.cut}</Notice> : null}
      <Field label={words.textOf(entry)}>{(ids) => <textarea {...ids} className={look.text} readOnly={read.data.cut} value={text} onChange={({ target }) => setTyped(target.value)} />}</Field>
      <Problem error={saving.error} />
      {saving.isSuccess && !isChanged ? <Notice tone="ok">{saved}</Notice> : null}
      <div className={styles.row}>
        <Button type="submit" kind="main" disabled={!isChanged || saving.isPending}>{save}</Button>
        <Button kind="danger" onClick={() => setRemoving(true)}>{words.removeOf(entry)}</Button>
      </div>
      {isRemoving ? <Confirm title={words.removeTitle(entry)} act={removing} onYes={() => removing.mutate()} label={words.removeOf(entry)} kind="danger" onClose={() => setRemoving(false)}><p>{words.removeHelp}</p></Confirm> : null}
    </form>
  );
}

/** A further entry; the server says what a name may be. */
export function NewEntry({ whose, onSaved }: { readonly whose: Whose; readonly onSaved: (key: string) => void }): ReactNode {
  const { words: { settings: { memory: words, save } } } = useLanguage();
  const [key, setKey] = useState('');
  const [text, setText] = useState('');
  const saving = useMemoryAct((client) => client.writeMemory({ key: key.trim(), query: whose, body: { text } }), (made) => onSaved(made.key));
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    saving.mutate();
  };
  return (
    <form className={styles.form} onSubmit={submit}>
      <h2>{words.fresh}</h2>
      <Field label={words.key}>{(ids) => <input {...ids} required autoComplete="off" spellCheck={false} value={key} onChange={({ target }) => setKey(target.value)} />}</Field>
      <Field label={words.text}>{(ids) => <textarea {...ids} className={look.text} required value={text} onChange={({ target }) => setText(target.value)} />}</Field>
      <Problem error={saving.error} />
      <div><Button type="submit" kind="main" disabled={saving.isPending}>{save}</Button></div>
    </form>
  );
}
