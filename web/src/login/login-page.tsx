import { useEffect, useId, useRef, useState, type FormEvent, type ReactNode } from 'react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useLanguage } from '../i18n/language.tsx';
import { Button } from '../ui/button.tsx';
import { Problem } from '../ui/notice.tsx';
import { askLoginKind, logIn, type LoginWords } from './log-in.ts';
import styles from './login-page.module.css';

/**
 * Lets a person in: by the token, typed or brought by the printed link (`/login#token=…`), which then leaves the address bar; by
 * name and password where the server has users; by nothing where a proxy says who they are.
 */
export function LoginPage({ onLogin }: { readonly onLogin: () => void }): ReactNode {
  const { words: { app: { login } } } = useLanguage();
  const linked = useRef(tokenOfLink());
  const kind = useQuery({ queryKey: ['login'], queryFn: ({ signal }) => askLoginKind(signal), staleTime: Number.POSITIVE_INFINITY });
  const { mutate: enter, error, isPending } = useMutation({ mutationFn: logIn, onSuccess: onLogin });
  const ask = (): void => {
    kind.refetch().catch(() => undefined);
  };
  useEffect(() => {
    const token = linked.current;
    linked.current = undefined;
    if (token === undefined) return;
    window.history.replaceState(null, '', window.location.pathname === '/login' ? '/' : window.location.pathname);
    enter({ token });
  }, [enter]);
  return (
    <main className={styles.page}>
      <div className={styles.card}>
        <h1><img src="/mint.svg" alt="" width="32" height="32" /> skillmint</h1>
        {kind.data === 'token' && <TokenForm onEnter={enter} isBusy={isPending} problem={error} />}
        {kind.data === 'password' && <PasswordForm onEnter={enter} isBusy={isPending} problem={error} />}
        {kind.data === 'proxy' && <>
          <p className={styles.help}>{login.proxyHelp}</p>
          <Button kind="main" onClick={onLogin}>{login.again}</Button>
        </>}
        {kind.isError && <>
          <Problem error={kind.error} />
          <Button onClick={ask}>{login.again}</Button>
        </>}
      </div>
    </main>
  );
}

interface FormParts {
  readonly onEnter: (words: LoginWords) => void;
  readonly isBusy: boolean;
  readonly problem: unknown;
}

function TokenForm({ onEnter, isBusy, problem }: FormParts): ReactNode {
  const { words: { app: { login } } } = useLanguage();
  const [typed, setTyped] = useState('');
  const field = useId();
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    onEnter({ token: typed.trim() });
  };
  return (
    <form className={styles.form} onSubmit={submit}>
      <label htmlFor={field}>{login.token}</label>
      <input id={field} name="token" type="password" value={typed} onChange={({ target }) => setTyped(target.value)} autoComplete="current-password" required autoFocus />
      <p className={styles.help}>{login.tokenHelp}</p>
      <Problem error={problem} />
      <Button kind="main" type="submit" disabled={isBusy}>{login.enter}</Button>
    </form>
  );
}

function PasswordForm({ onEnter, isBusy, problem }: FormParts): ReactNode {
  const { words: { app: { login } } } = useLanguage();
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const [nameField, passwordField] = [useId(), useId()];
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    onEnter({ name: name.trim().toLowerCase(), password });
  };
  return (
    <form className={styles.form} onSubmit={submit}>
      <label htmlFor={nameField}>{login.name}</label>
      <input id={nameField} name="username" value={name} onChange={({ target }) => setName(target.value)} autoComplete="username" autoCapitalize="none" spellCheck={false} required autoFocus />
      <label htmlFor={passwordField}>{login.password}</label>
      <input id={passwordField} name="password" type="password" value={password} onChange={({ target }) => setPassword(target.value)} autoComplete="current-password" required />
      <p className={styles.help}>{login.passwordHelp}</p>
      <Problem error={problem} />
      <Button kind="main" type="submit" disabled={isBusy}>{login.enter}</Button>
    </form>
  );
}

function tokenOfLink(): string | undefined {
  const [, token = ''] = /^#token=((?:[^%]|%[0-7][\da-f])+)$/i.exec(window.location.hash) ?? [];
  return token === '' ? undefined : decodeURIComponent(token);
}
