import { describe, expect, it } from 'vitest';
import { measure, type Gate } from '../../scripts/lib/gates.mjs';
import { parseFolder, parseSource } from '../../scripts/lib/source-module.mjs';

/** Files as path → text. */
type Files = Readonly<Record<string, string>>;

function gate(name: string, files: Files, others: Files = {}): Gate {
  const parse = (texts: Files): ReturnType<typeof parseSource>[] => Object.entries(texts).map(([file, text]) => parseSource(file, text));
  const found = measure(parse(files), parse(others)).find((one) => one.name.startsWith(name));
  if (found === undefined) throw new Error(`there is no gate ${name}`);
  return found;
}

const places = ({ offenders }: Gate): readonly string[] => offenders.map(({ file, line }) => `${file}:${line}`);

describe('import cycles', () => {
  it('are found over type imports, re-exports and import()', () => {
    const files = {
      'src/util/a.ts': "import type { B } from './b.ts';\nexport type A = B;",
      'src/util/b.ts': "export const load = () => import('./c.ts');",
      'src/util/c.ts': "export type C = import('./a.ts').A;",
      'src/util/d.ts': "import { load } from './b.ts';\nload();",
    };
    const found = gate('import cycles', files);
    expect(found.ok).toBe(false);
    expect(found.offenders.map(({ what }) => what)).toEqual(['import cycle: src/util/a.ts → src/util/b.ts → src/util/c.ts → src/util/a.ts']);
  });

  it('are not found in a diamond', () => {
    const files = { 'src/util/a.ts': "import './b.ts'; import './c.ts';", 'src/util/b.ts': "import './d.ts';", 'src/util/c.ts': "import './d.ts';", 'src/util/d.ts': '' };
    expect(gate('import cycles', files).ok).toBe(true);
  });

  it('are found where a file imports itself', () => {
    expect(gate('import cycles', { 'src/util/a.ts': "import './a.ts';" }).ok).toBe(false);
  });
});

describe('the import matrix', () => {
  it.each([
    ['src/protocol/a.ts', "import fs from 'node:fs';"],
    ['src/util/a.ts', "import path from 'node:path';"],
    ['src/agent/a.ts', "import type { Model } from '../model/retry.ts';"],
    ['src/agent/a.ts', "import { readFile } from 'node:fs/promises';"],
    ['src/permissions/a.ts', "import { fetch } from 'undici';"],
    ['src/evaluate/a.ts', "const fs = await import('node:fs');"],
    ['src/tools/a.ts', "import { spawn } from 'node:child_process';"],
    ['src/tools/a.ts', "import type { Runtime } from '../runtime/runtime.ts';"],
    ['src/tools/a.ts', "import { local } from '../host/local-host.ts';"],
    ['src/model/a.ts', "import { x } from '../hosting/x.ts';"],
    ['src/cli/a.ts', "export { x } from '../store/sqlite.ts';"],
    ['src/newcomer/a.ts', ''],
    ['src/stray.ts', ''],
  ])('refuses in %s: %s', (file, text) => {
    const found = gate('imports against', { [file]: text });
    expect([found.ok, places(found)]).toEqual([false, [`${file}:1`]]);
  });

  it.each([
    ['src/agent/a.ts', "import type { Model } from '../model/model.ts';"],
    ['src/permissions/a.ts', "import picomatch from 'picomatch';"],
    ['src/tools/deep/a.ts', "import type { Host } from '../../host/host.ts';\nimport { b } from '../b.ts';"],
    ['src/host/a.ts', "import fs from 'node:fs/promises';"],
    ['src/cli/a.ts', "import { version } from '../version.ts';"],
    ['src/index.ts', "export { createRuntime } from './runtime/runtime.ts';"],
    ['src/testing/index.ts', "export { memoryHost } from './memory-host.ts';"],
  ])('allows in %s: %s', (file, text) => {
    expect(gate('imports against', { [file]: text }).ok).toBe(true);
  });
});

describe('barrels', () => {
  it('are allowed only at the entries of the package', () => {
    const text = "export * from './b.ts';\nexport { c } from './c.ts';\nexport const d = 1;";
    expect(places(gate('barrels', { 'src/util/index.ts': text }))).toEqual(['src/util/index.ts:1', 'src/util/index.ts:2']);
    expect(gate('barrels', { 'src/index.ts': text }).ok).toBe(true);
  });
});

describe('lengths', () => {
  const filled = (lines: number): string => 'x();\n'.repeat(lines);

  it('of files', () => {
    expect(gate('longest file', { 'src/util/a.ts': filled(400) })).toMatchObject({ ok: true, figure: '400' });
    expect(places(gate('longest file', { 'src/util/a.ts': filled(401) }))).toEqual(['src/util/a.ts:401']);
    const files = { 'src/util/a.ts': filled(10), 'src/util/b.ts': filled(130), 'src/util/c.ts': filled(390) };
    expect(gate('median file', files)).toMatchObject({ ok: false, figure: '130' });
    expect(gate('median file', { ...files, 'src/util/d.ts': filled(100) })).toMatchObject({ ok: true, figure: '115' });
  });

  it('of functions', () => {
    const long = (lines: number): string => `\nconst f = () => {\n${filled(lines - 2)}};\n`;
    const short = 'function s() {}\n'.repeat(150);
    expect(gate('functions over 60', { 'src/util/a.ts': long(60) }).ok).toBe(true);
    expect(places(gate('functions over 60', { 'src/util/a.ts': long(61) }))).toEqual(['src/util/a.ts:2']);
    expect(gate('functions over 60', { 'src/util/a.ts': short + long(61) })).toMatchObject({ ok: true, figure: '1 of 151 (0.66 %)' });
    expect(gate('functions over 100', { 'src/util/a.ts': short + long(100) }).ok).toBe(true);
    expect(places(gate('functions over 100', { 'src/util/a.ts': `class C { method() {\n${filled(100)}} }` }))).toEqual(['src/util/a.ts:1']);
  });
});

describe('what is not allowed in code', () => {
  it.each([
    ['any', 'let a = 1;\nlet b: Map<string, any>;', 2],
    ['empty catch', 'try { x(); } catch {\n  // never mind\n}', 1],
    ['lint or type suppressions', 'let a;\n// @ts-expect-error later\na.b();', 2],
    ['lint or type suppressions', '/* oxlint-disable no-console */', 1],
    ['type assertions without a reason', 'x();\n\nconst a = b as string;', 3],
    ['type assertions without a reason', '// far away\n\nconst a = <string>b;', 3],
    ['console outside', 'const log = console.log;', 1],
    ['documented exports', '/** Yes. */\nexport const a = 1;\n\n/* no */\nexport function b() {}', 5],
    ['documented exports', '/** Not this one. */\nconst other = 1;\nexport class C {}', 3],
    ['documented exports', 'function later() {}\nexport { later };', 1],
    ['documented exports', 'export default function () {}', 1],
  ])('%s: %j', (name, text, line) => {
    const found = gate(name, { 'src/util/a.ts': text });
    expect([found.ok, places(found)]).toEqual([false, [`src/util/a.ts:${line}`]]);
  });

  it.each([
    ['any', "const any = 'any'; // any"],
    ['empty catch', 'try { x(); } catch (error) { report(error); }'],
    ['lint or type suppressions', "const text = 'oxlint-disable @ts-ignore';"],
    ['type assertions without a reason', "import { a as b } from './b.ts';\nconst list = [b] as const; const c = b satisfies string;"],
    ['type assertions without a reason', '// The parser gives no type.\nconst a = b as string;\nconst c = d as string; // neither here'],
    ['documented exports', '/** First. */\nexport function f(a: string): void;\nexport function f(a: number): void;\nexport function f(a: unknown): void {}'],
    ['documented exports', '/** Doc. */\nexport const [a, b] = [1, 2];\nconst inner = 1;'],
  ])('%s leaves alone: %j', (name, text) => {
    expect(gate(name, { 'src/util/a.ts': text })).toMatchObject({ ok: true, offenders: [] });
  });

  it('suppressions in tests count too', () => {
    expect(places(gate('lint or type suppressions', {}, { 'test/a.test.ts': '// @ts-ignore' }))).toEqual(['test/a.test.ts:1']);
  });

  it('console is for the command line', () => {
    expect(gate('console outside', { 'src/cli/a.ts': "console.log('x');" }).ok).toBe(true);
  });

  it('type assertions are rare even where they have reasons', () => {
    const text = '// why\nconst a = b as string;\n';
    expect(gate('type assertions per', { 'src/util/a.ts': text + 'x();\n'.repeat(498) })).toMatchObject({ ok: true, figure: '2.00 (1 in 500 lines)' });
    expect(gate('type assertions per', { 'src/util/a.ts': text })).toMatchObject({ ok: false });
  });
});

describe('the source of this package', () => {
  const gates = measure(parseFolder('src'), [...parseFolder('test'), ...parseFolder('bench')]);

  it.each(gates.map((one) => [one.name, one] as const))('%s', (_, { ok, offenders, figure, limit }) => {
    expect({ ok, offenders, figure, limit }).toEqual({ ok: true, offenders: [], figure, limit });
  });

  it('is what was measured', () => {
    expect(parseFolder('src').length).toBeGreaterThan(50);
  });
});

describe('state of modules', () => {
  it.each(['let seen = 0;', 'export let seen = 0;', 'const seen = new Map<string, number>();', 'export const seen = new WeakSet<object>();'])('is found: %s', (text) => {
    expect(places(gate('state of modules', { 'src/util/a.ts': text }))).toEqual(['src/util/a.ts:1']);
  });

  it.each(['const NAMES: ReadonlySet<string> = new Set();', "const NAMES = new Set(['a']);", 'const LIMIT = 3;', 'export function a(): number { let sum = 0; sum += 1; return sum; }', 'declare let given: string;'])('is not found: %s', (text) => {
    expect(gate('state of modules', { 'src/util/a.ts': text }).ok).toBe(true);
  });
});
