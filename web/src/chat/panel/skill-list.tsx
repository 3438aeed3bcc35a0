import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useMe, useServer } from '../../app/server.ts';
import { useLanguage } from '../../i18n/language.tsx';
import { Button } from '../../ui/button.tsx';
import { folderSearch, skillAddress } from '../../skills/use-folder.ts';
import { Problem } from '../../ui/notice.tsx';
import type { LiveSession } from '../session/live-session.ts';
import styles from './panel.module.css';

/** The skills whose instructions are in force, why they were loaded, and a way to put them out of force. */
export function SkillList({ session: { id, state }, isBusy }: { readonly session: LiveSession; readonly isBusy: boolean }): ReactNode {
  const { words: { chat: { panel: words } } } = useLanguage();
  const server = useServer();
  const unload = useMutation({ mutationFn: (skill: string) => server.unloadSkill({ id, skill }) });
  const search = folderSearch(useMe().data?.roots ?? [], state.cwd);
  const skills = [...state.skills.values()];
  return (
    <section className={styles.part}>
      <h2>{words.skills}</h2>
      {skills.length === 0 ? <p className={styles.quiet}>{words.noSkills}</p> : null}
      <ul className={styles.list}>
        {skills.map(({ skill_id, trigger }) => (
          <li key={skill_id} className={styles.item}>
            <span className={styles.itemText}><Link href={skillAddress({ search }, skill_id)}>{skill_id}</Link><span className={styles.quiet}>{words.trigger[trigger]}</span></span>
            {trigger === 'bound' ? null : <Button aria-label={words.unloadThis(skill_id)} title={isBusy ? words.busy : undefined} disabled={isBusy || unload.isPending} onClick={() => unload.mutate(skill_id)}>{words.unload}</Button>}
          </li>
        ))}
      </ul>
      <Problem error={unload.error} />
    </section>
  );
}
