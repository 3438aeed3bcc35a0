import type { Interval } from '../statistics/interval.ts';
import { xml } from './junit.ts';

const LABEL = 170;
const WIDTH = 420;
const ROW = 34;

/** One row of a plot. */
export interface PlotRow {
  readonly label: string;
  readonly value: number;
  readonly interval: Interval;
}

/** Values with their intervals on one axis, as SVG. `ticks` are values on the axis; `band` is shaded. */
export function intervalPlot(rows: readonly PlotRow[], { low, high, ticks, band, title }: { readonly low: number; readonly high: number; readonly ticks: readonly number[]; readonly band?: Interval; readonly title: string }): string {
  const x = (value: number): string => (LABEL + ((Math.min(high, Math.max(low, value)) - low) / (high - low)) * WIDTH).toFixed(1);
  const bottom = rows.length * ROW + 8;
  const shade = band ? `<rect class="band" x="${x(band.low)}" y="0" width="${(Number(x(band.high)) - Number(x(band.low))).toFixed(1)}" height="${bottom}"/>` : '';
  const axis = ticks.map((tick) => `<line class="grid" x1="${x(tick)}" x2="${x(tick)}" y1="0" y2="${bottom}"/><text class="tick" x="${x(tick)}" y="${bottom + 16}" text-anchor="middle">${Math.round(tick * 100)}</text>`).join('');
  const marks = rows.map(({ label, value, interval }, i) => {
    const y = i * ROW + ROW / 2 + 4;
    return `<text x="${LABEL - 10}" y="${y + 4}" text-anchor="end">${xml(label)}</text><line class="bar" x1="${x(interval.low)}" x2="${x(interval.high)}" y1="${y}" y2="${y}"/><circle class="dot" cx="${x(value)}" cy="${y}" r="5"/>`;
  }).join('');
  return `<svg viewBox="0 0 ${LABEL + WIDTH + 20} ${bottom + 24}" role="img" aria-label="${xml(title)}">${shade}${axis}${marks}</svg>`;
}
