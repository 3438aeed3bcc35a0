import { expect, test } from 'vitest';
import { readSkillMd } from '../../src/skills/read/read-skill-md.ts';
import { yamlReader } from '../../src/skills/read/yaml-reader.ts';
import { repairSkillMd } from '../../src/skills/validate/repair-file.ts';
import { processorTime } from '../helpers/processor-time.ts';

const laughs = ['a0: &a0 [x, x, x, x, x, x, x, x, x]', ...Array.from({ length: 9 }, (_, i) => `a${i + 1}: &a${i + 1} [${Array.from({ length: 9 }, () => `*a${i}`).join(', ')}]`)].join('\n');
const file = (fields: string): string => `---\nname: bomb\ndescription: Looks harmless.\n${fields}\n---\nBody\n`;

const BOMBS: [string, string][] = [
  ['nested aliases', file(laughs)],
  ['brackets 20,000 deep', file(`x: ${'['.repeat(20_000)}${']'.repeat(20_000)}`)],
  ['braces 20,000 deep', file(`x: ${'{a: '.repeat(20_000)}${'}'.repeat(20_000)}`)],
  ['JSON 20,000 deep', file(`x: ${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`)],
  ['list signs 20,000 deep', file(`x:\n  ${'- '.repeat(20_000)}a`)],
  ['key signs 20,000 deep', file(`x:\n  ${'? '.repeat(20_000)}a`)],
  ['indented maps 600 deep', file(Array.from({ length: 600 }, (_, i) => `${' '.repeat(i)}k${i}:`).join('\n'))],
  ['40,000 keys', file(Array.from({ length: 40_000 }, (_, i) => `k${i}: "${i}": x`).join('\n'))],
  ['20,000 keys in one flow map', file(`x: {${Array.from({ length: 20_000 }, (_, i) => `k${i}`).join(',')}}`)],
  ['unclosed quotes', file(`x: ${'"a '.repeat(30_001)}`)],
  ['half a megabyte of one line', file(`x: ${'a: '.repeat(170_000)}`)],
  ['many delimiters', `${'---\n'.repeat(200_000)}`],
  ['10 MB', file(`x: ${'y'.repeat(10 * 1024 * 1024)}`)],
  ['stars and colons', file(`x: ${'*a:'.repeat(100_000)}`)],
  ['headings before nothing', `${'# a\n'.repeat(200_000)}`],
  ['comments that never end', `${'<!-- '.repeat(150_000)}`],
];

test.each(BOMBS)('%s ends within a second, with an error, in bounded memory (C-M1)', async (_, text) => {
  const bytes = Buffer.from(text);
  const before = process.memoryUsage().rss;
  const { result: document, ms } = await processorTime(1_000, () => readSkillMd(bytes, { folderName: 'bomb', yaml: yamlReader }));
  expect(ms).toBeLessThan(1_000);
  expect(process.memoryUsage().rss - before).toBeLessThan(100 * 1024 * 1024);
  expect(document.name).toBe('bomb');
  expect(document.status === 'loaded' || (document.reason ?? '').length > 0).toBe(true);
});

test('a bomb among the fields is named, and name and description are still shown', () => {
  for (const [fields, code] of [[laughs, 'yaml-aliases'], [`x: ${'['.repeat(20_000)}`, 'yaml-too-deep'], [`x: ${'y'.repeat(200_000)}: z`, 'yaml-too-large']] as const) {
    const document = readSkillMd(Buffer.from(file(fields)), { folderName: 'bomb', yaml: yamlReader });
    expect(document).toMatchObject({ name: 'bomb', description: 'Looks harmless.', status: 'repaired' });
    expect(document.diagnostics.map((each) => each.code)).toContain(code);
  }
});

test('a file above the limit is rejected without being read', () => {
  expect(readSkillMd(Buffer.alloc(1024 * 1024 + 1, 'a'), { folderName: 'big', yaml: yamlReader })).toMatchObject({ status: 'rejected', name: 'big' });
});

test.each(BOMBS)('%s is not repaired into something else', async (_, text) => {
  const { result: repair, ms } = await processorTime(4_000, () => repairSkillMd(Buffer.from(text), { folderName: 'bomb' }));
  // Reads the file up to four times; each reading has its own limit above.
  expect(ms).toBeLessThan(4_000);
  if (repair.kind === 'repaired') expect(repairSkillMd(repair.bytes, { folderName: 'bomb' })).toEqual({ kind: 'unchanged' });
}, 60_000);
