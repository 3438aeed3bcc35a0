import type { ReactNode } from 'react';
import { useLanguage } from '../../i18n/language.tsx';
import { ChoiceSetting } from '../choice-setting.tsx';
import styles from '../settings.module.css';
import { RuleList } from './rule-list.tsx';

/** What happens without a question, and what never does. */
export function Permissions(): ReactNode {
  const { words: { settings: { sections, permissions } } } = useLanguage();
  return (
    <section className={styles.section} aria-label={sections.permissions}>
      <div className={styles.card}><ChoiceSetting setting="permissions.mode" label={permissions.mode} help={permissions.modeHelp} words={permissions.modes} /></div>
      <p className={styles.help}>{permissions.rulesHelp}</p>
      <RuleList list="deny" />
      <RuleList list="ask" />
      <RuleList list="allow" />
    </section>
  );
}
