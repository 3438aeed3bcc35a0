import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { chineseWords } from '../../../src/skills/search/chinese-words.ts';
import { openLexicon, type Lexicon } from '../../../src/skills/search/lexicon.ts';
import { lexiconHere } from './lexicon-here.ts';

let shipped: Lexicon;
beforeAll(async () => {
  shipped = await lexiconHere();
});
let folder: string;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'skillmint-lexicon-'));
});
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

function lexiconOf(...lines: readonly string[]): Lexicon {
  const file = path.join(folder, 'lexicon.txt');
  fs.writeFileSync(file, lines.map((line) => `${line}\n`).join(''));
  return openLexicon(file);
}

describe('the file', () => {
  test('first, last, middle and unknown keys', () => {
    const lexicon = lexiconOf('# notice', 'a\tb:60', 'ab\tc:50 d:5', 'b\te:10', '文\tf:60', '文档\tg:42');
    expect(lexicon.lookup('a')).toEqual([{ term: 'b', weight: 0.6 }]);
    expect(lexicon.lookup('ab')).toEqual([{ term: 'c', weight: 0.5 }, { term: 'd', weight: 0.05 }]);
    expect(lexicon.lookup('文档')).toEqual([{ term: 'g', weight: 0.42 }]);
    for (const unknown of ['', ' ', 'aa', 'abc', 'z', '文档们', '档', 'a\tb:60']) expect(lexicon.lookup(unknown)).toEqual([]);
    expect(lexicon.hasPrefix('文')).toBe(true);
    expect(lexicon.hasPrefix('文章')).toBe(false);
    expect(lexicon.hasPrefix('zz')).toBe(false);
  });

  test('each key of many is found', () => {
    const keys = Array.from({ length: 1_000 }, (_, i) => `k${i * 7}`).sort();
    const lexicon = lexiconOf(...keys.map((key) => `${key}\tx${key}:60`));
    for (const key of keys) expect(lexicon.lookup(key)[0]?.term).toBe(`x${key}`);
    expect(lexicon.lookup('k1')).toEqual([]);
  });

  test('an empty one knows nothing, a missing one is an error that says what to do', () => {
    fs.writeFileSync(path.join(folder, 'empty'), '');
    expect(openLexicon(path.join(folder, 'empty')).lookup('a')).toEqual([]);
    expect(() => openLexicon(path.join(folder, 'missing'))).toThrow(/missing.*npm run build/);
  });
});

describe('the dictionary that ships', () => {
  test('knows simplified and traditional Chinese, words of computing first, and related English', () => {
    const terms = (key: string): readonly string[] => shipped.lookup(key).map(({ term }) => term);
    expect(terms('数据库')).toContain('databas');
    expect(terms('數據庫')).toContain('databas');
    expect(terms('智能体')[0]).toBe('agent');
    expect(terms('photo')).toContain('imag');
    expect(terms('的的')).toEqual([]);
  });

  test('its notice names source and licence', async () => {
    const { lexiconFile } = await import('../../../scripts/lib/lexicon-file.mjs');
    const [first = ''] = fs.readFileSync(await lexiconFile(path.resolve(import.meta.dirname, '../../..')), 'utf8').split('\n', 1);
    expect(first).toContain('CC-CEDICT');
    expect(first).toContain('CC BY-SA 4.0');
  });

  test('Chinese is cut into the fewest words', () => {
    expect(chineseWords('数据库备份', shipped)).toEqual(['数据库', '备份']);
    expect(chineseWords('机器学习模型', shipped)).toEqual(['机器学习', '模型']);
    expect(chineseWords('龘龘', shipped)).toEqual(['龘', '龘']);
  });
});
