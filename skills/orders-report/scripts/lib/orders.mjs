// From CSV rows to orders, and from orders to figures.
import { dateReader, parseNumber } from './values.mjs';

const COLUMNS = {
  date: ['date', 'orderdate', 'created', 'createdat', 'invoicedate', 'datum'],
  order_id: ['orderid', 'order', 'ordernumber', 'orderno', 'invoice', 'invoiceid', 'id'],
  customer: ['customer', 'customername', 'client', 'company', 'buyer', 'name'],
  region: ['region', 'area', 'country', 'state', 'territory'],
  product: ['product', 'productname', 'item', 'article', 'sku', 'description'],
  quantity: ['quantity', 'qty', 'amount', 'units', 'pieces', 'count'],
  unit_price: ['unitprice', 'price', 'netprice', 'unitcost', 'priceeach'],
  status: ['status', 'orderstatus', 'stateoforder'],
};
const REQUIRED = ['date', 'product', 'unit_price'];
const KINDS = { refunded: 'refunded', returned: 'refunded', cancelled: 'cancelled', canceled: 'cancelled', void: 'cancelled', failed: 'cancelled', pending: 'open', open: 'open', unpaid: 'open', draft: 'open' };

const fold = (name) => name.toLowerCase().replace(/[\s_-]/g, '');

/** Index of each column in the header; `given` holds names that the person mapped. Throws an Error that names what is missing. */
export function findColumns(header, given = {}) {
  const folded = header.map(fold);
  const found = {};
  for (const [column, names] of Object.entries(COLUMNS)) {
    const wanted = given[column] === undefined ? names : [fold(given[column])];
    const index = wanted.map((name) => folded.indexOf(name)).find((at) => at >= 0);
    if (index !== undefined) found[column] = index;
    else if (given[column] !== undefined) throw new Error(`there is no column ${JSON.stringify(given[column])}; the file has: ${header.join(', ')}`);
  }
  const missing = REQUIRED.filter((column) => found[column] === undefined);
  if (missing.length > 0) throw new Error(`the column ${missing.join(' and the column ')} was not found among: ${header.join(', ')}. Name it with --column ${missing[0]}=HEADER`);
  return found;
}

/** Orders of the rows, and the rows that could not be used with the reason. */
export function readOrders(rows, columns) {
  const cell = (row, column) => (columns[column] === undefined ? '' : (row.fields[columns[column]] ?? '').trim());
  const readDate = dateReader(rows.map((row) => cell(row, 'date')));
  const orders = [];
  const skipped = [];
  for (const row of rows) {
    const skip = (reason) => skipped.push({ line: row.line, reason });
    const date = readDate(cell(row, 'date'));
    const price = parseNumber(cell(row, 'unit_price'));
    const quantity = cell(row, 'quantity') === '' ? 1 : parseNumber(cell(row, 'quantity'));
    if (!date) skip(`the date ${JSON.stringify(cell(row, 'date'))} is not understood`);
    else if (cell(row, 'product') === '') skip('no product');
    else if (cell(row, 'unit_price') === '') skip('no price');
    else if (Number.isNaN(price)) skip(`the price ${JSON.stringify(cell(row, 'unit_price'))} is no number`);
    else if (Number.isNaN(quantity)) skip(`the quantity ${JSON.stringify(cell(row, 'quantity'))} is no number`);
    else orders.push({ line: row.line, id: cell(row, 'order_id') || `line ${row.line}`, month: `${date.year}-${String(date.month).padStart(2, '0')}`, customer: cell(row, 'customer') || 'unknown', region: cell(row, 'region') || 'unknown', product: cell(row, 'product'), quantity, amount: quantity * price, kind: kindOf(cell(row, 'status'), quantity) });
  }
  return { orders, skipped };
}

function kindOf(status, quantity) {
  const kind = KINDS[fold(status)] ?? 'paid';
  return quantity < 0 && kind !== 'cancelled' ? 'return' : kind;
}

/** Key figures and the revenue by month, product, region and customer. */
export function figuresOf(orders) {
  const counted = orders.filter((order) => ['paid', 'refunded', 'return'].includes(order.kind));
  const sum = (list, value) => list.reduce((total, each) => total + value(each), 0);
  const gross = sum(counted, (order) => (order.kind === 'return' ? 0 : order.amount));
  const refunds = sum(counted, (order) => (order.kind === 'paid' ? 0 : Math.abs(order.amount)));
  const ids = new Set(counted.filter((order) => order.kind !== 'return').map((order) => order.id));
  const open = orders.filter((order) => order.kind === 'open');
  return {
    gross,
    refunds,
    net: gross - refunds,
    orderCount: ids.size,
    averageOrder: ids.size === 0 ? 0 : gross / ids.size,
    customerCount: new Set(counted.map((order) => order.customer)).size,
    cancelledCount: orders.filter((order) => order.kind === 'cancelled').length,
    openCount: open.length,
    openAmount: sum(open, (order) => order.amount),
    byMonth: withAllMonths(groups(counted, 'month')),
    byProduct: byValue(groups(counted, 'product')),
    byRegion: byValue(groups(counted, 'region')),
    byCustomer: byValue(groups(counted, 'customer')),
  };
}

/** What an order adds to net revenue. */
function netOf(order) {
  if (order.kind === 'refunded') return 0;
  return order.amount;
}

function groups(orders, key) {
  const found = new Map();
  for (const order of orders) {
    const group = found.get(order[key]) ?? { label: order[key], net: 0, quantity: 0 };
    group.net += netOf(order);
    group.quantity += order.kind === 'refunded' ? 0 : order.quantity;
    found.set(order[key], group);
  }
  return [...found.values()];
}

const byValue = (list) => list.sort((a, b) => b.net - a.net || (a.label < b.label ? -1 : 1));

/** Months in order, those without an order included. */
function withAllMonths(list) {
  const known = new Map(list.map((group) => [group.label, group]));
  const labels = [...known.keys()].sort();
  const out = [];
  for (let label = labels[0]; label !== undefined && label <= labels.at(-1) && out.length < 240; label = nextMonth(label)) out.push(known.get(label) ?? { label, net: 0, quantity: 0 });
  return out;
}

function nextMonth(label) {
  const [year, month] = label.split('-').map(Number);
  return month === 12 ? `${year + 1}-01` : `${year}-${String(month + 1).padStart(2, '0')}`;
}
