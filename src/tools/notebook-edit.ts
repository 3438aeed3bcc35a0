import type { JsonObject } from '../protocol/json.ts';
import { failed } from '../protocol/tool.ts';
import type { ToolOutcome } from '../protocol/tool.ts';
import { applyChange } from './change.ts';
import type { Tool, ToolContext } from './define.ts';
import { missing, pathNeed, withTarget } from './file-access.ts';
import type { Target } from './file-access.ts';
import type { FileLedger } from './file-ledger.ts';
import { optionalText, textArgument } from './input.ts';
import { parseNotebook } from './notebook.ts';
import type { Notebook } from './notebook.ts';
import description from './notebook-edit.md';
import { loadText } from './text-file.ts';
import { refuseChange } from './write.ts';

/** Changes cells of notebooks. */
export function notebookEditTool(ledger: FileLedger): Tool {
  return {
    spec: {
      name: 'NotebookEdit',
      description,
      input_schema: {
        type: 'object',
        properties: {
          notebook_path: { type: 'string' },
          cell_id: { type: 'string', description: 'id or index from 0' },
          new_source: { type: 'string' },
          cell_type: { enum: ['code', 'markdown'] },
          edit_mode: { enum: ['replace', 'insert', 'delete'] },
        },
        required: ['notebook_path'],
      },
    },
    readOnly: false,
    deferred: true,
    argumentAliases: { path: 'notebook_path', file_path: 'notebook_path', cell_number: 'cell_id', cell_index: 'cell_id', source: 'new_source' },
    needs: (input, { cwd }) => pathNeed('edit', textArgument(input, 'notebook_path'), cwd),
    run: (input, context) =>
      withTarget({ given: textArgument(input, 'notebook_path'), context, ledger }, (target) => editNotebook({ input, context, ledger, target })),
  };
}

async function editNotebook(edit: {
  readonly input: JsonObject;
  readonly context: ToolContext;
  readonly ledger: FileLedger;
  readonly target: Target;
}): Promise<ToolOutcome> {
  const { input, context, ledger, target } = edit;
  if (target.stat === undefined) return missing(target, context.host.files);
  const refusal = refuseChange({ context, ledger, target });
  if (refusal !== undefined) return refusal;
  const file = await loadText(target.file, target.stat.size);
  if ('problem' in file) return failed(`${target.shown} ${file.problem}.`);
  const notebook = parseNotebook(file.text);
  if ('problem' in notebook) return failed(`${target.shown} ${notebook.problem}.`);
  const changed = changeCells(notebook, input);
  if ('problem' in changed) return failed(`${target.shown}: ${changed.problem}.`);
  const indent = /^\{\s*?\n( +|\t)/.exec(file.text)?.[1] ?? (file.text.includes('\n') ? ' ' : '');
  const end = file.text.endsWith('\n') ? '\n' : '';
  const after = JSON.stringify({ ...notebook.document, cells: changed.cells }, null, indent) + end;
  return applyChange({ context, ledger, target, before: file.text, after, data: file.bom + after, say: () => `${changed.what} in ${target.shown}.` });
}

type Cells = Notebook['cells'];

function changeCells(notebook: Notebook, input: JsonObject): { readonly cells: Cells; readonly what: string } | { readonly problem: string } {
  const { cells } = notebook;
  const mode = optionalText(input, 'edit_mode') ?? 'replace';
  const id = optionalText(input, 'cell_id');
  const index = id === undefined ? undefined : findCell(cells, id);
  if (index === -1) return { problem: `there is no cell ${id ?? ''}; it has ${cells.length} cells${listIds(cells)}` };
  const source = optionalText(input, 'new_source');
  if (mode !== 'delete' && source === undefined) return { problem: 'new_source is missing' };
  if (mode === 'insert') {
    const type = optionalText(input, 'cell_type');
    if (type === undefined) return { problem: 'cell_type is missing: a new cell needs code or markdown' };
    const at = index === undefined ? 0 : index + 1;
    return { cells: cells.toSpliced(at, 0, newCell(notebook, type, source ?? '')), what: `Inserted a ${type} cell at index ${at}` };
  }
  const old = index === undefined ? undefined : cells[index];
  if (index === undefined || old === undefined) return { problem: 'cell_id is missing: give the id or index of the cell' };
  if (mode === 'delete') return { cells: cells.toSpliced(index, 1), what: `Deleted cell ${index}` };
  return { cells: cells.with(index, replaceSource(old, source ?? '', optionalText(input, 'cell_type'))), what: `Replaced cell ${index}` };
}

/** An id comes before an index, as ids may be numbers. -1 when there is no such cell. */
function findCell(cells: Cells, id: string): number {
  const byId = cells.findIndex((cell) => cell['id'] === id);
  if (byId >= 0) return byId;
  const number = /^(?:cell-)?(\d+)$/.exec(id)?.[1];
  return number !== undefined && Number(number) < cells.length ? Number(number) : -1;
}

function listIds(cells: Cells): string {
  const ids = cells.map((cell) => cell['id']).filter((id) => typeof id === 'string');
  return ids.length === 0 ? '' : ` (${ids.slice(0, 20).join(', ')}${ids.length > 20 ? ', ...' : ''})`;
}

/** Old outputs do not belong to new code. */
function replaceSource(cell: Record<string, unknown>, source: string, type: string | undefined): Record<string, unknown> {
  const kind = type ?? cell['cell_type'];
  const { outputs: _outputs, execution_count: _count, ...rest } = cell;
  const base = { ...rest, cell_type: kind, source: linesOf(source) };
  return kind === 'code' ? { ...base, execution_count: null, outputs: [] } : base;
}

function newCell(notebook: Notebook, type: string, source: string): Record<string, unknown> {
  const base = { cell_type: type, ...freshId(notebook), metadata: {}, source: linesOf(source) };
  return type === 'code' ? { ...base, execution_count: null, outputs: [] } : base;
}

/** Cells have ids since format 4.5; they are unique within the notebook. */
function freshId({ document, cells }: Notebook): { readonly id?: string } {
  const hasIds = Number(document['nbformat']) > 4 || (Number(document['nbformat']) === 4 && Number(document['nbformat_minor']) >= 5);
  if (!hasIds) return {};
  const used = new Set(cells.map((cell) => cell['id']));
  let number = cells.length;
  while (used.has(`cell-${number}`)) number++;
  return { id: `cell-${number}` };
}

/** Notebooks keep a source as lines, each with its line end but the last. */
function linesOf(source: string): readonly string[] {
  return source === '' ? [] : source.split(/(?<=\n)/);
}
