import { expect, test } from 'vitest';
import { isTooLong, OUTPUT_LIMIT, truncateOutput } from '../../src/tools/truncate-output.ts';

test('up to the limit nothing changes', () => {
  const text = 'x'.repeat(OUTPUT_LIMIT);
  expect(isTooLong(text)).toBe(false);
  expect(truncateOutput({ text })).toBe(text);
});

test('beyond it head and tail stay, with a notice of size and place', () => {
  const text = `begin${'x'.repeat(10_000_000)}end`;
  const cut = truncateOutput({ text, savedAs: '/data/out.txt' });
  expect(isTooLong(text)).toBe(true);
  expect(cut.length).toBeLessThanOrEqual(OUTPUT_LIMIT);
  expect(cut.length).toBeGreaterThan(OUTPUT_LIMIT - 500);
  expect(cut.startsWith('begin')).toBe(true);
  expect(cut.endsWith('end')).toBe(true);
  expect(cut).toMatch(/\[\.\.\. \d+ of 10000008 characters left out here; the whole output is in \/data\/out\.txt: read it there in parts \.\.\.\]/);
  expect(truncateOutput({ text })).toContain('the rest was not kept');
});

test('no character is split', () => {
  for (let shift = 0; shift < 4; shift++) {
    const cut = truncateOutput({ text: 'a'.repeat(shift) + '😀'.repeat(40_000) + 'b'.repeat(shift) });
    expect(cut).not.toMatch(/\p{Surrogate}/u);
    expect(cut.length).toBeLessThanOrEqual(OUTPUT_LIMIT);
  }
});
