import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { ApiEvaluationReport } from '../../../../src/api/evaluation-endpoints.ts';
import { visibleText } from '../../../../src/protocol/visible-text.ts';
import { useServer } from '../../app/server.ts';
import { useLanguage } from '../../i18n/language.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Loading } from '../../ui/loading.tsx';
import { Notice, Problem } from '../../ui/notice.tsx';
import { skillAddress, type Folder } from '../use-folder.ts';
import { EvaluationReportView } from './evaluation-report.tsx';
import { reportIn } from './report-in.ts';
import skill from '../one/skill-view.module.css';
import styles from './evaluations.module.css';

/** Between two looks at an evaluation that runs, ms. */
const PAUSE = 1_000;

/** One evaluation: how far it is, and what it has found. */
export function EvaluationView({ folder, skillId, id }: { readonly folder: Folder; readonly skillId: string; readonly id: string }): ReactNode {
  const { words: { evaluations: words } } = useLanguage();
  const server = useServer();
  const { data, error } = useQuery({ queryKey: ['evaluations', id], queryFn: ({ signal }) => server.showEvaluation({ id, signal }), refetchInterval: ({ state }) => (state.data?.status === 'running' ? PAUSE : false) });
  return (
    <article className={skill.page}>
      <Link href={skillAddress(folder, skillId)}>← {words.back}</Link>
      {data ? <Parts evaluation={data} /> : error ? null : <Loading />}
      <Problem error={error} />
    </article>
  );
}

function Parts({ evaluation }: { readonly evaluation: ApiEvaluationReport }): ReactNode {
  const { words: { evaluations: words }, language } = useLanguage();
  const { id, time, model, status, done, planned, cost_usd: cost, fault } = evaluation;
  const report = reportIn(evaluation.report);
  return (
    <>
      <header className={skill.head}>
        <h1>{words.of(visibleText(evaluation.skill))}</h1>
        <span className={skill.badges}><Badge tone={status === 'finished' ? 'ok' : status === 'running' ? 'accent' : 'warn'}>{words.statuses[status]}</Badge></span>
        <p className={skill.quiet}>{new Date(time).toLocaleString(language)} · {words.facts.model} {visibleText(model)}{report ? ` · ${words.facts.judge} ${visibleText(report.judge)} · ${words.facts.seed} ${report.seed}` : ''} · {words.facts.cost} ${cost.toFixed(4)}<br /><code>{id}</code></p>
      </header>
      <section>
        <progress className={styles.progress} max={planned} value={done} aria-label={words.progress(done, planned)} />
        <p role="status">{words.progress(done, planned)}</p>
        <Steering id={id} status={status} />
      </section>
      {fault === undefined ? null : <Notice tone="danger">{visibleText(fault)}</Notice>}
      {report ? <EvaluationReportView report={report} /> : null}
    </>
  );
}

function Steering({ id, status }: Pick<ApiEvaluationReport, 'id' | 'status'>): ReactNode {
  const { words: { evaluations: words } } = useLanguage();
  const server = useServer();
  const queries = useQueryClient();
  const onSettled = async (): Promise<void> => queries.invalidateQueries({ queryKey: ['evaluations'] });
  const stop = useMutation({ mutationFn: () => server.stopEvaluation({ id }), onSettled });
  const resume = useMutation({ mutationFn: () => server.resumeEvaluation({ id, body: {} }), onSettled });
  return (
    <>
      {status === 'running' ? <div><Button disabled={stop.isPending} onClick={() => stop.mutate()}>{words.stop}</Button></div> : null}
      {status === 'unfinished' ? <div><Button disabled={resume.isPending} onClick={() => resume.mutate()}>{words.resume}</Button></div> : null}
      <Problem error={stop.error ?? resume.error} />
    </>
  );
}
