import { useState, type ReactNode } from 'react';
import { useLanguage } from '../i18n/language.tsx';
import { useNumbers } from './numbers.ts';
import type { Amounts } from './sums.ts';
import styles from './usage-table.module.css';

/** A row: a day, a model or a skill. */
export type UsageRow = Amounts & { readonly name: string };

interface Column {
  readonly key: keyof UsageRow;
  readonly title: string;
  readonly show: (row: UsageRow) => string;
}

interface Order {
  readonly key: keyof UsageRow;
  readonly isDown: boolean;
}

function useColumns(first: string, showName: (name: string) => string): readonly Column[] {
  const { words: { usage } } = useLanguage();
  const { count, cost, time } = useNumbers();
  return [
    { key: 'name', title: first, show: ({ name }) => showName(name) },
    { key: 'turns', title: usage.turns, show: ({ turns }) => count(turns) },
    { key: 'steps', title: usage.replies, show: ({ steps }) => count(steps) },
    { key: 'input', title: usage.input, show: ({ input }) => count(input) },
    { key: 'cache_read', title: usage.cacheRead, show: ({ cache_read: read }) => count(read) },
    { key: 'cache_write', title: usage.cacheWrite, show: ({ cache_write: written }) => count(written) },
    { key: 'output', title: usage.output, show: ({ output }) => count(output) },
    { key: 'cost_usd', title: usage.cost, show: ({ cost_usd: usd }) => cost(usd) },
    { key: 'model_ms', title: usage.modelWait, show: ({ model_ms: ms }) => time(ms) },
    { key: 'tool_ms', title: usage.toolTimeShort, show: ({ tool_ms: ms }) => time(ms) },
  ];
}

/** The numbers of the plots to be read; sorted by the column that is chosen. */
export function UsageTable({ title, first, rows, total, order: given, showName = (name) => name }: { readonly title: string; readonly first: string; readonly rows: readonly UsageRow[]; /** Left out where rows overlap. */ readonly total?: Amounts; readonly order: Order; readonly showName?: (name: string) => string }): ReactNode {
  const { words: { usage } } = useLanguage();
  const columns = useColumns(first, showName);
  const [order, setOrder] = useState(given);
  const sorted = rows.toSorted((a, b) => (order.isDown ? -1 : 1) * compare(a[order.key], b[order.key]));
  return (
    <div className={styles.scroll} role="region" aria-label={title} tabIndex={0}>
      <table className={styles.table}>
        <thead>
          <tr>
            {columns.map(({ key, title: name }) => (
              <th key={key} scope="col" aria-sort={order.key === key ? (order.isDown ? 'descending' : 'ascending') : undefined}>
                <button type="button" className={styles.sort} title={usage.sorted(name)} onClick={() => setOrder({ key, isDown: order.key === key ? !order.isDown : key !== 'name' })}>
                  {name}<span aria-hidden="true">{order.key === key ? (order.isDown ? ' ↓' : ' ↑') : ''}</span>
                </button>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{sorted.map((row) => <Row key={row.name} row={row} columns={columns} />)}</tbody>
        {total === undefined ? null : <tfoot><Row row={{ ...total, name: '' }} columns={columns} head={usage.inAll} /></tfoot>}
      </table>
    </div>
  );
}

function Row({ row, columns, head }: { readonly row: UsageRow; readonly columns: readonly Column[]; readonly head?: string }): ReactNode {
  const [first, ...others] = columns;
  return (
    <tr>
      <th scope="row">{head ?? first?.show(row)}</th>
      {others.map(({ key, show }) => <td key={key}><data value={row[key]}>{show(row)}</data></td>)}
    </tr>
  );
}

function compare(a: string | number, b: string | number): number {
  return typeof a === 'number' && typeof b === 'number' ? a - b : String(a).localeCompare(String(b));
}
