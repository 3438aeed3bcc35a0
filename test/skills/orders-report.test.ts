import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

const SKILL = path.resolve(import.meta.dirname, '../../skills/orders-report');
const SCRIPT = path.join(SKILL, 'scripts', 'report.mjs');
let folder: string;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'skillmint-orders-'));
});
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

function report(...args: string[]): { code: number | null; out: string; err: string } {
  const result = spawnSync(process.execPath, [SCRIPT, ...args], { cwd: folder, encoding: 'utf8', env: { PATH: process.env['PATH'] ?? '' } });
  return { code: result.status, out: result.stdout, err: result.stderr };
}

const csv = (text: string, name = 'orders.csv'): string => {
  fs.writeFileSync(path.join(folder, name), text);
  return name;
};
const written = (name: string): string => fs.readFileSync(path.join(folder, 'report', name), 'utf8');

test('the sample data becomes a report', () => {
  const result = report(path.join(SKILL, 'assets', 'orders.csv'), '--out', 'report', '--currency', 'EUR', '--title', 'Coffee <2025>');
  expect(result).toMatchObject({ code: 0, err: '' });
  expect(result.out).toMatch(/Net revenue €[\d,.]+ from \d+ orders/);
  expect(result.out).toContain('line 39, no price');
  expect(written('report.html')).toContain('Coffee &lt;2025&gt;');
  expect(written('report.html').match(/<svg /g)).toHaveLength(3);
  expect(written('report.html')).not.toMatch(/<(?:script|link|img)|https?:\/\/(?!www\.w3\.org)/);
  expect(written('chart.svg')).toMatch(/^<svg xmlns=/);
  expect(written('report.md')).toContain('| Jan 2025 |');
  expect(written('report.html')).not.toMatch(/NaN|undefined/);
});

test('sums: refunds, returns, cancelled and open rows, quoted fields, semicolons, decimal commas, own column names', () => {
  const name = csv('\ufeffDatum;Order No;Client;Item;Qty;Net EUR;Status\r\n31.12.2024;A1;"Miller; Sons ""M""";"Pen,\r\nblue";2;1.234,50;paid\r\n02.01.2025;A2;B;Ink;1;100;refunded\r\n02.01.2025;A1;B;Pen;-1;34,50;paid\r\n03.01.2025;A3;B;Ink;5;9;cancelled\r\n03.01.2025;A4;B;Ink;1;7;pending\r\n');
  const result = report(name, '--column', 'unit_price=Net EUR');
  expect(result).toMatchObject({ code: 0, err: '' });
  expect(result.out).toContain('Net revenue 2,434.50 from 2 orders (gross 2,569.00, refunds 134.50)');
  expect(result.out).toContain('1 open rows worth 7.00');
  expect(written('report.md')).toContain('Miller; Sons "M"');
  expect(written('report.md')).toContain('| Dec 2024 | 2,469.00 |');
  expect(written('report.md')).toContain('| Jan 2025 | -34.50 |');
});

test('markup in the data stays text', () => {
  report(csv('date,product,price\n2025-01-01,<script>alert(1)</script>,1\n'));
  expect(written('report.html')).not.toContain('<script>');
});

test.each([
  ['no file', ['none.csv'], '', 1, /there is no file none\.csv/],
  ['an empty file', ['orders.csv'], '', 1, /empty/],
  ['a missing column', ['orders.csv'], 'date,product\n2025-01-01,x\n', 1, /unit_price.*--column/],
  ['a wrong mapping', ['orders.csv', '--column', 'unit_price=Nope'], 'date,product,price\n2025-01-01,x,1\n', 1, /"Nope".*date, product, price/],
  ['an open quote', ['orders.csv'], 'date,product,price\n2025-01-01,"x,1\n', 1, /line 2: a quote/],
  ['no usable row', ['orders.csv'], 'date,product,price\nsoon,x,1\n', 1, /line 2, the date "soon"/],
  ['a header alone', ['orders.csv'], 'date,product,price\n', 1, /no rows/],
  ['an unknown option', ['--nope'], '', 2, /--help/],
  ['no argument', [], '', 2, /--help/],
  ['a wrong currency', ['orders.csv', '--currency', 'E1'], 'date,product,price\n2025-01-01,x,1\n', 2, /currency/],
] as const)('%s ends with one line', (_, args, text, code, says) => {
  csv(text);
  const result = report(...args);
  expect(result.code).toBe(code);
  expect(result.err.trim().split('\n')).toHaveLength(1);
  expect(result.err).toMatch(says);
});

test('--help', () => {
  expect(report('--help')).toMatchObject({ code: 0, err: '' });
});
