import { describe, expect, test } from 'vitest';
import { stem } from '../../../src/skills/search/stem.ts';
import { withoutDeclined } from '../../../src/skills/search/declined-parts.ts';
import { withoutExclusions } from '../../../src/skills/search/without-exclusions.ts';
import { termsOf } from '../../../src/skills/search/words.ts';

describe('words of a text', () => {
  test('case, width, camelCase, hyphens, underscores and everyday words', () => {
    expect(termsOf('Please use the weeklyReport-of ＰＤＦ_files!')).toEqual(['week', 'report', 'pdf', 'fil']);
    expect(termsOf('fillPdfForms')).toEqual(termsOf('fill pdf forms'));
    expect(termsOf('fill-pdf_forms')).toEqual(termsOf('Fill PDF Forms'));
    expect(termsOf('the of and is')).toEqual([]);
  });

  test('Chinese as characters and pairs; product names inside it stay whole', () => {
    expect(termsOf('翻译文')).toEqual(['翻', '译', '文', '翻译', '译文']);
    expect(termsOf('用Solana钱包')).toEqual(['用', 'solana', '钱', '包', '钱包']);
    expect(termsOf('AI代理')).toContain('ai');
    expect(termsOf('メール')).toContain('メー');
  });

  test('a memory of stems changes nothing', () => {
    const stems = new Map<string, string>();
    const text = 'Converting converted conversions of spreadsheets';
    expect(termsOf(text, stems)).toEqual(termsOf(text));
    expect(termsOf(text, stems)).toEqual(termsOf(text));
  });

  test.each([
    ['translate translates translated translating translation translator'],
    ['movie movies'],
    ['query queries querying'],
    ['reserve reserved reservation'],
    ['summarize summarise summarizer summarization'],
    ['run runs running'],
    ['file files'],
    ['analyze analysis analyzer analysing'],
    ['deploy deploys deployed deployment'],
    ['available availability'],
  ])('one word: %s', (words) => {
    expect(new Set(words.split(' ').map(stem)).size).toBe(1);
  });

  test.each([['general generate'], ['custom customer'], ['form format'], ['sing string'], ['status state'], ['cook cookie']])('different words: %s', (words) => {
    expect(new Set(words.split(' ').map(stem)).size).toBe(2);
  });
});

describe('what a text excludes', () => {
  test('a description without what the skill is not for', () => {
    expect(withoutExclusions('Fills PDF forms. NOT for scanned files (see ocr.md for those). Use it for tax forms.').replace(/ +/g, ' ')).toBe('Fills PDF forms. Use it for tax forms.');
    expect(withoutExclusions("Draws charts; don't use for maps.")).not.toContain('maps');
    expect(withoutExclusions('A notable tool. Not only charts.')).toBe('A notable tool. Not only charts.');
  });

  test('a question without what it declines', () => {
    expect(withoutDeclined("Draw it as a table, I don't need a chart, with numbers")).toBe('Draw it as a table, I  , with numbers');
    expect(withoutDeclined('sync files without a database')).not.toContain('database');
    expect(withoutDeclined('it does not work')).toBe('it does not work');
  });

  test('long texts of such words are read in no time', () => {
    const started = performance.now();
    withoutExclusions('not for a.'.repeat(20_000));
    withoutDeclined('without '.repeat(20_000));
    expect(performance.now() - started).toBeLessThan(2_000);
  });
});

describe('plain texts are split as others are', () => {
  test.each(['Draws “charts” — fast… → now 🎯 v2Beta', "it's A/B-tested, isn't it? (x1y2Z3)", 'snake_case HTTPServer 3D'])('%s', (text) => {
    // A letter of another script sends the text the long way round.
    expect(termsOf(`${text} é`).filter((term) => term !== 'é')).toEqual(termsOf(text));
  });

  test('figures and letters in circles, small ones and wide ones are folded', () => {
    expect(termsOf('ｘ² ① Ⓐ ❶')).toEqual(['x2', '1', '❶'].flatMap((piece) => termsOf(piece)));
  });
});
