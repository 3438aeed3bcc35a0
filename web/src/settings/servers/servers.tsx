import type { ReactNode } from 'react';
import { useLanguage } from '../../i18n/language.tsx';
import { Button } from '../../ui/button.tsx';
import { Loading } from '../../ui/loading.tsx';
import { Notice, Problem } from '../../ui/notice.tsx';
import styles from '../settings.module.css';
import { useMay } from '../use-settings.ts';
import { ServerForm } from './server-form.tsx';
import { ServerRow } from './server-row.tsx';
import { useHealthCheck, useServers } from './use-servers.ts';

/** MCP servers: how they are doing, what projects bring, what is added and removed. */
export function Servers(): ReactNode {
  const { words: { settings: { sections, servers: words } } } = useLanguage();
  const listed = useServers();
  const check = useHealthCheck();
  const may = useMay();
  const { servers = [], problems = [] } = listed.data ?? {};
  return (
    <section className={styles.section} aria-label={sections.servers}>
      <div className={styles.card}>
        <div className={styles.spread}><h2>{sections.servers}</h2><Button disabled={check.isPending || servers.length === 0} onClick={() => check.mutate()}>{words.connect}</Button></div>
        <p className={styles.help}>{words.help}</p>
        <Problem error={listed.error ?? check.error} />
        {problems.map((problem) => <Notice key={problem} tone="warn">{problem}</Notice>)}
        {listed.isLoading ? <Loading /> : null}
        {check.isPending ? <Loading what={words.connecting} /> : null}
        {listed.data && servers.length === 0 ? <p>{words.none}</p> : null}
        <ul className={styles.list}>{servers.map((server) => <ServerRow key={`${server.scope} ${server.name}`} server={server} />)}</ul>
      </div>
      {may('addServer') ? <ServerForm onAdded={() => check.mutate()} /> : <p className={styles.help}>{words.memberHelp}</p>}
    </section>
  );
}
