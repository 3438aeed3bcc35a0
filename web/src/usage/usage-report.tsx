import { useMemo, type ReactNode } from 'react';
import type { AnswerOf } from '../../../src/api/endpoint.ts';
import type { API } from '../../../src/api/api.ts';
import type { UsageSum } from '../../../src/protocol/usage.ts';
import { useLanguage } from '../i18n/language.tsx';
import { useNumbers } from './numbers.ts';
import { Plot, type Kind } from './plot.tsx';
import { byName, everyDay, sumOf, type Amounts } from './sums.ts';
import { UsageTable } from './usage-table.tsx';
import styles from './usage-page.module.css';

/** Totals, plots and tables of what was used from a day (the first one when left out) to another. */
export function UsageReport({ report, from, to }: { readonly report: AnswerOf<(typeof API)['usage']>; readonly from: string | undefined; readonly to: string }): ReactNode {
  const { words: { usage } } = useLanguage();
  const numbers = useNumbers();
  const days = useMemo(() => everyDay(report.days, from, to), [report.days, from, to]);
  const total = useMemo(() => sumOf(report.days), [report.days]);
  return (
    <>
      <Totals total={total} />
      <Plots days={days} total={total} />
      <section className={styles.part}>
        <h2>{usage.perModel}</h2>
        <UsageTable title={usage.perModel} first={usage.model} rows={byName(report.models)} total={total} order={{ key: 'cost_usd', isDown: true }} />
      </section>
      <section className={styles.part}>
        <h2>{usage.perSkill}</h2>
        {report.skills.length === 0 ? <p className={styles.note}>{usage.noSkill}</p> : <UsageTable title={usage.perSkill} first={usage.skill} rows={byName(report.skills)} order={{ key: 'turns', isDown: true }} />}
        {report.skills.length === 0 ? null : <p className={styles.note}>{usage.skillHelp}</p>}
      </section>
      <details className={styles.part}>
        <summary>{usage.perDay}</summary>
        <UsageTable title={usage.perDay} first={usage.day} rows={report.days.map((row) => ({ ...row, name: row.day }))} total={total} order={{ key: 'name', isDown: true }} showName={numbers.day} />
      </details>
      <p className={styles.note}>{usage.utc} {usage.costHelp}</p>
    </>
  );
}

function Totals({ total }: { readonly total: Amounts }): ReactNode {
  const { words: { usage } } = useLanguage();
  const { short, count, cost, time } = useNumbers();
  const tiles: readonly (readonly [title: string, shown: string, exact: string])[] = [
    [usage.cost, cost(total.cost_usd), ''],
    [usage.tokensIn, short(total.input + total.cache_write), count(total.input + total.cache_write)],
    [usage.tokensCached, short(total.cache_read), count(total.cache_read)],
    [usage.tokensOut, short(total.output), count(total.output)],
    [usage.turns, count(total.turns), ''],
    [usage.modelWait, time(total.model_ms), ''],
    [usage.toolTimeShort, time(total.tool_ms), ''],
  ];
  return (
    <dl className={styles.tiles} aria-label={usage.totals}>
      {tiles.map(([title, shown, exact]) => <div key={title} className={styles.tile}><dt>{title}</dt><dd title={exact}>{shown}</dd></div>)}
    </dl>
  );
}

const perReply = ({ model_ms: ms, steps }: Amounts): number => (steps === 0 ? 0 : ms / steps);

function Plots({ days, total }: { readonly days: readonly UsageSum[]; readonly total: Amounts }): ReactNode {
  const { words: { usage } } = useLanguage();
  const { short, cost, time } = useNumbers();
  const whole = useMemo<UsageSum>(() => ({ ...total, day: '', name: '' }), [total]);
  const kinds = useMemo(() => {
    const tokens: readonly Kind[] = [
      { label: usage.input, of: ({ input }) => input, colour: 1 },
      { label: usage.cacheRead, of: ({ cache_read: read }) => read, colour: 3 },
      { label: usage.cacheWrite, of: ({ cache_write: written }) => written, colour: 4 },
      { label: usage.output, of: ({ output }) => output, colour: 2 },
    ];
    const one = (label: string, of: Kind['of']): readonly Kind[] => [{ label, of, colour: 1 }];
    return { tokens, cost: one(usage.cost, ({ cost_usd: usd }) => usd), latency: one(usage.latencyShort, perReply), tools: one(usage.toolTimeShort, ({ tool_ms: ms }) => ms) };
  }, [usage]);
  const sum = (kind: Kind): number => kind.of(whole);
  return (
    <div className={styles.plots}>
      <Plot title={usage.tokens} days={days} kinds={kinds.tokens} format={short} whole={sum} />
      <Plot title={usage.costPerDay} days={days} kinds={kinds.cost} format={cost} whole={sum} />
      <Plot title={usage.latency} days={days} kinds={kinds.latency} format={time} whole={sum} />
      <Plot title={usage.toolTime} days={days} kinds={kinds.tools} format={time} whole={sum} />
    </div>
  );
}
