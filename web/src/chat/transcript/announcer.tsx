import { useEffect, useRef, useState, type ReactNode } from 'react';
import { useLanguage } from '../../i18n/language.tsx';
import styles from './announcer.module.css';
import type { Transcript, TranscriptItem } from '../../../../src/protocol/transcript/transcript.ts';

/** So long an answer can be heard; later it would be found twice by those who search the page. */
const TOLD_MS = 5_000;
/** Longer answers are read by going there. */
const MOST_CHARS = 1_000;

/** Tells readers of a screen each answer once it is whole, and why a turn has failed; not what was there when the page opened. */
export function Announcer({ transcript: { items } }: { readonly transcript: Transcript }): ReactNode {
  const { words } = useLanguage();
  const known = useRef<string | undefined>(undefined);
  const [told, tell] = useState('');
  const newest = items.findLast((item) => wordsOn(item, words.transcript.answered) !== undefined);
  const key = newest?.key ?? '';
  const text = (newest && wordsOn(newest, words.transcript.answered)) ?? '';
  useEffect(() => {
    if (known.current !== undefined && known.current !== key && text !== '') tell(text.slice(0, MOST_CHARS));
    known.current = key;
  }, [key, text]);
  useEffect(() => {
    const timer = told === '' ? undefined : setTimeout(() => tell(''), TOLD_MS);
    return () => clearTimeout(timer);
  }, [told]);
  return <div className={styles.hidden} aria-live="polite">{told}</div>;
}

function wordsOn(item: TranscriptItem, answered: (text: string) => string): string | undefined {
  if (item.kind === 'text') return item.isWhole ? answered(item.text) : undefined;
  return item.kind === 'note' && item.event.type === 'turn.completed' ? item.event.error?.message : undefined;
}
