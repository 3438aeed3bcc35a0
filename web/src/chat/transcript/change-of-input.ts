import { structuredPatch } from 'diff';
import type { JsonObject } from '../../../../src/protocol/json.ts';
import type { DiffRow } from '../../../../src/protocol/diff-rows.ts';

/** More lines than this are not compared while the page waits. */
const MOST_EDITS = 2_000;

/** What a call that writes a file means to change, from its arguments alone: without the numbers of lines in the file. Undefined for other calls. */
export function changeOfInput(tool: string, input: JsonObject): readonly DiffRow[] | undefined {
  if (tool === 'Write' && typeof input['content'] === 'string') return rowsOf('', input['content']);
  if (tool === 'Edit' && typeof input['old_string'] === 'string' && typeof input['new_string'] === 'string') return rowsOf(input['old_string'], input['new_string']);
  return undefined;
}

function rowsOf(before: string, after: string): readonly DiffRow[] {
  const patch = structuredPatch('', '', before, after, undefined, undefined, { context: 3, maxEditLength: MOST_EDITS });
  if (!patch) return [...linesOf(before, 'removed'), ...linesOf(after, 'added')];
  return patch.hunks.flatMap(({ lines }) => lines.filter((line) => !line.startsWith('\\')).map((line): DiffRow => ({ kind: line.startsWith('+') ? 'added' : line.startsWith('-') ? 'removed' : 'same', text: line.slice(1) })));
}

function linesOf(text: string, kind: DiffRow['kind']): readonly DiffRow[] {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n').map((line) => ({ kind, text: line }));
}
