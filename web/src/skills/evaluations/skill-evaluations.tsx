import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { Link } from 'wouter';
import type { ApiSkill } from '../../../../src/api/skill-endpoints.ts';
import { visibleText } from '../../../../src/protocol/visible-text.ts';
import { useMe, useServer } from '../../app/server.ts';
import { useLanguage } from '../../i18n/language.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Problem } from '../../ui/notice.tsx';
import { skillAddress, type Folder } from '../use-folder.ts';
import { EvaluateDialog } from './evaluate-dialog.tsx';
import { evaluationAddress } from './evaluation-address.ts';
import skill from '../one/skill-view.module.css';
import styles from './evaluations.module.css';

const MOST = 20;

/** The evaluations of a skill, and the way to a new one. Only for administrators: others may not run them. */
export function SkillEvaluations({ skill: one, folder }: { readonly skill: ApiSkill; readonly folder: Folder }): ReactNode {
  const { words: { evaluations: words }, language } = useLanguage();
  const server = useServer();
  const isAdmin = useMe().data?.role === 'admin';
  const [asks, setAsks] = useState(false);
  const { data, error } = useQuery({ queryKey: ['evaluations'], queryFn: ({ signal }) => server.listEvaluations({ signal }), enabled: isAdmin });
  if (!isAdmin || one.status === 'rejected') return null;
  const own = data?.evaluations.filter((evaluation) => evaluation.skill === one.name).slice(0, MOST) ?? [];
  return (
    <section>
      <div className={skill.sectionHead}><h2>{words.title}</h2><Button onClick={() => setAsks(true)}>{words.open}</Button></div>
      {data && own.length === 0 ? <p className={styles.quiet}>{words.none} {words.meaning}</p> : null}
      <ul className={styles.runs}>
        {own.map(({ id, time, model, status, done, planned, cost_usd: cost }) => (
          <li key={id}>
            <Link href={evaluationAddress(skillAddress({ search: '' }, one.id), id, folder)} className={styles.run}>
              <span>{new Date(time).toLocaleString(language)}</span>
              <Badge tone={status === 'finished' ? 'ok' : status === 'running' ? 'accent' : 'warn'}>{words.statuses[status]}</Badge>
              <span className={styles.quiet}>{visibleText(model)} · {words.progress(done, planned)}{cost > 0 ? ` · $${cost.toFixed(4)}` : ''}</span>
            </Link>
          </li>
        ))}
      </ul>
      <Problem error={error} />
      {asks ? <EvaluateDialog skill={one} folder={folder} onClose={() => setAsks(false)} /> : null}
    </section>
  );
}
