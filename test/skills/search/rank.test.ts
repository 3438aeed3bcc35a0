import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { documentTerms } from '../../../src/skills/search/document-terms.ts';
import { indexText } from '../../../src/skills/search/index-text.ts';
import type { Lexicon } from '../../../src/skills/search/lexicon.ts';
import { queryTerms } from '../../../src/skills/search/query-terms.ts';
import { scoreBoard } from '../../../src/skills/search/score-board.ts';
import { idf, rescore } from '../../../src/skills/search/score.ts';
import { viewOf } from '../index/open.ts';
import { makePlace, type Place } from '../place.ts';
import { lexiconHere } from './lexicon-here.ts';

let lexicon: Lexicon;
beforeAll(async () => {
  lexicon = await lexiconHere();
});

let place: Place;
beforeEach(() => {
  place = makePlace();
});
afterEach(() => place.remove());

const SKILLS = [
  { name: 'pdf-forms', description: 'Fills PDF forms and signs documents.' },
  { name: 'chart-maker', description: 'Draws charts from tables.' },
  { name: 'csv-report', description: 'Turns orders in CSV files into reports. NOT for invoices.' },
  { name: 'invoice-reader', description: 'Reads invoices.' },
  { name: 'translate', description: '把文档翻译成中文和英文' },
  { name: 'sql-query', description: 'Writes and explains database queries.' },
  { name: 'solana', description: 'Wallet operations for Solana.' },
];

describe('words of a skill', () => {
  test('whole numbers from 1 to 255; the name counts most, the head of the body least, the rest of the body not', () => {
    const terms = documentTerms({ name: 'alpha', description: 'beta', tags: ['delta'], whenToUse: 'epsilon', body: `gamma ${'x '.repeat(1_500)} omega` });
    expect([...terms.values()].every((impact) => Number.isInteger(impact) && impact >= 1 && impact <= 255)).toBe(true);
    const [alpha = 0, beta = 0, gamma = 0] = ['alpha', 'beta', 'gamma'].map((term) => terms.get(term));
    expect(alpha).toBeGreaterThan(beta);
    expect(beta).toBeGreaterThan(gamma);
    expect(terms.has('delta') && terms.has('epsilon')).toBe(true);
    expect(terms.has('omega')).toBe(false);
  });

  test('the same for the same text, with or without a memory of stems', () => {
    const text = { name: 'pdf-forms', description: 'Fills forms. Do not use for images.' };
    expect(documentTerms(text, new Map())).toEqual(documentTerms(text));
    expect(documentTerms(text).has('imag')).toBe(false);
  });

  test('tags come from the frontmatter and its metadata', () => {
    const skill = { name: 'a', description: 'b', frontmatter: { whenToUse: 'c', metadata: { keywords: ['d', 4] }, other: { tags: 'e', triggers: ['f'] } } };
    expect(indexText(skill, 'g')).toEqual({ name: 'a', description: 'b', whenToUse: 'c', tags: ['e', 'd', 'f'], body: 'g' });
    expect(indexText({ ...skill, frontmatter: { whenToUse: undefined, metadata: 'x', other: {} } }, '').tags).toEqual([]);
  });
});

describe('terms of a question', () => {
  test('conversation and numbers count less, what is declined far less', () => {
    const weights = new Map(queryTerms('find 2024 invoices without charts').map(({ term, weight }) => [term, weight]));
    const [invoice = 0, find = 0, year = 0, chart = 0] = ['invoic', 'find', '2024', 'chart'].map((term) => weights.get(term));
    expect(invoice).toBe(1);
    expect(find).toBeLessThan(invoice);
    expect(year).toBeLessThan(find);
    expect(chart).toBeLessThan(year);
  });

  test('Chinese gets English terms, less than literal ones, product names stay, everyday words are no terms', () => {
    const weights = new Map(queryTerms('请帮我把Excel表格转换成图表', lexicon).map(({ term, weight }) => [term, weight]));
    expect(weights.get('excel')).toBe(1);
    expect(weights.get('spreadsheet')).toBeGreaterThan(0);
    expect(weights.get('chart')).toBeLessThan(1);
    expect(weights.has('帮我')).toBe(false);
    expect(queryTerms('翻譯這個文檔', lexicon).map(({ term }) => term)).toContain('transl');
  });

  test('related words form a group with the word they stand for, and count less in a long question', () => {
    const short = queryTerms('photo', lexicon);
    const related = short.find(({ term }) => term === 'imag');
    expect(related?.group).toBe(short.find(({ term }) => term === 'photo')?.group);
    const long = queryTerms(`photo ${Array.from({ length: 30 }, (_, i) => `word${i}x`).join(' ')}`, lexicon).find(({ term }) => term === 'imag');
    expect(long?.weight ?? 0).toBeLessThan(related?.weight ?? 0);
  });

  test('a question of any length has a bounded number of terms, found in a bounded time', () => {
    const long = Array.from({ length: 200_000 }, (_, i) => `词${i}word`).join(' ');
    const started = performance.now();
    expect(queryTerms(long, lexicon).length).toBeLessThanOrEqual(96);
    expect(performance.now() - started).toBeLessThan(5_000);
    expect(queryTerms('', lexicon)).toEqual([]);
  });
});

describe('scores', () => {
  test('rare terms tell more, and every term tells something', () => {
    expect(idf(1, 100)).toBeGreaterThan(idf(50, 100));
    expect(idf(100, 100)).toBeGreaterThan(0);
  });

  test('of a group only the best term of a document counts', () => {
    const board = scoreBoard(3);
    board.add({ docs: [0, 1], impacts: [100, 100] }, { group: 0, factor: 1 });
    board.add({ docs: [1, 2], impacts: [150, 50] }, { group: 0, factor: 1 });
    board.add({ docs: [1], impacts: [20] }, { group: 0, factor: 1 });
    board.add({ docs: [1], impacts: [5] }, { group: 1, factor: 2 });
    expect([...board.sums]).toEqual([100, 160, 50]);
  });

  test('words that follow each other decide between equal candidates; all else is kept', () => {
    const candidates = [
      { name: 'a', description: 'control of access to versions', score: 2, id: 1 },
      { name: 'b', description: 'version control', score: 2, id: 2 },
    ];
    expect(rescore('set up version control', candidates).map(({ id }) => id)).toEqual([2, 1]);
    expect(rescore('', candidates).map(({ id }) => id)).toEqual([1, 2]);
    expect(rescore('x', [])).toEqual([]);
  });
});

describe('the order of skills', () => {
  const first = async (text: string): Promise<string | undefined> => {
    for (const { name, description } of SKILLS) place.skill(`home/.claude/skills/${name}`, { description });
    return (await (await viewOf(place, { lexicon: () => lexicon })).rank(text, 5))[0]?.entry.name;
  };

  test.each([
    ['Please fill in this pdf form for me', 'pdf-forms'],
    ['make a report of the orders', 'csv-report'],
    ['read my invoices', 'invoice-reader'],
    ['explain this query of my database', 'sql-query'],
    ['plot a graph', 'chart-maker'],
    ['请翻译这个文档', 'translate'],
    ['画一个图表', 'chart-maker'],
    ['查询数据库', 'sql-query'],
    ['Solana钱包操作', 'solana'],
  ])('%s → %s', async (question, name) => {
    expect(await first(question)).toBe(name);
  });

  test('no word in common: nothing; more candidates than are judged: all of them, in a fixed order', async () => {
    const names = Array.from({ length: 200 }, (_, i) => `skill-${String(i).padStart(3, '0')}`);
    for (const name of names) place.skill(`home/.claude/skills/${name}`, { description: 'Fills forms.' });
    const view = await viewOf(place, { lexicon: () => lexicon });
    expect(await view.rank('zzz qqq', 5)).toEqual([]);
    expect(await view.rank('', 5)).toEqual([]);
    const ranked = await view.rank('fill forms', 120);
    expect(ranked.map(({ entry }) => entry.name)).toEqual(names.slice(0, 120));
    expect(await view.rank('fill forms', 120)).toEqual(ranked);
  });

  test('equal ones come in the order of their names, also when those that come first were indexed last', async () => {
    const names = Array.from({ length: 100 }, (_, i) => `skill-${String(i).padStart(3, '0')}`);
    for (const some of [names.slice(50), names.slice(0, 50)]) {
      for (const name of some) place.skill(`home/.claude/skills/${name}`, { description: 'Fills forms.' });
      await viewOf(place, { lexicon: () => lexicon });
    }
    const view = await viewOf(place, { lexicon: () => lexicon });
    expect((await view.rank('fill forms', 20)).map(({ entry }) => entry.name)).toEqual(names.slice(0, 20));
  });
});
