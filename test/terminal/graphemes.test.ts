import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { graphemes } from '../../src/cli/interactive/screen/graphemes.ts';

it('splits texts as Intl.Segmenter does, every pair of characters that it splits without its tables included', () => {
  const theirs = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  const own = graphemes();
  const same = (text: string): void => expect([...own.segment(text)].map(({ segment, index }) => [segment, index])).toEqual([...theirs.segment(text)].map(({ segment, index }) => [segment, index]));
  for (const text of ['', 'plain', '── · ● ✓ … ⎿', 'a\r\nb', 'e\u0301', '中文', '👩‍👩‍👧‍👦 ok', '☑\ufe0f', '1\ufe0f\u20e3', '한국', '\u00ad', 'é\u200dü', '🇩🇪🇫🇷', '\u001b[31mred\u001b[39m']) same(text);
  const alone = Array.from({ length: 0x2c00 }, (_, code) => String.fromCharCode(code)).filter((char) => /^[ -~¡-¬®-˿‐-‧‰-‾←-⯿]$/.test(char));
  expect(alone.length).toBeGreaterThan(3_000);
  const all = alone.join('');
  same(all);
  same(alone.toReversed().join(''));
  same(alone.map((char) => `${char}☝${char}`).join(''));
});

it('the first frame needs neither the runtime nor what a turn takes', () => {
  const chunks = path.resolve('dist/chunks');
  const named = (name: string): string => fs.readdirSync(chunks).find((file) => file.startsWith(`${name}-`)) ?? '';
  /** With all that is loaded at once with it; what is imported later stands in a function. */
  const loaded = (file: string, seen = new Set<string>()): ReadonlySet<string> => {
    if (seen.has(file)) return seen;
    seen.add(file);
    const code = fs.readFileSync(path.join(chunks, file), 'utf8');
    for (const [, other = ''] of code.matchAll(/(?<!=>|return )require\("\.\/([^"]+)"\)/g)) loaded(other, seen);
    return seen;
  };
  const start = [...loaded(named('interactive-command')), ...loaded(named('open-screen'))].map((file) => file.replace(/-[^-]+\.js$/, ''));
  expect(start).toContain('common');
  expect(start).not.toContain('turn');
  expect(start).not.toContain('converse');
});
