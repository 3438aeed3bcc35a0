import { useState, type ReactNode } from 'react';
import { useLanguage } from '../../i18n/language.tsx';
import { Field } from '../field.tsx';
import styles from '../settings.module.css';
import { knownAs, useMay, useSettings } from '../use-settings.ts';
import look from './all-settings.module.css';
import { NewSetting } from './new-setting.tsx';
import { SettingRow } from './setting-row.tsx';

/** Every setting that holds, with its origin. */
export function AllSettings(): ReactNode {
  const { words: { settings: { sections, all: words } } } = useLanguage();
  const { data } = useSettings();
  const may = useMay();
  const [filter, setFilter] = useState('');
  const rows = (data?.settings ?? []).filter(({ key }) => key.toLowerCase().includes(filter.trim().toLowerCase()));
  const known = data?.known ?? [];
  return (
    <section className={styles.section} aria-label={sections.all}>
      <div><h2>{sections.all}</h2><p className={styles.help}>{words.help}</p></div>
      <Field label={words.filter}>{(ids) => <input {...ids} type="search" value={filter} onChange={({ target }) => setFilter(target.value)} />}</Field>
      <table className={look.table} aria-label={sections.all}>
        <thead><tr><th scope="col">{words.setting}</th><th scope="col">{words.value}</th><th scope="col">{words.from}</th><td /></tr></thead>
        <tbody>{rows.map((setting) => <SettingRow key={setting.key} setting={setting} description={knownAs(setting.key, known)?.description ?? ''} />)}</tbody>
      </table>
      {rows.length === 0 && data ? <p className={styles.help}>{words.none}</p> : null}
      {may('changeSetting') ? <NewSetting known={known.filter(({ fixed }) => fixed !== true)} /> : null}
    </section>
  );
}
