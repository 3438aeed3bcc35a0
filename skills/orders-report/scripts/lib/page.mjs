// The report as one HTML page and as Markdown.
import { barChart, escape, monthChart, monthName } from './charts.mjs';

const CSS = `
:root{color-scheme:light dark;--paper:#f6f7f9;--card:#fff;--ink:#1d232b;--ink-2:#5b6470;--line:#e3e7ec;--accent:#2f6fde;--bad:#c8453c}
@media(prefers-color-scheme:dark){:root{--paper:#0f1216;--card:#171c22;--ink:#eef1f5;--ink-2:#a3adba;--line:#2b323c;--accent:#6ea2ff;--bad:#ff8a80}}
*{box-sizing:border-box}body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.5 system-ui,-apple-system,"Segoe UI",sans-serif}
main{max-width:1100px;margin:0 auto;padding:40px 20px 64px}h1{font-size:30px;line-height:1.2;margin:0 0 4px;letter-spacing:-.01em}h2{font-size:18px;margin:0 0 12px}
.sub{color:var(--ink-2);margin:0 0 28px}.tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(165px,1fr));gap:14px;margin:0 0 18px}
.card{background:var(--card);border:1px solid var(--line);border-radius:12px;padding:18px 20px}.tile b{display:block;font-size:clamp(19px,2.2vw + 10px,25px);line-height:1.25;letter-spacing:-.01em;font-variant-numeric:tabular-nums}.tile{padding:16px 18px}.tile span{color:var(--ink-2);font-size:14px}
.wide{margin:0 0 18px;overflow-x:auto}.wide svg{min-width:560px}.two{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,440px),1fr));gap:18px;margin:0 0 18px}svg{display:block;width:100%;height:auto}
table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}th,td{text-align:left;padding:7px 8px;border-bottom:1px solid var(--line)}th{color:var(--ink-2);font-weight:500;font-size:14px}td.num,th.num{text-align:right}tr:last-child td{border-bottom:0}
ul{margin:0;padding-left:20px}footer{color:var(--ink-2);font-size:14px;margin-top:28px}@media print{body{background:#fff}.card{break-inside:avoid}}`;

/** What every page says of the figures, in words. */
function tilesOf(figures, format) {
  return [
    [format(figures.net), 'net revenue'],
    [figures.orderCount.toLocaleString('en-US'), 'orders'],
    [format(figures.averageOrder), 'average order'],
    [figures.customerCount.toLocaleString('en-US'), 'customers'],
    [format(figures.refunds), `refunded (${percent(figures.refunds, figures.gross)} of gross)`],
  ];
}

/** Findings that a reader wants first. */
export function findingsOf(figures, format) {
  const out = [];
  const best = figures.byMonth.reduce((top, each) => (top === undefined || each.net > top.net ? each : top), undefined);
  if (best) out.push(`The strongest month was ${monthName(best.label)} with ${format(best.net)}.`);
  const [product] = figures.byProduct;
  if (product) out.push(`${product.label} brought ${format(product.net)}, ${percent(product.net, figures.net)} of net revenue.`);
  const [region] = figures.byRegion;
  if (region && figures.byRegion.length > 1) out.push(`${region.label} is the largest region with ${format(region.net)} (${percent(region.net, figures.net)}).`);
  if (figures.openCount > 0) out.push(`${figures.openCount} open rows worth ${format(figures.openAmount)} are not counted yet.`);
  if (figures.cancelledCount > 0) out.push(`${figures.cancelledCount} cancelled rows are not counted.`);
  return out;
}

/** The whole page; it needs no other file. */
export function htmlPage({ title, source, figures, skipped, format, compact }) {
  const tiles = tilesOf(figures, format).map(([value, label]) => `<div class="card tile"><b>${escape(value)}</b><span>${escape(label)}</span></div>`);
  const notes = skipped.map(({ line, reason }) => `<li>Line ${line}: ${escape(reason)}</li>`);
  const regions = figures.byRegion.length > 1 ? `<div class="card">${barChart(figures.byRegion, { title: 'Net revenue by region', format })}</div>` : '';
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${escape(title)}</title><style>${CSS}</style></head>
<body><main>
<h1>${escape(title)}</h1>
<p class="sub">${escape(periodOf(figures))} · from ${escape(source)}</p>
<section class="tiles" aria-label="Key figures">${tiles.join('')}</section>
<section class="card wide">${monthChart(figures.byMonth, { title: 'Net revenue by month', format, compact, alone: false })}</section>
<section class="two"><div class="card">${barChart(figures.byProduct, { title: 'Net revenue by product', format })}</div>${regions}</section>
<section class="two">
<div class="card"><h2>Findings</h2><ul>${findingsOf(figures, format).map((each) => `<li>${escape(each)}</li>`).join('')}</ul></div>
<div class="card"><h2>Best customers</h2>${table(['Customer', 'Net revenue'], figures.byCustomer.slice(0, 8).map((each) => [each.label, format(each.net)]))}</div>
</section>
<section class="card wide"><h2>By month</h2>${table(['Month', 'Pieces', 'Net revenue'], figures.byMonth.map((each) => [monthName(each.label), each.quantity.toLocaleString('en-US'), format(each.net)]))}</section>
${notes.length > 0 ? `<section class="card wide"><h2>Left out (${notes.length} rows)</h2><ul>${notes.join('')}</ul></section>` : ''}
<footer>Net revenue is paid orders minus refunds. Cancelled and open rows are not counted.</footer>
</main></body>
</html>
`;
}

/** The key figures as Markdown. */
export function markdownReport({ title, source, figures, skipped, format }) {
  const cell = (text) => String(text).replaceAll('|', '\\|').replace(/\s+/g, ' ');
  const rows = (groups, name) => groups.map((each) => `| ${cell(name(each.label))} | ${cell(format(each.net))} |`).join('\n');
  const section = (heading, groups, name = (label) => label) => `## ${heading}\n\n| | Net revenue |\n| --- | ---: |\n${rows(groups, name)}\n`;
  const parts = [
    `# ${title}\n\n${periodOf(figures)}, from ${source}\n\n![Net revenue by month](chart.svg)\n`,
    `## Key figures\n\n${tilesOf(figures, format).map(([value, label]) => `- ${label}: **${value}**`).join('\n')}\n`,
    `## Findings\n\n${findingsOf(figures, format).map((each) => `- ${each}`).join('\n')}\n`,
    section('By month', figures.byMonth, monthName),
    section('By product', figures.byProduct),
    section('By region', figures.byRegion),
    section('Best customers', figures.byCustomer.slice(0, 8)),
    ...(skipped.length > 0 ? [`## Left out\n\n${skipped.map(({ line, reason }) => `- line ${line}: ${reason}`).join('\n')}\n`] : []),
  ];
  return parts.join('\n');
}

function periodOf({ byMonth }) {
  const [first, last] = [byMonth[0], byMonth.at(-1)];
  if (!first || !last) return 'no period';
  return first === last ? monthName(first.label) : `${monthName(first.label)} to ${monthName(last.label)}`;
}

function percent(part, whole) {
  return whole > 0 ? `${((part / whole) * 100).toFixed(1)} %` : '0 %';
}

function table(header, rows) {
  const align = (i) => (i === 0 ? '' : ' class="num"');
  return `<table><thead><tr>${header.map((each, i) => `<th${align(i)}>${escape(each)}</th>`).join('')}</tr></thead><tbody>${rows.map((row) => `<tr>${row.map((each, i) => `<td${align(i)}>${escape(each)}</td>`).join('')}</tr>`).join('')}</tbody></table>`;
}
