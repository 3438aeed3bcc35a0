import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { filesBelow, parseSource, type SourceModule, type SourceNode } from '../../scripts/lib/source-module.mjs';
import { SHARED } from '../skills/corpus.ts';
import { OPEN_CASES, SAFETY_CASES } from './safety-cases.ts';

const ID = /\bC-[A-Z]\d+\b/g;
const RUNNERS = new Set(['it', 'test', 'describe']);
/** Modifiers whose tests do not run, or do not have to pass. */
const IDLE = new Set(['skip', 'todo', 'fails']);

/** The names in `it.skipIf(x)`, `describe.each(y)`: `['it', 'skipIf']`. */
function names(node: SourceNode | undefined): readonly string[] {
  switch (node?.type) {
    case 'Identifier':
      return [String(node.name)];
    case 'CallExpression':
    case 'TaggedTemplateExpression':
      return names(node.callee ?? node.tag);
    case 'MemberExpression':
      return [...names(node.object), ...names(node.property)];
    default:
      return [];
  }
}

/** Ids in the titles of tests that run; a title is the first argument. */
function idsIn({ nodes, text }: SourceModule): readonly string[] {
  return nodes.flatMap(({ node }) => {
    if (node.type !== 'CallExpression') return [];
    const [runner = '', ...modifiers] = names(node.callee);
    const [title] = node.arguments ?? [];
    if (!RUNNERS.has(runner) || modifiers.some((name) => IDLE.has(name)) || !['Literal', 'TemplateLiteral'].includes(title?.type ?? '')) return [];
    return text.slice(title?.start, title?.end).match(ID) ?? [];
  });
}

const idsOf = (text: string): readonly string[] => idsIn(parseSource('a.test.ts', text));
const tested = new Set(filesBelow('test', ['.test.ts']).flatMap((file) => idsIn(parseSource(file, fs.readFileSync(file, 'utf8')))));
const ids = SAFETY_CASES.map(({ id }) => id);

describe('the cases of safety', () => {
  it('each have a test that carries their id, or stand in the list of open ones', () => {
    expect(SAFETY_CASES.filter(({ id }) => !tested.has(id) && OPEN_CASES[id] === undefined)).toEqual([]);
  });

  it('are open only as long as they have no test', () => {
    expect(Object.keys(OPEN_CASES).filter((id) => tested.has(id))).toEqual([]);
    expect(Object.keys(OPEN_CASES).filter((id) => !ids.includes(id))).toEqual([]);
  });

  it('are the only ones that titles of these groups name', () => {
    const groups = new Set(ids.map((id) => id.slice(0, 3)));
    expect([...tested].filter((id) => groups.has(id.slice(0, 3)) && !ids.includes(id))).toEqual([]);
    expect(new Set(ids).size).toBe(ids.length);
  });

  const table = path.join(SHARED, 'design', 'safety.md');
  it.skipIf(!fs.existsSync(table))('are all of those that are agreed on (needs the shared design)', () => {
    const groups = new Set(ids.map((id) => id.slice(0, 3)));
    const agreed = [...fs.readFileSync(table, 'utf8').matchAll(/^\| (C-[A-Z]\d+) \|/gm)].map(([, id = '']) => id);
    expect(agreed.length).toBeGreaterThan(50);
    expect(agreed.filter((id) => groups.has(id.slice(0, 3))).toSorted()).toEqual([...ids].toSorted());
  });
});

describe('the id of a case', () => {
  it.each([
    ["it('does it (C-A1)', () => {});", ['C-A1']],
    ["describe.skipIf(x)('a (C-A1, C-A3)', () => {});", ['C-A1', 'C-A3']],
    ["test.each([['C-A3']])('b %s (C-A1)', () => {});", ['C-A1']],
    ['it.skipIf(x)(`with ${y} (C-A1)`, () => {});', ['C-A1']],
    ['describe.each`\n a\n ${1}\n`("c (C-A1)", () => {});', ['C-A1']],
  ])('counts in the title of a test that runs: %s', (text, found) => {
    expect(idsOf(text)).toEqual(found);
  });

  it.each(["it.skip('C-A1', () => {});", "it.todo('C-A1');", "it.fails('C-A1', () => {});", '// C-A1\nit("x", () => {});', "it('x', () => { expect('C-A1').toBe(1); });", "log('C-A1');"])('counts nowhere else: %s', (text) => {
    expect(idsOf(text)).toEqual([]);
  });
});
