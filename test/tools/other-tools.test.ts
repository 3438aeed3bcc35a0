import { expect, test } from 'vitest';
import { builtinTools, toolResolver } from '../../src/tools/tool-set.ts';
import { createInputValidator } from '../../src/tools/validate-input.ts';
import { makeBench } from './context.ts';

const NOTEBOOK = {
  cells: [
    { cell_type: 'markdown', id: 'intro', metadata: {}, source: ['# Hi'] },
    { cell_type: 'code', id: 'calc', metadata: { tags: ['x'] }, execution_count: 3, outputs: [{ output_type: 'stream', text: '1' }], source: ['1\n', '2'] },
  ],
  metadata: { kernelspec: { name: 'python3' } },
  nbformat: 4,
  nbformat_minor: 5,
};

test('cells are replaced, inserted and deleted, and the rest stays byte for byte', async () => {
  const bench = makeBench();
  bench.write('n.ipynb', `${JSON.stringify(NOTEBOOK, null, 1)}\n`);
  expect((await bench.call('NotebookEdit', { notebook_path: 'n.ipynb', cell_id: 'calc', new_source: 'x' })).text).toContain('has not been read');
  await bench.call('Read', { file_path: 'n.ipynb' });
  expect((await bench.call('NotebookEdit', { notebook_path: 'n.ipynb', cell_id: 'calc', new_source: 'a\nb' })).text).toBe('Replaced cell 1 in n.ipynb.');
  expect((await bench.call('NotebookEdit', { path: 'n.ipynb', cell_number: 0, edit_mode: 'insert', cell_type: 'code', new_source: 'new' })).text).toBe('Inserted a code cell at index 1 in n.ipynb.');
  expect((await bench.call('NotebookEdit', { notebook_path: 'n.ipynb', cell_id: 'intro', edit_mode: 'delete' })).text).toBe('Deleted cell 0 in n.ipynb.');
  const expected = {
    ...NOTEBOOK,
    cells: [
      { cell_type: 'code', id: 'cell-2', metadata: {}, source: ['new'], execution_count: null, outputs: [] },
      { cell_type: 'code', id: 'calc', metadata: { tags: ['x'] }, source: ['a\n', 'b'], execution_count: null, outputs: [] },
    ],
  };
  expect(JSON.parse(bench.read('n.ipynb'))).toEqual(expected);
  expect(bench.read('n.ipynb')).toMatch(/^\{\n "cells": \[[^]*\n\}\n$/);
});

test('a notebook edit that cannot be done says why', async () => {
  const bench = makeBench();
  bench.write('n.ipynb', JSON.stringify(NOTEBOOK));
  bench.write('no.ipynb', '{"a":1}');
  for (const name of ['n.ipynb', 'no.ipynb']) await bench.call('Read', { file_path: name });
  const edit = async (input: Record<string, string>): Promise<string> => (await bench.call('NotebookEdit', { notebook_path: 'n.ipynb', ...input })).text;
  expect(await edit({ cell_id: '7', new_source: 'x' })).toBe('n.ipynb: there is no cell 7; it has 2 cells (intro, calc).');
  expect(await edit({ new_source: 'x' })).toContain('cell_id is missing');
  expect(await edit({ cell_id: '0' })).toContain('new_source is missing');
  expect(await edit({ edit_mode: 'insert', new_source: 'x' })).toContain('cell_type is missing');
  expect(await edit({ notebook_path: 'no.ipynb', cell_id: '0', new_source: 'x' })).toContain('no list "cells"');
});

test('a todo list is replaced, in all the forms that models know', async () => {
  const bench = makeBench();
  const first = await bench.call('TodoWrite', { todos: [{ subject: 'one', status: 'completed' }, { id: 'b', content: 'two', status: 'in_progress', activeForm: 'Doing two' }] });
  const todos = [{ id: '1', subject: 'one', status: 'completed' }, { id: 'b', subject: 'two', status: 'in_progress' }];
  expect(first.events).toEqual([{ type: 'todos.updated', todos }]);
  expect(first.text).toBe('[x] 1. one\n[>] b. two');
  expect((await bench.call('update_plan', { plan: [{ step: 'a', status: 'pending' }], explanation: 'why' })).text).toBe('[ ] 1. a');
  expect((await bench.call('TodoWrite', { todos: [{ id: 'x', subject: 'a', status: 'pending' }, { id: 'x', subject: 'b', status: 'pending' }] })).text).toContain('Two items have the id x');
});

test('the other form of todo works on single items', async () => {
  const bench = makeBench({ todos: [{ id: '1', subject: 'one', status: 'pending' }] });
  const todo = (input: Record<string, string>): ReturnType<typeof bench.call> => bench.call('todo', input);
  expect((await todo({ action: 'create', subject: 'two', description: 'more' })).events).toEqual([
    { type: 'todos.updated', todos: [{ id: '1', subject: 'one', status: 'pending' }, { id: '2', subject: 'two', description: 'more', status: 'pending' }] },
  ]);
  expect((await todo({ action: 'update', id: '1', status: 'completed' })).events).toEqual([{ type: 'todos.updated', todos: [{ id: '1', subject: 'one', status: 'completed' }] }]);
  expect((await todo({ action: 'delete', id: '1' })).events).toEqual([{ type: 'todos.updated', todos: [] }]);
  expect(await todo({ action: 'list' })).toMatchObject({ text: '[ ] 1. one' });
  expect((await todo({ action: 'list' })).events).toBeUndefined();
  expect((await todo({ action: 'update', id: '9' })).status).toBe('error');
  expect((await todo({ action: 'create' })).status).toBe('error');
});

test('questions in all their forms', () => {
  const tool = toolResolver(builtinTools({ platform: 'linux' }))('ask_user');
  const validate = createInputValidator();
  const ask = (input: Parameters<typeof validate>[1]): unknown => {
    if (tool === undefined) throw new Error('no tool');
    const checked = validate(tool, input);
    return 'input' in checked ? tool.question?.(checked.input) : checked;
  };
  expect(ask({ question: 'Which?', options: ['a', 'b'] })).toEqual({ question: 'Which?', options: ['a', 'b'] });
  expect(ask({ question: 'Why?' })).toEqual({ question: 'Why?' });
  expect(ask({ questions: [{ question: 'Which?', header: 'H', multiSelect: false, options: [{ label: 'a', description: 'first' }, { label: 'b' }] }] })).toEqual({
    question: 'Which?', options: ['a: first', 'b'], questions: [{ question: 'Which?', header: 'H', options: [{ label: 'a', description: 'first' }, { label: 'b' }] }],
  });
  expect(ask({ questions: [{ question: 'A?', multiSelect: true, options: ['x', 'y'] }, 'B?'] })).toEqual({
    question: '1. A? (x / y)\n2. B?', questions: [{ question: 'A?', options: [{ label: 'x' }, { label: 'y' }], multi_select: true }, { question: 'B?' }],
  });
  expect(ask({ questions: [{ question: 7 }] })).toEqual({ problem: expect.stringContaining('"questions') });
  expect(ask({ questions: [] })).toEqual({ problem: expect.stringContaining('"questions" must be a list with at least 1 items') });
  expect(ask({})).toEqual({ problem: 'AskUserQuestion needs the argument "question" (a string).' });
});

test('Skill hands name and arguments on', async () => {
  expect((await makeBench().call('Skill', { name: 'pdf', args: 'x' })).text).toBe('skill pdf x');
});
