import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { Link } from 'wouter';
import { useServer } from '../app/server.ts';
import { useLanguage } from '../i18n/language.tsx';
import { Loading } from '../ui/loading.tsx';
import { Problem } from '../ui/notice.tsx';
import { dayOf, firstDay, RANGES, type Range } from './sums.ts';
import { UsageReport } from './usage-report.tsx';
import styles from './usage-page.module.css';

/** What turns took: totals, plots over days, tables by model and skill. */
export function UsagePage(): ReactNode {
  const { words: { usage } } = useLanguage();
  const server = useServer();
  const [range, setRange] = useState<Range>('30');
  const [now] = useState(Date.now);
  const from = firstDay(range, now);
  const report = useQuery({
    queryKey: ['usage', from ?? 'all'],
    queryFn: ({ signal }) => server.usage({ query: from === undefined ? {} : { from }, signal }),
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
  });
  return (
    <div className={styles.page}>
      <header className={styles.head}>
        <h1>{usage.title}</h1>
        <fieldset className={styles.ranges}>
          <legend className={styles.hidden}>{usage.range}</legend>
          {RANGES.map((each) => (
            <label key={each}><input type="radio" name="range" value={each} checked={each === range} onChange={() => setRange(each)} /><span>{usage.ranges[each]}</span></label>
          ))}
        </fieldset>
      </header>
      <Problem error={report.error} />
      {report.isLoading ? <Loading /> : null}
      {report.data === undefined ? null : report.data.days.length === 0 ? <Empty /> : <UsageReport report={report.data} from={from} to={dayOf(now)} />}
    </div>
  );
}

function Empty(): ReactNode {
  const { words: { usage } } = useLanguage();
  return <div className={styles.empty}><h2>{usage.empty}</h2><p>{usage.emptyHelp}</p><Link href="/">{usage.toChat}</Link></div>;
}
