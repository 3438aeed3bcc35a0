import type { ReactNode } from 'react';
import { useLanguage } from '../i18n/language.tsx';
import styles from './loading.module.css';

/** Something is on its way. */
export function Loading({ what }: { readonly what?: string }): ReactNode {
  const { words } = useLanguage();
  return <p role="status" className={styles.loading}><span aria-hidden="true" className={styles.dot} />{what ?? words.app.loading}</p>;
}
