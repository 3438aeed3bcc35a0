import { useState, type FormEvent, type ReactNode } from 'react';
import { useLanguage } from '../../i18n/language.tsx';
import { Button } from '../../ui/button.tsx';
import { Problem } from '../../ui/notice.tsx';
import { Field } from '../field.tsx';
import { linesOf, pairsOf } from '../lines.ts';
import styles from '../settings.module.css';
import { useServerAct } from './use-servers.ts';

const EMPTY = { name: '', kind: 'program', command: '', args: '', env: '', url: '', headers: '', scope: 'user' } as const;
type Typed = { readonly [K in keyof typeof EMPTY]: string };

/** A further server: a program or an address. What the server refuses stays as it was typed. */
export function ServerForm({ onAdded }: { readonly onAdded: () => void }): ReactNode {
  const { words: { settings: { servers: words, add } } } = useLanguage();
  const [typed, setTyped] = useState<Typed>(EMPTY);
  const set = (part: Partial<Typed>): void => setTyped({ ...typed, ...part });
  const adding = useServerAct(async (client, query) => client.addServer({ query, body: bodyOf(typed, words) }), () => {
    setTyped(EMPTY);
    onAdded();
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    adding.mutate();
  };
  return (
    <details className={styles.card}>
      <summary>{words.addTitle}</summary>
      <form className={styles.form} onSubmit={submit}>
        <fieldset className={styles.choice}>
          <legend>{words.kind}</legend>
          {(['program', 'address'] as const).map((kind) => <label key={kind}><input type="radio" name="kind" checked={typed.kind === kind} onChange={() => set({ kind })} />{words[kind]}</label>)}
        </fieldset>
        <div className={styles.two}>
          <Field label={words.name}>{(ids) => <input {...ids} required autoComplete="off" spellCheck={false} value={typed.name} onChange={({ target }) => set({ name: target.value })} />}</Field>
          <Field label={words.scopeTitle}>{(ids) => <select {...ids} value={typed.scope} onChange={({ target }) => set({ scope: target.value })}>{(['user', 'project'] as const).map((scope) => <option key={scope} value={scope}>{words.scopes[scope]}</option>)}</select>}</Field>
        </div>
        {typed.kind === 'program' ? <ProgramFields typed={typed} set={set} /> : <AddressFields typed={typed} set={set} />}
        <Problem error={adding.error} />
        <div><Button type="submit" kind="main" disabled={adding.isPending}>{add}</Button></div>
      </form>
    </details>
  );
}

interface Parts {
  readonly typed: Typed;
  readonly set: (part: Partial<Typed>) => void;
}

function ProgramFields({ typed, set }: Parts): ReactNode {
  const { words: { settings: { servers: words } } } = useLanguage();
  return (
    <>
      <Field label={words.command}>{(ids) => <input {...ids} className={styles.text} required autoComplete="off" spellCheck={false} placeholder="npx" value={typed.command} onChange={({ target }) => set({ command: target.value })} />}</Field>
      <Field label={words.args}>{(ids) => <textarea {...ids} rows={2} spellCheck={false} value={typed.args} onChange={({ target }) => set({ args: target.value })} />}</Field>
      <Field label={words.env} help={words.secret}>{(ids) => <textarea {...ids} rows={2} spellCheck={false} value={typed.env} onChange={({ target }) => set({ env: target.value })} />}</Field>
    </>
  );
}

function AddressFields({ typed, set }: Parts): ReactNode {
  const { words: { settings: { servers: words } } } = useLanguage();
  return (
    <>
      <Field label={words.url}>{(ids) => <input {...ids} className={styles.text} required autoComplete="off" inputMode="url" spellCheck={false} placeholder="https://" value={typed.url} onChange={({ target }) => set({ url: target.value })} />}</Field>
      <Field label={words.headers} help={words.secret}>{(ids) => <textarea {...ids} rows={2} spellCheck={false} value={typed.headers} onChange={({ target }) => set({ headers: target.value })} />}</Field>
    </>
  );
}

/** Sentences on lines that cannot be read. */
type Complaints = Readonly<Record<'noEqualsSign' | 'noColon', (line: string) => string>>;

function bodyOf({ name, kind, command, args, env, url, headers, scope }: Typed, { noEqualsSign, noColon }: Complaints): { readonly name: string; readonly scope: 'user' | 'project'; readonly command?: string; readonly args?: readonly string[]; readonly env?: Readonly<Record<string, string>>; readonly url?: string; readonly headers?: Readonly<Record<string, string>> } {
  const common = { name: name.trim(), scope: scope === 'project' ? 'project' : 'user' } as const;
  if (kind !== 'program') {
    const fields = pairsOf(headers, ':', noColon);
    return { ...common, url: url.trim(), ...(Object.keys(fields).length > 0 ? { headers: fields } : {}) };
  }
  const [words, variables] = [linesOf(args), pairsOf(env, '=', noEqualsSign)];
  return { ...common, command: command.trim(), ...(words.length > 0 ? { args: words } : {}), ...(Object.keys(variables).length > 0 ? { env: variables } : {}) };
}
