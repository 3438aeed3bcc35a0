// Charts as SVG text. Colours are CSS variables with fall-backs, so that a page can set them and a file stands alone.

export const escape = (text) => String(text).replace(/[&<>"']/g, (char) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' })[char]);

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** `2025-03` as `Mar 2025`. */
export function monthName(label) {
  const [year, month] = label.split('-');
  return `${MONTHS[Number(month) - 1]} ${year}`;
}

/** `2025-03` as `Mar`, with the year where a year or the chart starts. */
function axisName(label, isFirst) {
  return isFirst || label.endsWith('-01') ? monthName(label) : monthName(label).slice(0, 3);
}

const STYLE = `text{font:12px system-ui,-apple-system,"Segoe UI",sans-serif;fill:var(--ink-2,#5b6470)}.v{fill:var(--ink,#1d232b);font-weight:600}.g{stroke:var(--line,#e3e7ec)}.b{fill:var(--accent,#2f6fde)}.n{fill:var(--bad,#c8453c)}`;
const ALONE = `svg{background:#fff}@media(prefers-color-scheme:dark){svg{background:#15191f;--ink:#eef1f5;--ink-2:#a3adba;--line:#2b323c;--accent:#6ea2ff;--bad:#ff8a80}}`;

/** Columns, one for each month. `alone` adds a background and dark colours, for a file of its own. */
export function monthChart(months, { title, format, compact, alone }) {
  const [width, height, left, top, bottom] = [760, 312, 64, 44, 30];
  const high = niceCeiling(Math.max(...months.map((each) => each.net), 1));
  const low = Math.min(0, ...months.map((each) => each.net));
  const floor = low < 0 ? -niceCeiling(-low) : 0;
  const y = (value) => top + ((high - value) / (high - floor)) * (height - top - bottom);
  const step = (width - left - 16) / Math.max(months.length, 1);
  const bar = Math.min(46, step * 0.66);
  const every = Math.ceil(months.length / 14);
  const best = months.reduce((top1, each) => (each.net > top1.net ? each : top1), months[0] ?? { label: '', net: 0 });
  const grid = ticks(floor, high).map((value) => `<line class="g" x1="${left}" x2="${width - 16}" y1="${round(y(value))}" y2="${round(y(value))}"/><text x="${left - 8}" y="${round(y(value) + 4)}" text-anchor="end">${escape(compact(value))}</text>`);
  const bars = months.map((each, i) => {
    const x = left + i * step + (step - bar) / 2;
    const [from, to] = each.net >= 0 ? [y(each.net), y(0)] : [y(0), y(each.net)];
    const value = each === best && each.net > 0 ? `<text class="v" x="${round(x + bar / 2)}" y="${round(from - 6)}" text-anchor="middle">${escape(compact(each.net))}</text>` : '';
    const label = i % every === 0 ? `<text x="${round(x + bar / 2)}" y="${height - bottom + 18}" text-anchor="middle">${escape(axisName(each.label, i === 0))}</text>` : '';
    return `<g><title>${escape(`${monthName(each.label)}: ${format(each.net)}`)}</title><rect class="${each.net < 0 ? 'n' : 'b'}" x="${round(x)}" y="${round(from)}" width="${round(bar)}" height="${round(Math.max(to - from, each.net === 0 ? 0 : 1))}" rx="3"/>${value}</g>${label}`;
  });
  return svg({ width, height, title, alone, inside: [...grid, ...bars].join('') });
}

/** Horizontal bars, the largest first; what does not fit is summed up in the last one. */
export function barChart(groups, { title, format, most = 8 }) {
  const shown = groups.length > most ? [...groups.slice(0, most - 1), rest(groups.slice(most - 1))] : groups;
  const [width, left, row, top] = [520, 190, 34, 40];
  const height = top + shown.length * row + 8;
  const high = Math.max(...shown.map((each) => each.net), 1);
  const total = groups.reduce((sum, each) => sum + Math.max(each.net, 0), 0);
  const bars = shown.map((each, i) => {
    const length = Math.max(each.net > 0 ? 2 : 0, (Math.max(each.net, 0) / high) * (width - left - 130));
    const y = top + i * row;
    const share = total > 0 && each.net > 0 ? ` · ${Math.round((each.net / total) * 100)} %` : '';
    return `<g><title>${escape(`${each.label}: ${format(each.net)}`)}</title><text x="${left - 10}" y="${y + 15}" text-anchor="end">${escape(shorten(each.label, 27))}</text><rect class="b" x="${left}" y="${y}" width="${round(length)}" height="22" rx="3"/><text class="v" x="${round(left + length + 8)}" y="${y + 15}">${escape(format(each.net))}<tspan fill="var(--ink-2,#5b6470)" font-weight="400">${share}</tspan></text></g>`;
  });
  return svg({ width, height, title, alone: false, inside: bars.join('') });
}

function svg({ width, height, title, alone, inside }) {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escape(title)}"><style>${STYLE}${alone ? ALONE : ''}</style><text class="v" x="0" y="16" style="font-size:15px">${escape(title)}</text>${inside}</svg>`;
}

function rest(groups) {
  return { label: `${groups.length} others`, net: groups.reduce((sum, each) => sum + each.net, 0) };
}

/** The next round number above. */
function niceCeiling(value) {
  const power = 10 ** Math.floor(Math.log10(value));
  const steps = [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10];
  return (steps.find((step) => step * power >= value) ?? 10) * power;
}

function ticks(low, high) {
  const step = niceCeiling((high - low) / 5);
  const out = [];
  for (let value = Math.ceil(low / step) * step; value <= high + step / 1e6; value += step) out.push(value);
  return out;
}

function shorten(text, most) {
  const characters = Array.from(text);
  return characters.length > most ? `${characters.slice(0, most - 1).join('')}…` : text;
}

const round = (value) => Math.round(value * 10) / 10;
