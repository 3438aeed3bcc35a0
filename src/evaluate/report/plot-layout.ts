import type { Interval } from '../statistics/interval.ts';

/** One row of a plot. */
export interface PlotRow {
  readonly label: string;
  readonly value: number;
  readonly interval: Interval;
}

/** What the rows stand on. `ticks` are values on the axis; `band` is shaded; `tickText` is what stands below a tick, in percent when left out. */
export interface PlotAxis {
  readonly low: number;
  readonly high: number;
  readonly ticks: readonly number[];
  readonly band?: Interval;
  readonly tickText?: (value: number) => string;
}

/** Where everything of a plot is, in its own units. */
export interface PlotLayout {
  readonly width: number;
  readonly height: number;
  /** Lower end of the grid lines. */
  readonly bottom: number;
  readonly band: { readonly x: number; readonly width: number } | undefined;
  readonly ticks: readonly { readonly x: number; readonly y: number; readonly text: string }[];
  readonly marks: readonly { readonly label: string; readonly labelX: number; readonly y: number; readonly low: number; readonly high: number; readonly value: number }[];
}

const LABEL = 170;
const WIDTH = 420;
const ROW = 34;

/** Lays out values with their intervals on one axis. What lies beyond its ends is drawn at them. */
export function layOutPlot(rows: readonly PlotRow[], { low, high, ticks, band, tickText = (value) => String(Math.round(value * 100)) }: PlotAxis): PlotLayout {
  const x = (value: number): number => Math.round((LABEL + ((Math.min(high, Math.max(low, value)) - low) / (high - low)) * WIDTH) * 10) / 10;
  const bottom = rows.length * ROW + 8;
  return {
    width: LABEL + WIDTH + 20, height: bottom + 24, bottom,
    band: band && { x: x(band.low), width: Math.round((x(band.high) - x(band.low)) * 10) / 10 },
    ticks: ticks.map((tick) => ({ x: x(tick), y: bottom + 16, text: tickText(tick) })),
    marks: rows.map(({ label, value, interval }, i) => ({ label, labelX: LABEL - 10, y: i * ROW + ROW / 2 + 4, low: x(interval.low), high: x(interval.high), value: x(value) })),
  };
}

/** An axis from 0 to a round number that holds all values, with five ticks. */
export function axisFrom0(most: number): { readonly low: number; readonly high: number; readonly ticks: readonly number[] } {
  const scale = 10 ** Math.floor(Math.log10(Math.max(most, 1e-9)));
  const high = [1, 2, 4, 5, 8, 10].map((step) => step * scale).find((end) => end >= most) ?? 10 * scale;
  return { low: 0, high, ticks: [0, 0.25, 0.5, 0.75, 1].map((share) => share * high) };
}
