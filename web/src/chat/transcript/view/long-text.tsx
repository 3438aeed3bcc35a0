import { useLayoutEffect, useRef, useState, type ReactNode } from 'react';
import { useLanguage } from '../../../i18n/language.tsx';
import { Button } from '../../../ui/button.tsx';
import styles from './long-text.module.css';

/** A text and what it is. */
export interface LongTextProps {
  readonly label: string;
  readonly text: string;
}

/** A text as it is, at most so high that one can scroll past it; a button shows it whole. */
export function LongText({ label, text }: LongTextProps): ReactNode {
  const { words } = useLanguage();
  const [isWhole, setWhole] = useState(false);
  const [isCut, setCut] = useState(false);
  const box = useRef<HTMLPreElement>(null);
  useLayoutEffect(() => {
    const { current } = box;
    if (current && !isWhole) setCut(current.scrollHeight > current.clientHeight + 1);
  }, [text, isWhole]);
  return (
    <>
      <pre ref={box} className={[styles.text, isWhole ? styles.whole : ''].join(' ')} role="group" aria-label={label} tabIndex={0}>{text}</pre>
      {isCut ? <Button kind="plain" className={styles.more} onClick={() => setWhole(!isWhole)}>{isWhole ? words.transcript.showLess : words.transcript.showAll}</Button> : null}
    </>
  );
}

/** What is being said at this moment; the end of it is in sight. */
export function LiveText({ label, text }: LongTextProps): ReactNode {
  const box = useRef<HTMLPreElement>(null);
  useLayoutEffect(() => {
    if (box.current) box.current.scrollTop = box.current.scrollHeight;
  }, [text]);
  return <pre ref={box} className={[styles.text, styles.live].join(' ')} role="group" aria-label={label} tabIndex={0}>{text}</pre>;
}
