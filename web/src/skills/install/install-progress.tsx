import { useEffect, useState, type ReactNode } from 'react';
import { useLanguage } from '../../i18n/language.tsx';
import type { Install } from './use-install.ts';
import forms from '../forms.module.css';

/** What an install does now, and for how long. */
export function InstallProgress({ install: { from }, sent }: { readonly install: Install; readonly sent: number | undefined }): ReactNode {
  const { words: { skills: { install: words } } } = useLanguage();
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setSeconds((before) => before + 1), 1_000);
    return () => clearInterval(timer);
  }, []);
  const isSending = sent !== undefined && sent < 1;
  const what = isSending ? words.sending(from instanceof File ? from.name : from, Math.floor(sent * 100)) : words.checking(from instanceof File ? from.name : from);
  return (
    <div className={forms.progress}>
      <span role="status">{what}{seconds > 0 ? ` (${seconds} s)` : ''}</span>
      {isSending ? <progress aria-label={what} value={sent} /> : <progress aria-label={what} />}
    </div>
  );
}
