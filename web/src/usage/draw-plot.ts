import UPlot from 'uplot';

/** One kind of what is shown for each day. */
export interface PlotSeries {
  readonly label: string;
  /** One for each day. */
  readonly values: readonly number[];
  /** The colour as the page has it now. */
  readonly colour: () => string;
}

/** What a plot is drawn of. */
export interface PlotInput {
  /** Under the axis, one for each day. */
  readonly days: readonly string[];
  /** Stacked, the first at the bottom. */
  readonly series: readonly PlotSeries[];
  /** Of the numbers at the axis. */
  readonly format: (value: number) => string;
  /** Colours of texts and lines. */
  readonly text: () => string;
  readonly line: () => string;
  /** Is told of the day that the pointer is over. */
  readonly onDay: (index: number | undefined) => void;
}

const HEIGHT = 180;
const BAR = { share: 0.72, most: 36 };
const SIDE_AXIS = 62;
const HALF_BAR = 0.6;
/** Days between two marks. */
const STEPS = [1, 2, 3, 7, 14, 30, 60, 90, 180, 365, 730, 1825];

/** Draws stacked bars into the element; the colours are asked for with each drawing. */
export function drawPlot(place: HTMLElement, { days, series, format, text, line, onDay }: PlotInput): UPlot {
  const font = `12px ${getComputedStyle(place).fontFamily}`;
  const bars = UPlot.paths.bars?.({ size: [BAR.share, BAR.most] });
  const axis = { stroke: text, font, grid: { stroke: line, width: 1 }, ticks: { stroke: line, width: 1, size: 4 } };
  const stacked = series.map(({ colour }, index) => ({
    colour,
    sums: days.map((_, day) => series.slice(0, index + 1).reduce((sum, { values }) => sum + (values[day] ?? 0), 0)),
  })).reverse();
  return new UPlot({
    width: Math.max(place.clientWidth, 1),
    height: HEIGHT,
    legend: { show: false },
    select: { show: false, left: 0, top: 0, width: 0, height: 0 },
    cursor: { y: false, drag: { x: false, y: false }, points: { show: false } },
    scales: { x: { time: false, range: () => [-HALF_BAR, days.length - 1 + HALF_BAR] }, y: { range: (_plot, _least, most) => [0, most > 0 ? most * 1.08 : 1] } },
    axes: [
      { ...axis, grid: { show: false }, incrs: STEPS, space: 64, size: 28, values: (_plot, marks) => marks.map((mark) => days[mark] ?? '') },
      { ...axis, size: SIDE_AXIS, values: (_plot, marks) => marks.map(format) },
    ],
    series: [{}, ...stacked.map(({ colour }) => ({ fill: colour, stroke: colour, width: 0, points: { show: false }, ...(bars ? { paths: bars } : {}) }))],
    hooks: { setCursor: [(plot) => onDay(plot.cursor.idx ?? undefined)] },
  }, [days.map((_, day) => day), ...stacked.map(({ sums }) => sums)], place);
}
