import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useServer } from '../../app/server.ts';
import { useLanguage } from '../../i18n/language.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Loading } from '../../ui/loading.tsx';
import { Problem } from '../../ui/notice.tsx';
import { ChoiceSetting } from '../choice-setting.tsx';
import styles from '../settings.module.css';
import table from './sandbox.module.css';

const TONES = { isolated: 'ok', limited: 'warn', 'not isolated': 'danger' } as const;

/** What the walls around commands are worth on this machine. */
export function Sandbox(): ReactNode {
  const { words: { settings: { sections, sandbox } } } = useLanguage();
  const server = useServer();
  const report = useQuery({ queryKey: ['sandbox'], queryFn: ({ signal }) => server.showSandbox({ signal }) });
  return (
    <section className={styles.section} aria-label={sections.sandbox}>
      <div className={styles.card}>
        <div className={styles.spread}>
          <div className={styles.row}><h2>{sections.sandbox}</h2>{report.data ? <Badge tone={TONES[report.data.state]}>{sandbox.states[report.data.state]}</Badge> : null}</div>
          <Button disabled={report.isFetching} onClick={() => { report.refetch().catch(reportError); }}>{sandbox.again}</Button>
        </div>
        <p className={styles.help}>{sandbox.help}</p>
        <Problem error={report.error} />
        {report.isLoading ? <Loading what={sandbox.trying} /> : null}
        {report.data ? (
          <dl className={table.facts}>
            <dt>{sandbox.mechanism}</dt><dd className={styles.mono}>{report.data.mechanism}</dd>
            {report.data.reason === undefined ? null : <><dt>{sandbox.reason}</dt><dd>{report.data.reason}</dd></>}
            {report.data.remedy === undefined ? null : <><dt>{sandbox.remedy}</dt><dd>{report.data.remedy}</dd></>}
          </dl>
        ) : null}
      </div>
      <div className={styles.card}><ChoiceSetting setting="sandbox" label={sandbox.mode} help={sandbox.modeHelp} words={sandbox.modes} /></div>
    </section>
  );
}
