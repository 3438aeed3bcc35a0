import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useServer } from '../../app/server.ts';
import { useLanguage } from '../../i18n/language.tsx';
import { Button } from '../../ui/button.tsx';
import { Loading } from '../../ui/loading.tsx';
import { Problem } from '../../ui/notice.tsx';
import { Field } from '../field.tsx';
import styles from '../settings.module.css';
import { useFolder } from '../use-settings.ts';
import { EntryEditor, NewEntry } from './entry-editor.tsx';
import look from './memory.module.css';
import { useEntries, useWhose } from './use-memory.ts';

/** What models have noted: of the project, and of each skill. */
export function Memory(): ReactNode {
  const { words: { settings: { sections, memory: words } } } = useLanguage();
  const [skill, setSkill] = useState('');
  return (
    <section className={styles.section} aria-label={sections.memory}>
      <div className={styles.card}>
        <div><h2>{sections.memory}</h2><p className={styles.help}>{words.help}</p></div>
        <SkillPicker skill={skill} onPick={setSkill} />
      </div>
      <Entries key={skill} skill={skill} />
    </section>
  );
}

function SkillPicker({ skill, onPick }: { readonly skill: string; readonly onPick: (skill: string) => void }): ReactNode {
  const { words: { settings: { memory: words } } } = useLanguage();
  const server = useServer();
  const query = useFolder();
  const skills = useQuery({ queryKey: ['skills', 'names', query.cwd], queryFn: ({ signal }) => server.listSkills({ query, signal }) });
  const usable = (skills.data?.skills ?? []).filter(({ status }) => status === 'loaded' || status === 'repaired');
  return (
    <>
      <Field label={words.whose}>
        {(ids) => (
          <select {...ids} value={skill} onChange={({ target }) => onPick(target.value)}>
            <option value="">{words.project}</option>
            {usable.map(({ id }) => <option key={id} value={id}>{words.skill(id)}</option>)}
          </select>
        )}
      </Field>
      <Problem error={skills.error} />
    </>
  );
}

function Entries({ skill }: { readonly skill: string }): ReactNode {
  const { words: { settings: { memory: words } }, language } = useLanguage();
  const whose = useWhose(skill);
  const listed = useEntries(whose);
  const [opened, setOpened] = useState<string>();
  const dates = new Intl.DateTimeFormat(language === 'zh' ? 'zh-CN' : 'en', { dateStyle: 'medium', timeStyle: 'short' });
  const entries = listed.data?.entries ?? [];
  return (
    <div className={look.split}>
      <div className={styles.card}>
        <div className={styles.spread}><h2>{words.entries}</h2><Button onClick={() => setOpened(undefined)}>{words.fresh}</Button></div>
        <Problem error={listed.error} />
        {listed.isLoading ? <Loading /> : null}
        {listed.data && entries.length === 0 ? <p className={styles.help}>{words.none}</p> : null}
        <ul className={look.entries}>
          {entries.map(({ key, changed }) => (
            <li key={key}><button type="button" className={look.entry} aria-current={key === opened ? 'true' : undefined} onClick={() => setOpened(key)}><span>{key}</span><small>{dates.format(new Date(changed))}</small></button></li>
          ))}
        </ul>
      </div>
      <div className={styles.card}>
        {opened === undefined ? <NewEntry whose={whose} onSaved={setOpened} /> : <EntryEditor key={opened} whose={whose} entry={opened} onRemoved={() => setOpened(undefined)} />}
      </div>
    </div>
  );
}
