import { useEffect, useState, type ReactNode } from 'react';
import { messageOf } from '../../../../../src/protocol/errors.ts';
import { useLanguage } from '../../../i18n/language.tsx';
import { Button } from '../../../ui/button.tsx';
import styles from './code-block.module.css';

const TOLD_MS = 2_000;

/** Code as it is, with a button to copy it; long lines scroll inside. */
export function CodeBlock({ language, text }: { readonly language: string; readonly text: string }): ReactNode {
  const { words } = useLanguage();
  return (
    <div className={styles.block}>
      <div className={styles.head}><span>{language === '' ? words.transcript.code : language}</span><CopyButton text={text} /></div>
      <pre className={styles.code} role="group" aria-label={language === '' ? words.transcript.code : language} tabIndex={0}><code>{text}</code></pre>
    </div>
  );
}

function CopyButton({ text }: { readonly text: string }): ReactNode {
  const { words } = useLanguage();
  const [told, tell] = useState<string>();
  useEffect(() => {
    const timer = told === undefined ? undefined : setTimeout(() => tell(undefined), TOLD_MS);
    return () => clearTimeout(timer);
  }, [told]);
  const copy = (): void => {
    // Browsers let a page copy only where nobody can have changed it on its way.
    if ('clipboard' in navigator) navigator.clipboard.writeText(text).then(() => tell(words.app.copied), (error: unknown) => tell(messageOf(error)));
    else tell(words.transcript.cannotCopy);
  };
  return <Button kind="plain" className={styles.copy} onClick={copy} aria-live="polite">{told ?? words.app.copy}</Button>;
}
