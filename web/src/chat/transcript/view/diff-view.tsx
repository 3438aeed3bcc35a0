import { useState, type ReactNode } from 'react';
import { visibleText } from '../../../../../src/protocol/visible-text.ts';
import type { DiffRow } from '../../../../../src/protocol/diff-rows.ts';
import { useLanguage } from '../../../i18n/language.tsx';
import { Button } from '../../../ui/button.tsx';
import styles from './diff-view.module.css';

/** Lines that are shown before one asks for all. */
const FIRST_ROWS = 24;
const SIGNS: Readonly<Record<DiffRow['kind'], string>> = { added: '+', removed: '−', same: '', gap: '⋯', note: '' };

/** What has changed in a file: lines with their numbers and signs. */
export function DiffView({ label, rows }: { readonly label: string; readonly rows: readonly DiffRow[] }): ReactNode {
  const { words } = useLanguage();
  const [isWhole, setWhole] = useState(false);
  const told = rows[0]?.kind === 'gap' ? rows.slice(1) : rows;
  const shown = isWhole || told.length <= FIRST_ROWS + 4 ? told : told.slice(0, FIRST_ROWS);
  return (
    <div className={styles.diff}>
      <div className={styles.lines} role="group" aria-label={label} tabIndex={0}>
        <table>
          <tbody>
            {shown.map((row, place) => (
              <tr key={place} className={styles[row.kind]}>
                <td className={styles.number}>{row.before}</td>
                <td className={styles.number}>{row.after}</td>
                <td className={styles.sign}>{SIGNS[row.kind]}</td>
                <td className={styles.line}>{row.kind === 'gap' ? words.transcript.linesLeftOut : visibleText(row.text)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {shown.length < told.length || isWhole ? <Button kind="plain" className={styles.more} onClick={() => setWhole(!isWhole)}>{isWhole ? words.transcript.showLess : words.transcript.showAllLines(told.length)}</Button> : null}
    </div>
  );
}
