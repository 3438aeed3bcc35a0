// Draws docs/demo.svg: the terminal output of the demo as it came, and below it the chart that the demo made.
// FORCE_COLOR=1 npm run -s demo 2>&1 | node docs/demo-picture.mjs > docs/demo.svg
import fs from 'node:fs';
import path from 'node:path';

const WIDTH = 880;
const COLUMNS = 100;
const CHAR = 8;
const LINE = 19;
const TOP = 58;
const CHART = { x: 110, width: 640, height: 263 };

const chartFile = path.resolve(import.meta.dirname, '..', 'demo-output', 'report', 'chart.svg');

/** Class of the text after an escape sequence that sets colour or weight. */
const STYLES = { 1: 'bold', 2: 'dim', 31: 'red', 32: 'green', 33: 'yellow', 36: 'cyan', 22: '', 39: '' };

const escapeXml = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Characters of one line with the style of each. */
function* styled(text, from) {
  let style = from.style;
  for (const [piece, code] of text.matchAll(/\u001b\[(\d+)m|[^\u001b]/gu)) {
    if (code === undefined) yield { char: piece, style };
    else style = STYLES[code] ?? '';
  }
  from.style = style;
}

/** Lines of at most COLUMNS characters, broken at a space where there is one; what follows is indented like its line. */
function wrapped(chars) {
  const lines = [];
  let rest = chars;
  const mark = /^[●◆] |^ {2}└ |^- /.exec(chars.map(({ char }) => char).join(''));
  const indent = Array.from({ length: mark ? mark[0].length : 0 }, () => ({ char: ' ', style: '' }));
  while (rest.length > COLUMNS) {
    const space = rest.slice(0, COLUMNS).findLastIndex(({ char }, at) => char === ' ' && at > COLUMNS / 2);
    const at = space < 0 ? COLUMNS : space;
    lines.push(rest.slice(0, at));
    rest = [...indent, ...rest.slice(space < 0 ? at : at + 1)];
  }
  return [...lines, rest];
}

function lineSvg(chars, row) {
  const runs = [];
  for (const { char, style } of chars) {
    const last = runs.at(-1);
    if (last?.style === style) last.text += char;
    else runs.push({ style, text: char, at: runs.reduce((sum, run) => sum + run.text.length, 0) });
  }
  const spans = runs.filter(({ text }) => text.trim() !== '').map(({ style, text, at }) => {
    const lead = text.length - text.trimStart().length;
    return `<tspan x="${28 + (at + lead) * CHAR}"${style ? ` class="${style}"` : ''}>${escapeXml(text.trim())}</tspan>`;
  });
  return spans.length === 0 ? '' : `<text y="${TOP + row * LINE}">${spans.join('')}</text>`;
}

/** The chart's drawing without its own style, which would reach beyond it. */
function chartBody() {
  const svg = fs.readFileSync(chartFile, 'utf8');
  return svg.replace(/^<svg[^>]*>/, '').replace(/<style>.*?<\/style>/s, '').replace(/<\/svg>\s*$/, '');
}

const from = { style: '' };
// Few fonts have the corner that the program prints; every one has that of box drawing.
const output = fs.readFileSync(0, 'utf8').trimEnd().replaceAll('⎿', '└').split('\n');
const lines = [Array.from('$ npm run -s demo', (char) => ({ char, style: 'bold' })), ...output.flatMap((line) => wrapped([...styled(line, from)]))];
const terminal = TOP + lines.length * LINE;
const height = terminal + 36 + CHART.height + 12;

process.stdout.write(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="The demo in a terminal: the skill is loaded, its script runs in the sandbox, a report with a chart is made">
<style>
.page{--bg:#fff;--edge:#d0d7de;--bar:#f6f8fa;--ink:#1f2328;--dim:#656d76;--green:#1a7f37;--yellow:#8a5a00;--cyan:#0a6c8a;--red:#c8333a;--accent:#2f6fde;--grid:#e3e7ec}
@media(prefers-color-scheme:dark){.page{--bg:#0d1117;--edge:#30363d;--bar:#161b22;--ink:#e6edf3;--dim:#8d96a0;--green:#57c26a;--yellow:#d8a531;--cyan:#4fb8d6;--red:#ff7b72;--accent:#6ea2ff;--grid:#2b323c}}
.frame{fill:var(--bg);stroke:var(--edge)}.bar{fill:var(--bar)}.rule{stroke:var(--edge)}.dot{fill:var(--edge)}
.term text{font:13.3px ui-monospace,SFMono-Regular,Menlo,"DejaVu Sans Mono","Liberation Mono",monospace;fill:var(--ink)}
.term .bold{font-weight:700}.term .dim{fill:var(--dim)}.term .green{fill:var(--green)}.term .yellow{fill:var(--yellow)}.term .cyan{fill:var(--cyan)}.term .red{fill:var(--red)}
.chart text{font:12px system-ui,-apple-system,"Segoe UI","DejaVu Sans",sans-serif;fill:var(--dim)}.chart .v{fill:var(--ink);font-weight:600}.chart .g{stroke:var(--grid)}.chart .b{fill:var(--accent)}.chart .n{fill:var(--red)}
</style>
<g class="page">
<rect class="frame" x=".5" y=".5" width="${WIDTH - 1}" height="${height - 1}" rx="8"/>
<path class="bar" d="M1 30V9a8 8 0 0 1 8-8h${WIDTH - 18}a8 8 0 0 1 8 8v21z"/><path class="rule" d="M1 30.5h${WIDTH - 2}M1 ${terminal + 0.5}h${WIDTH - 2}"/>
<circle class="dot" cx="20" cy="15.5" r="5"/><circle class="dot" cx="38" cy="15.5" r="5"/><circle class="dot" cx="56" cy="15.5" r="5"/>
<g class="term">
${lines.map(lineSvg).filter((line) => line !== '').join('\n')}
</g>
<g class="chart"><text x="28" y="${terminal + 24}">demo-output/report/chart.svg</text>
<svg x="${CHART.x}" y="${terminal + 40}" width="${CHART.width}" height="${CHART.height}" viewBox="0 0 760 312">${chartBody()}</svg></g>
</g>
</svg>
`);
