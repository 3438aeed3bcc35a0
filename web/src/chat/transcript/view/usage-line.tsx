import type { ReactNode } from 'react';
import type { Usage } from '../../../../../src/protocol/usage.ts';
import { useLanguage } from '../../../i18n/language.tsx';
import styles from './usage-line.module.css';

/** What was used: tokens, and the cost where it is known. */
export function UsageLine({ usage, costUsd }: { readonly usage: Usage; readonly costUsd: number | undefined }): ReactNode {
  const { words, language } = useLanguage();
  const number = (value: number): string => value.toLocaleString(language);
  const tokens = words.transcript.usage(number(usage.input + usage.cache_read + usage.cache_write), number(usage.output));
  return <span className={styles.usage}>{tokens}{costUsd === undefined ? '' : ` · $${costUsd.toFixed(4)}`}</span>;
}
