import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { ApiListedSkill } from '../../../../src/api/skill-endpoints.ts';
import { visibleText } from '../../../../src/protocol/visible-text.ts';
import { useLanguage } from '../../i18n/language.tsx';
import { Badge } from '../../ui/badge.tsx';
import { skillAddress, type Folder } from '../use-folder.ts';
import { StatusBadges } from '../status-badges.tsx';
import styles from './skill-list.module.css';

/** One skill of the list. One that another has taken the name of leads nowhere: its name means the other. */
export function SkillRow({ skill, folder }: { readonly skill: ApiListedSkill; readonly folder: Folder }): ReactNode {
  const { words: { skills: words } } = useLanguage();
  const { id, name, description, reason, path, score } = skill;
  const inside = (
    <>
      <span className={styles.name}>{visibleText(name)}</span>
      <span className={styles.badges}>
        {score === undefined ? null : <Badge title={words.scoreHelp}>{words.score} {score.toFixed(2)}</Badge>}
        <Badge>{words.sources(skill.source)}</Badge>
        <StatusBadges skill={skill} />
      </span>
      {description === '' ? null : <span className={styles.text}>{visibleText(description)}</span>}
      {reason === undefined ? null : <span className={styles.reason}>{visibleText(reason)}<br /><code>{visibleText(path)}</code></span>}
    </>
  );
  return skill.status === 'shadowed' ? <div className={styles.row}>{inside}</div> : <Link href={skillAddress(folder, id)} className={styles.row}>{inside}</Link>;
}
