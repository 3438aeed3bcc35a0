/** A line of a unified diff: `added`, `removed` or `same` with its numbers in the old and the new text, `gap` before each part, `note` for what the diff says itself. */
export interface DiffRow {
  readonly kind: 'added' | 'removed' | 'same' | 'gap' | 'note';
  readonly text: string;
  readonly before?: number;
  readonly after?: number;
}

const HUNK = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;

/** The lines of a unified diff of one file, without its head. A diff may be cut: what says so comes as a `note`. */
export function diffRows(diff: string): readonly DiffRow[] {
  const rows: DiffRow[] = [];
  let [before, after, beforeLeft, afterLeft] = [0, 0, 0, 0];
  for (const line of diff.split('\n')) {
    const hunk = beforeLeft + afterLeft > 0 ? null : HUNK.exec(line);
    if (hunk) {
      [before, beforeLeft, after, afterLeft] = [Number(hunk[1]), Number(hunk[2] ?? 1), Number(hunk[3]), Number(hunk[4] ?? 1)];
      rows.push({ kind: 'gap', text: line });
    } else if (beforeLeft + afterLeft === 0) {
      if (!/^(?:---|\+\+\+|===|Index:|\\ No newline)/.test(line) && line !== '') rows.push({ kind: 'note', text: line });
    } else if (line.startsWith('+')) {
      afterLeft -= 1;
      rows.push({ kind: 'added', text: line.slice(1), after: after++ });
    } else if (line.startsWith('-')) {
      beforeLeft -= 1;
      rows.push({ kind: 'removed', text: line.slice(1), before: before++ });
    } else if (line.startsWith(' ')) {
      beforeLeft -= 1;
      afterLeft -= 1;
      rows.push({ kind: 'same', text: line.slice(1), before: before++, after: after++ });
    } else if (!line.startsWith('\\')) rows.push({ kind: 'note', text: line });
  }
  return rows;
}
