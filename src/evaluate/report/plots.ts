import { xml } from './junit.ts';
import { layOutPlot, type PlotAxis, type PlotRow } from './plot-layout.ts';

/** Values with their intervals on one axis, as SVG. */
export function intervalPlot(rows: readonly PlotRow[], { title, ...axis }: PlotAxis & { readonly title: string }): string {
  const { width, height, bottom, band, ticks, marks } = layOutPlot(rows, axis);
  const shade = band ? `<rect class="band" x="${band.x}" y="0" width="${band.width}" height="${bottom}"/>` : '';
  const grid = ticks.map(({ x, y, text }) => `<line class="grid" x1="${x}" x2="${x}" y1="0" y2="${bottom}"/><text class="tick" x="${x}" y="${y}" text-anchor="middle">${xml(text)}</text>`).join('');
  const dots = marks.map(({ label, labelX, y, low, high, value }) => `<text x="${labelX}" y="${y + 4}" text-anchor="end">${xml(label)}</text><line class="bar" x1="${low}" x2="${high}" y1="${y}" y2="${y}"/><circle class="dot" cx="${value}" cy="${y}" r="5"/>`).join('');
  return `<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${xml(title)}">${shade}${grid}${dots}</svg>`;
}
