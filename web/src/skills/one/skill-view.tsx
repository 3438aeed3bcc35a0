import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { ApiSkill } from '../../../../src/api/skill-endpoints.ts';
import { visibleText } from '../../../../src/protocol/visible-text.ts';
import { useLanguage } from '../../i18n/language.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Loading } from '../../ui/loading.tsx';
import { Notice, Problem } from '../../ui/notice.tsx';
import { SkillEvaluations } from '../evaluations/skill-evaluations.tsx';
import { StatusBadges } from '../status-badges.tsx';
import type { Folder } from '../use-folder.ts';
import { Description } from './description.tsx';
import { SkillActions } from './skill-actions.tsx';
import { SkillFacts } from './skill-facts.tsx';
import { SkillFiles } from './skill-files.tsx';
import { useSkill } from './use-skill.ts';
import styles from './skill-view.module.css';

/** One skill: what it is, what it may do, what it is made of. */
export function SkillView({ folder, id }: { readonly folder: Folder; readonly id: string }): ReactNode {
  const { words: { skills: words } } = useLanguage();
  const { data: skill, error } = useSkill(folder, id);
  return (
    <article className={styles.page}>
      <Link href={`/skills${folder.search}`}>← {words.back}</Link>
      {skill ? <Parts skill={skill} folder={folder} /> : error ? null : <Loading />}
      <Problem error={error} />
    </article>
  );
}

function Parts({ skill, folder }: { readonly skill: ApiSkill; readonly folder: Folder }): ReactNode {
  const { words: { skills: words } } = useLanguage();
  const { name, id, source, path, status, reason, trust, diagnostics, body } = skill;
  return (
    <>
      <header className={styles.head}>
        <h1>{visibleText(name)}</h1>
        <span className={styles.badges}><Badge>{words.sources(source)}</Badge><StatusBadges skill={{ ...skill, trusted: trust.trusted }} /></span>
        <p className={styles.quiet}><code>{visibleText(id)}</code> · {words.trustWhy(trust.why)}<br /><code>{visibleText(path)}</code></p>
      </header>
      {reason === undefined ? null : <Notice tone={status === 'rejected' ? 'danger' : 'warn'}>{visibleText(reason)}</Notice>}
      <SkillActions skill={skill} folder={folder} />
      <Description skill={skill} folder={folder} />
      <SkillFacts frontmatter={skill.frontmatter} />
      {diagnostics.length === 0 ? null : (
        <section>
          <h2>{words.findings}</h2>
          <ul className={styles.list}>{diagnostics.map(({ code, severity, message, fix }) => <li key={`${code} ${message}`}><Badge tone={severity === 'error' ? 'danger' : severity === 'warning' ? 'warn' : 'quiet'}>{words.severities[severity]}</Badge> {visibleText(message)}{fix === undefined ? null : <> → <code>{visibleText(fix)}</code></>}</li>)}</ul>
        </section>
      )}
      <SkillEvaluations skill={skill} folder={folder} />
      <SkillFiles skill={skill} folder={folder} />
      {body.trim() === '' ? null : <section><h2>{words.instructions}</h2><pre className={styles.body} tabIndex={0}>{visibleText(body.trim())}</pre></section>}
    </>
  );
}
