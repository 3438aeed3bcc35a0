import { isObject } from '../protocol/json.ts';

/** A Jupyter notebook as its file has it; only what is needed here is known, the rest is kept as it is. */
export interface Notebook {
  readonly document: Record<string, unknown>;
  readonly cells: Record<string, unknown>[];
}

/** Reads a notebook's JSON; one sentence where it is none. */
export function parseNotebook(text: string): Notebook | { readonly problem: string } {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch (error) {
    return { problem: `is no valid notebook: ${error instanceof Error ? error.message : String(error)}` };
  }
  if (!isObject(document) || !Array.isArray(document['cells'])) return { problem: 'is no notebook: its JSON has no list "cells"' };
  const cells = document['cells'].filter(isObject);
  if (cells.length !== document['cells'].length) return { problem: 'is no valid notebook: a cell is no object' };
  return { document, cells };
}

/** The text of a notebook field that may be one text or a list of lines. */
export function sourceText(value: unknown): string {
  if (typeof value === 'string') return value;
  return Array.isArray(value) ? value.filter((line) => typeof line === 'string').join('') : '';
}

/** All cells with id, type, source and outputs. Pictures and other rich output are named, not shown. */
export function renderNotebook(notebook: Notebook): string {
  if (notebook.cells.length === 0) return '(the notebook has no cells)';
  return notebook.cells.map(renderCell).join('\n');
}

function renderCell(cell: Record<string, unknown>, index: number): string {
  const type = typeof cell['cell_type'] === 'string' ? cell['cell_type'] : 'unknown';
  const id = typeof cell['id'] === 'string' ? cell['id'] : String(index);
  const outputs = Array.isArray(cell['outputs']) ? cell['outputs'].filter(isObject).map(renderOutput).join('\n') : '';
  const shown = outputs === '' ? '' : `\n<output>\n${outputs.replace(/\n$/, '')}\n</output>`;
  return `<cell id="${id}" index="${index}" type="${type}">\n${sourceText(cell['source'])}${shown}\n</cell>`;
}

function renderOutput(output: Record<string, unknown>): string {
  if (output['output_type'] === 'stream') return sourceText(output['text']);
  if (output['output_type'] === 'error') {
    const trace = sourceText(Array.isArray(output['traceback']) ? output['traceback'].map((line) => `${String(line)}\n`) : '');
    return withoutColours(trace) || `${String(output['ename'])}: ${String(output['evalue'])}`;
  }
  const data = isObject(output['data']) ? output['data'] : {};
  const text = sourceText(data['text/plain']);
  const others = Object.keys(data).filter((type) => type !== 'text/plain');
  return [text, ...others.map((type) => `[${type} output not shown]`)].filter((line) => line !== '').join('\n');
}

function withoutColours(text: string): string {
  return text.replace(new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, 'g'), '');
}
