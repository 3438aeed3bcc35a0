import type { ReactNode } from 'react';
import { layOutPlot, type PlotAxis, type PlotRow } from '../../../../src/evaluate/report/plot-layout.ts';
import styles from './evaluations.module.css';

/** Values with their intervals on one axis, laid out as in the report of an evaluation. */
export function IntervalPlot({ title, rows, axis }: { readonly title: string; readonly rows: readonly PlotRow[]; readonly axis: PlotAxis }): ReactNode {
  if (rows.length === 0) return null;
  const { width, height, bottom, band, ticks, marks } = layOutPlot(rows, axis);
  return (
    <figure className={styles.figure}>
      <figcaption>{title}</figcaption>
      <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-label={title} className={styles.plot}>
        {band ? <rect className={styles.band} x={band.x} y={0} width={band.width} height={bottom} /> : null}
        {ticks.map(({ x, y, text }) => <g key={x}><line className={styles.grid} x1={x} x2={x} y1={0} y2={bottom} /><text className={styles.tick} x={x} y={y} textAnchor="middle">{text}</text></g>)}
        {marks.map(({ label, labelX, y, low, high, value }) => <g key={label}><text x={labelX} y={y + 4} textAnchor="end">{label}</text><line className={styles.bar} x1={low} x2={high} y1={y} y2={y} /><circle className={styles.dot} cx={value} cy={y} r={5} /></g>)}
      </svg>
    </figure>
  );
}
