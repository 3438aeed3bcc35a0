import type { Diff } from '@agentclientprotocol/sdk';
import { diffRows, type DiffRow } from '../../protocol/diff-rows.ts';

/** A changed part of a file, as an editor shows it. */
export interface ChangedPart {
  readonly diff: Diff;
  /** Its first line in the new text, from 1. */
  readonly line: number;
}

/** The parts of a unified diff as old and new text, each with the lines around it. */
export function changedParts(path: string, unified: string): readonly ChangedPart[] {
  const parts: DiffRow[][] = [];
  for (const row of diffRows(unified)) {
    if (row.kind === 'gap') parts.push([]);
    else if (row.kind !== 'note') parts.at(-1)?.push(row);
  }
  return parts.map((rows) => {
    const old = rows.filter(({ kind }) => kind !== 'added');
    return { diff: { path, newText: textOf(rows.filter(({ kind }) => kind !== 'removed')), ...(old.length > 0 ? { oldText: textOf(old) } : {}) }, line: lineOf(rows) };
  });
}

function textOf(rows: readonly DiffRow[]): string {
  return rows.map(({ text }) => `${text}\n`).join('');
}

/** The first line that is new, or that stands where some were removed. */
function lineOf(rows: readonly DiffRow[]): number {
  const at = Math.max(0, rows.findIndex(({ kind }) => kind !== 'same'));
  return rows.slice(at).find(({ after }) => after !== undefined)?.after ?? rows.slice(0, at).at(-1)?.after ?? 1;
}
