import { expect, test } from 'vitest';
import { cutEnd, cutStart } from '../../src/util/cut-text.ts';
import { mostSimilar, similarity } from '../../src/util/similar.ts';

test('texts are cut beside characters, not within', () => {
  expect(cutStart('a😀b', 2)).toBe('a');
  expect(cutStart('a😀b', 3)).toBe('a😀');
  expect(cutEnd('a😀b', 2)).toBe('b');
  expect(cutEnd('a😀b', 3)).toBe('😀b');
  expect(cutStart('ab', 9)).toBe('ab');
  expect(cutEnd('ab', 9)).toBe('ab');
});

test('likeness is from 0 to 1, and the best names come first', () => {
  expect(similarity('abc', 'abc')).toBe(1);
  expect(similarity('abc', 'xyz')).toBe(0);
  expect(similarity('', '')).toBe(1);
  expect(mostSimilar('file_pth', ['limit', 'file_path', 'files'], 2)).toEqual(['file_path']);
  expect(mostSimilar('zzz', ['limit', 'offset'], 2)).toEqual([]);
});
