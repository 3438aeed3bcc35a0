import { expect, it } from 'vitest';
import { diffLines } from '../../src/cli/run/plain-progress.ts';

const mark = (name: string) => (text: string): string => `${name}(${text})`;
const PAINT = { dim: mark('dim'), bold: mark('bold'), red: mark('red'), green: mark('green'), yellow: mark('yellow'), cyan: mark('cyan') };

it('shows every changed line of a diff, also one that looks like its head, and is cut after a screen', () => {
  expect(diffLines('--- a.sql\n+++ a.sql\n@@ -1,2 +1,2 @@\n same\n--- a comment\n+++ more\n', PAINT).split('\n')).toEqual(['    dim(@@ -1,2 +1,2 @@)', '    dim( same)', '    red(--- a comment)', '    green(+++ more)']);
  const long = diffLines(`--- a\n+++ a\n@@ -0,0 +1,60 @@\n${'+x\n'.repeat(60)}`, PAINT).split('\n');
  expect(long.at(-1)).toBe('dim(    … 21 more lines)');
});
