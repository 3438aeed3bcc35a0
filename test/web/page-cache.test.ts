import { expect, it } from 'vitest';
import type { TextPage } from '../../src/web/page.ts';
import { pageCache } from '../../src/web/page-cache.ts';

const page = (text: string): TextPage => ({ kind: 'text', url: 'https://a.example/', mediaType: 'text/plain', text, notes: [] });

it('a page is kept for 15 minutes', () => {
  let now = 0;
  const cache = pageCache(() => now);
  cache.put('https://a.example/', page('one'));
  now = 15 * 60_000 - 1;
  expect(cache.get('https://a.example/')?.text).toBe('one');
  cache.put('https://b.example/', page('two'));
  now += 1;
  expect(cache.get('https://a.example/')).toBeUndefined();
  expect(cache.get('https://b.example/')?.text).toBe('two');
});

it('the oldest go when there is too much, and a page takes the place of its earlier form', () => {
  const cache = pageCache(() => 0);
  for (let i = 0; i < 100; i++) cache.put('https://same.example/', page('x'.repeat(3_000_000)));
  expect(cache.get('https://same.example/')).toBeDefined();
  for (const name of ['a', 'b', 'c']) cache.put(`https://${name}.example/`, page('x'.repeat(2_500_000)));
  expect(['same', 'a', 'b', 'c'].filter((name) => cache.get(`https://${name}.example/`))).toEqual(['a', 'b', 'c']);
});
