import type { ReactNode } from 'react';
import type { TriggerReport } from '../../../../src/evaluate/report/report.ts';
import { rateText } from '../../../../src/evaluate/report/words.ts';
import { visibleText } from '../../../../src/protocol/visible-text.ts';
import { useLanguage } from '../../i18n/language.tsx';
import skill from '../one/skill-view.module.css';
import styles from './evaluations.module.css';

/** When the skill was used and when it should have been, and the messages for which that differs. */
export function TriggerMatrix({ report: { arm, confusion, precision, recall, queries } }: { readonly report: TriggerReport }): ReactNode {
  const { words: { evaluations: words } } = useLanguage();
  const wrong = queries.filter(({ passed }) => !passed);
  return (
    <section>
      <h2>{words.triggers(words.arms[arm])}</h2>
      <p>{words.precision}: {precision ? rateText(precision) : '–'} · {words.recall}: {recall ? rateText(recall) : '–'}</p>
      <div>
        <table className={styles.matrix}>
          <caption>{words.matrix}</caption>
          <thead><tr><td /><th scope="col">{words.triggered}</th><th scope="col">{words.notTriggered}</th></tr></thead>
          <tbody>
            <tr><th scope="row">{words.should}</th><td className={styles.right}>{confusion.true_positive}</td><td className={confusion.false_negative > 0 ? styles.wrong : ''}>{confusion.false_negative}</td></tr>
            <tr><th scope="row">{words.shouldNot}</th><td className={confusion.false_positive > 0 ? styles.wrong : ''}>{confusion.false_positive}</td><td className={styles.right}>{confusion.true_negative}</td></tr>
          </tbody>
        </table>
      </div>
      {wrong.length === 0 ? null : (
        <>
          <h3>{words.wrong}</h3>
          <ul className={skill.list}>{wrong.map(({ id, query, triggered, runs, misses }) => <li key={id}>{visibleText(query)} <span className={styles.quiet}>({words.triggered}: {words.ofRuns(triggered, runs)}{misses.map(({ stage, runs: count }) => `; ${words.stages[stage]}: ${count}`).join('')})</span></li>)}</ul>
        </>
      )}
    </section>
  );
}
