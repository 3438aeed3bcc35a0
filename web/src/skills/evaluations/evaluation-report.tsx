import type { ReactNode } from 'react';
import { axisFrom0 } from '../../../../src/evaluate/report/plot-layout.ts';
import type { ArmDifference, ArmReport, EvaluationReport } from '../../../../src/evaluate/report/report.ts';
import { intervalText, points, rateText } from '../../../../src/evaluate/report/words.ts';
import { visibleText } from '../../../../src/protocol/visible-text.ts';
import { useLanguage } from '../../i18n/language.tsx';
import { Badge } from '../../ui/badge.tsx';
import { IntervalPlot } from './interval-plot.tsx';
import { TriggerMatrix } from './trigger-matrix.tsx';
import skill from '../one/skill-view.module.css';
import styles from './evaluations.module.css';

const SHARES = { low: 0, high: 1, ticks: [0, 0.25, 0.5, 0.75, 1] };
const TONES = { better: 'ok', worse: 'danger', 'no difference': 'quiet', 'not enough evidence': 'warn' } as const;

/** What an evaluation has found, with plots. */
export function EvaluationReportView({ report }: { readonly report: EvaluationReport }): ReactNode {
  const { words: { evaluations: words } } = useLanguage();
  const { verdict, recommendation, notes, triggers } = report;
  return (
    <>
      <section>
        <p className={styles.verdict}><Badge tone={TONES[verdict]}>{words.verdicts[verdict]}</Badge></p>
        <p>{visibleText(recommendation)}</p>
        {notes.length === 0 ? null : <ul className={skill.list}>{notes.map((note) => <li key={note}>{visibleText(note)}</li>)}</ul>}
      </section>
      <Arms arms={report.arms} />
      <Differences report={report} />
      {triggers.map((one) => <TriggerMatrix key={one.arm} report={one} />)}
      <Expectations report={report} />
    </>
  );
}

function Arms({ arms }: { readonly arms: readonly ArmReport[] }): ReactNode {
  const { words: { evaluations: words } } = useLanguage();
  if (arms.length === 0) return null;
  const spans = (of: 'tokens' | 'time_seconds') => ({ rows: arms.map((one) => ({ label: words.arms[one.arm], value: one[of].mean, interval: { low: one[of].min, high: one[of].max } })), axis: { ...axisFrom0(Math.max(...arms.map((one) => one[of].max))), tickText: (value: number) => String(Number(value.toPrecision(3))) } });
  return (
    <section>
      <h2>{words.results}</h2>
      <div className={styles.plots}>
        <IntervalPlot title={words.passRate} rows={arms.map(({ arm, score }) => ({ label: words.arms[arm], value: score.rate, interval: score.interval }))} axis={SHARES} />
        <IntervalPlot title={words.tokens} {...spans('tokens')} />
        <IntervalPlot title={words.time} {...spans('time_seconds')} />
      </div>
      <div className={styles.scroll} tabIndex={0} role="group" aria-label={words.results}>
        <table className={styles.table}>
          <thead><tr><th scope="col"><span className={styles.quiet}>{words.results}</span></th>{[words.table.runs, words.table.met, words.table.whole, words.table.seconds, words.table.tokens, words.table.cost].map((heading) => <th key={heading} scope="col">{heading}</th>)}</tr></thead>
          <tbody>
            {arms.map(({ arm, runs, failed, score, passed, time_seconds: time, tokens, cost_usd: cost }) => (
              <tr key={arm}><th scope="row">{words.arms[arm]}</th><td>{runs}{failed > 0 ? ` (${words.table.failed(failed)})` : ''}</td><td>{rateText(score)}</td><td>{rateText(passed)}</td><td>{time.mean.toFixed(1)} ± {time.stddev.toFixed(1)}</td><td>{Math.round(tokens.mean)} ± {Math.round(tokens.stddev)}</td><td>{cost ? `$${cost.mean.toFixed(4)}` : '–'}</td></tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function Differences({ report: { differences, trigger_difference: ofTriggers, margin } }: { readonly report: EvaluationReport }): ReactNode {
  const { words: { evaluations: words } } = useLanguage();
  const all = [...differences, ...(ofTriggers ? [ofTriggers] : [])];
  if (all.length === 0) return null;
  const label = (one: ArmDifference): string => `${words.arms[one.to]} − ${words.arms[one.from]}${one === ofTriggers ? ` (${words.triggersShort})` : ''}`;
  return (
    <section>
      <IntervalPlot title={words.differences} rows={all.flatMap((one) => (one.difference ? [{ label: one === ofTriggers ? words.triggersShort : `− ${words.arms[one.from]}`, value: one.difference.mean, interval: one.difference.interval }] : []))} axis={{ low: -1, high: 1, ticks: [-1, -0.5, 0, 0.5, 1], band: { low: -margin, high: margin } }} />
      <ul className={skill.list}>
        {all.map((one) => <li key={label(one)}>{label(one)}: {one.difference ? `${points(one.difference.mean)} (${intervalText(one.difference.interval)})` : '–'} <Badge tone={TONES[one.verdict]}>{words.verdicts[one.verdict]}</Badge>{one.reason === undefined ? null : <span className={styles.quiet}> {visibleText(one.reason)}</span>}</li>)}
      </ul>
    </section>
  );
}

function Expectations({ report: { expectations } }: { readonly report: EvaluationReport }): ReactNode {
  const { words: { evaluations: words } } = useLanguage();
  const odd = expectations.filter(({ useless, flaky }) => useless !== undefined || flaky.length > 0);
  if (odd.length === 0) return null;
  return (
    <section>
      <h2>{words.expectations}</h2>
      <ul className={skill.list}>{odd.map(({ case: id, text, useless, flaky }) => <li key={`${id} ${text}`}>{visibleText(id)}: {visibleText(text)} {useless === undefined ? null : <Badge tone="warn">{words.useless[useless]}</Badge>} {flaky.map((arm) => <Badge key={arm} tone="warn">{words.flaky(words.arms[arm])}</Badge>)}</li>)}</ul>
    </section>
  );
}
