import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { ApiSkill, ApiTrust } from '../../../../src/api/skill-endpoints.ts';
import { visibleText } from '../../../../src/protocol/visible-text.ts';
import { useServer } from '../../app/server.ts';
import { useLanguage } from '../../i18n/language.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Loading } from '../../ui/loading.tsx';
import { Notice, Problem } from '../../ui/notice.tsx';
import type { Folder } from '../use-folder.ts';
import { SkillFiles } from './skill-files.tsx';
import { TrustDifference } from './trust-difference.tsx';
import forms from '../forms.module.css';

/** Shows all that a skill would get by being trusted, and asks. */
export function TrustDialog({ skill, folder, onClose }: { readonly skill: ApiSkill; readonly folder: Folder; readonly onClose: () => void }): ReactNode {
  const { words: { app, skills: { trust: words } } } = useLanguage();
  const server = useServer();
  const queries = useQueryClient();
  const { id, name } = skill;
  // Not asked again by itself: what is trusted is what was looked at.
  const looked = useQuery({ queryKey: ['trust', folder.path, id], queryFn: ({ signal }) => server.examineSkill({ id, query: folder.here, signal }), staleTime: Number.POSITIVE_INFINITY, gcTime: 0 });
  const onSuccess = async (): Promise<void> => {
    onClose();
    await queries.invalidateQueries({ queryKey: ['skills', folder.path] });
  };
  const trust = useMutation({ mutationFn: (digest: string) => server.trustSkill({ id, query: folder.here, body: { digest } }), onSuccess });
  const revoke = useMutation({ mutationFn: () => server.revokeSkill({ id, query: folder.here }), onSuccess });
  const { data, error } = looked;
  return (
    <Dialog title={words.title(visibleText(name))} onClose={onClose}>
      <p>{words.meaning}</p>
      {data ? <Report seen={data} /> : error ? null : <Loading />}
      {data ? <SkillFiles skill={skill} folder={folder} /> : null}
      <Problem error={error ?? trust.error ?? revoke.error} />
      <div className={forms.buttons}>
        <Button onClick={onClose}>{app.close}</Button>
        {data?.verdict.trusted === true && data.verdict.why === 'you have trusted this content' ? <Button kind="danger" disabled={revoke.isPending} onClick={() => revoke.mutate()}>{words.revoke}</Button> : null}
        {data?.verdict.trusted === false ? <Button kind="main" disabled={trust.isPending || data.report.gaps.length > 0} onClick={() => trust.mutate(data.report.digest)}>{words.confirm}</Button> : null}
      </div>
    </Dialog>
  );
}

function Report({ seen: { report, difference } }: { readonly seen: ApiTrust }): ReactNode {
  const { words: { skills: { trust: words } } } = useLanguage();
  const runs = report.runs.map(({ path, why }) => `${path} — ${why}`);
  const isPlain = [runs, report.grants, report.hooks, report.commands, report.overrides].every(({ length }) => length === 0);
  return (
    <>
      {difference ? <TrustDifference difference={difference} /> : null}
      {isPlain ? <Notice tone="ok">{words.plain}</Notice> : null}
      <Claims title={words.grants} lines={report.grants} />
      <Claims title={words.commands} lines={report.commands} />
      <Claims title={words.hooks} lines={report.hooks} />
      <Claims title={words.overrides} lines={report.overrides} />
      <Claims title={words.runs} lines={runs} />
      <Claims title={words.network} lines={report.network} />
      {report.gaps.length > 0 ? <Notice tone="danger">{words.gaps}<br />{visibleText(report.gaps.join('\n'))}</Notice> : null}
      <p className={forms.quiet}><code>{report.digest}</code></p>
    </>
  );
}

function Claims({ title, lines }: { readonly title: string; readonly lines: readonly string[] }): ReactNode {
  if (lines.length === 0) return null;
  return <section><h3>{title}</h3><ul className={forms.list}>{lines.map((line) => <li key={line}><code>{visibleText(line)}</code></li>)}</ul></section>;
}
