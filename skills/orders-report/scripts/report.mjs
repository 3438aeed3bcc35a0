#!/usr/bin/env node
// Turns a CSV file of orders into report.html, chart.svg and report.md. Plain Node, no packages, no network.
import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { monthChart } from './lib/charts.mjs';
import { parseCsv } from './lib/csv.mjs';
import { figuresOf, findColumns, readOrders } from './lib/orders.mjs';
import { findingsOf, htmlPage, markdownReport } from './lib/page.mjs';

const HELP = `Usage: node report.mjs ORDERS.csv [options]

Writes report.html, chart.svg and report.md.

  --out FOLDER          where to write (default: report beside the CSV); made if missing
  --title TEXT          heading of the report (default: "Orders report")
  --currency CODE       currency of the prices, for example EUR (default: plain numbers)
  --column NAME=HEADER  a column that has another name, for example unit_price="Net EUR"; may be repeated
  --help                this text

Columns: date, product, unit_price; optional: quantity, order_id, customer, region, status.
Exit status: 0 written, 1 the file cannot be used, 2 wrong arguments.`;

/** Ends the program with one line on stderr. */
function fail(status, message) {
  process.stderr.write(`report: ${message}\n`);
  process.exit(status);
}

function readArguments() {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: { out: { type: 'string' }, title: { type: 'string' }, currency: { type: 'string' }, column: { type: 'string', multiple: true }, help: { type: 'boolean' } },
    });
    if (values.help) {
      process.stdout.write(`${HELP}\n`);
      process.exit(0);
    }
    const [input] = positionals;
    if (positionals.length !== 1 || input === undefined) fail(2, 'give one CSV file; --help shows how');
    const columns = Object.fromEntries((values.column ?? []).map((pair) => pair.split(/=(.*)/s)));
    if (Object.values(columns).includes(undefined)) fail(2, '--column takes NAME=HEADER, for example --column unit_price=Net');
    return { input, out: values.out ?? path.join(path.dirname(input), 'report'), title: values.title ?? 'Orders report', currency: values.currency, columns };
  } catch (error) {
    return fail(2, `${error.message.split('\n')[0]}; --help shows the options`);
  }
}

/** Formats of money, long and short. */
function formats(currency) {
  const style = currency === undefined ? {} : { style: 'currency', currency };
  try {
    const long = new Intl.NumberFormat('en-US', { ...style, minimumFractionDigits: 2, maximumFractionDigits: 2 });
    const short = new Intl.NumberFormat('en-US', { ...style, notation: 'compact', minimumFractionDigits: 0, maximumFractionDigits: 1 });
    return { format: (value) => long.format(value), compact: (value) => short.format(value) };
  } catch {
    return fail(2, `${JSON.stringify(currency)} is no currency code; use one like EUR or USD`);
  }
}

function readText(input) {
  try {
    return fs.readFileSync(input, 'utf8');
  } catch (error) {
    return fail(1, error.code === 'ENOENT' ? `there is no file ${input}` : `${input} cannot be read: ${error.message}`);
  }
}

function readFile(input, columns) {
  const text = readText(input);
  try {
    const [header, ...rows] = parseCsv(text);
    if (!header) throw new Error('the file is empty');
    const found = findColumns(header.fields.map((name) => name.trim()), columns);
    const { orders, skipped } = readOrders(rows, found);
    if (orders.length === 0) throw new Error(rows.length === 0 ? 'the file has a header and no rows' : `none of the ${rows.length} rows can be used; the first: line ${skipped[0].line}, ${skipped[0].reason}`);
    return { orders, skipped };
  } catch (error) {
    return fail(1, `${input}: ${error.message}`);
  }
}

function main() {
  const { input, out, title, currency, columns } = readArguments();
  const { format, compact } = formats(currency);
  const { orders, skipped } = readFile(input, columns);
  const figures = figuresOf(orders);
  const content = { title, source: path.basename(input), figures, skipped, format, compact };
  const files = { 'report.html': htmlPage(content), 'chart.svg': monthChart(figures.byMonth, { title: `${title}: net revenue by month`, format, compact, alone: true }), 'report.md': markdownReport(content) };
  try {
    fs.mkdirSync(out, { recursive: true });
    for (const [name, text] of Object.entries(files)) fs.writeFileSync(path.join(out, name), text);
  } catch (error) {
    fail(1, `${out} cannot be written: ${error.message}`);
  }
  const lines = [`Net revenue ${format(figures.net)} from ${figures.orderCount} orders (gross ${format(figures.gross)}, refunds ${format(figures.refunds)}).`, ...findingsOf(figures, format)];
  for (const { line, reason } of skipped) lines.push(`Left out: line ${line}, ${reason}.`);
  lines.push(...Object.keys(files).map((name) => `Wrote ${path.resolve(out, name)}`));
  process.stdout.write(`${lines.join('\n')}\n`);
}

main();
