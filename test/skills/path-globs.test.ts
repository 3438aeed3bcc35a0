import { describe, expect, it } from 'vitest';
import { asGlobs } from '../../src/skills/read/field-values.ts';
import { matchesPathGlobs, parsePathGlobs } from '../../src/skills/path-globs.ts';
import { readSkillMd } from '../../src/skills/read/read-skill-md.ts';
import { yamlReader } from '../../src/skills/read/yaml-reader.ts';

const matches = (glob: string, file: string): boolean => matchesPathGlobs(parsePathGlobs([glob]), file);

/** CPU time of the work, ms. */
function cpuOf(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

describe('globs of paths', () => {
  it.each([
    ['*.css', 'deep/down/a.css', true],
    ['*.css', 'a.scss', false],
    ['src/*.ts', 'src/a.ts', true],
    ['src/*.ts', 'src/deep/a.ts', false],
    ['src/**/*.ts', 'src/a.ts', true],
    ['src/**/*.ts', 'src/b/c/a.ts', true],
    ['src/**', 'src/b/.hidden', true],
    ['**/*.{ts,tsx}', 'a/b.tsx', true],
    ['*.{ts,tsx}', 'b.js', false],
    ['./docs/?.md', 'docs/a.md', true],
    ['/docs/?.md', 'docs/ab.md', false],
    ['[abc].md', 'b.md', true],
    ['[a-c]x[!0-9].md', 'cx_.md', true],
    ['[^a-c].md', 'b.md', false],
    ['[a-].md', '-.md', true],
    ['[open.md', '[open.md', true],
    ['app/[[]id]/*.ts', 'app/[id]/a.ts', true],
  ])('%s and %s: %s', (glob, file, expected) => {
    expect(matches(glob, file)).toBe(expected);
    expect(parsePathGlobs([glob]).problems).toEqual([]);
  });

  it.each(['*a*a*a*a*a*b', '**/*a*a*a*a*a*a*a*a*b', '{a,a}*{a,a}*{a,a}*{a,a}*{a,a}*{a,a}*b', '[a]*[a]*[a]*[a]*[a]*b', '**/**/**/**/**/**/**/**/b'])('of a stranger take no time: %s', (glob) => {
    const file = `${'a'.repeat(70)}/`.repeat(20) + 'a'.repeat(70);
    expect(cpuOf(() => expect(matches(glob, file)).toBe(false))).toBeLessThan(100);
  });

  it('as long as they may be take no time either', () => {
    const globs = parsePathGlobs(Array.from({ length: 100 }, () => `**/${'*a'.repeat(240)}b`));
    expect(globs.problems).toEqual([expect.stringMatching(/only the first 20 of 100 globs are used/)]);
    expect(cpuOf(() => matchesPathGlobs(globs, `${'a'.repeat(250)}/`.repeat(15) + 'a'))).toBeLessThan(2_000);
  });

  it.each(['a'.repeat(501), '!*.ts', '+(a|b)', 'a\\*', '{a,b', '{a,b,c,d,e}'.repeat(3), '{a}'.repeat(17)])('that are not used are named: %#', (glob) => {
    const text = `---\nname: x\ndescription: Does x.\npaths: [${JSON.stringify(glob)}, "*.md"]\n---\nDo.\n`;
    const read = readSkillMd(Buffer.from(text), { folderName: 'x', yaml: yamlReader });
    expect(read.diagnostics).toMatchObject([{ code: 'paths', severity: 'warning', message: expect.stringContaining('is not used') }]);
    expect(matchesPathGlobs(parsePathGlobs(read.frontmatter.paths ?? []), 'a.md')).toBe(true);
  });

  it('in a text are split at commas and line ends outside of braces, in time that grows with its length', () => {
    expect(asGlobs('src/**/*.{ts,tsx}, docs/*\n*.md')).toEqual(['src/**/*.{ts,tsx}', 'docs/*', '*.md']);
    expect(asGlobs('{a,b')).toEqual(['{a', 'b']);
    expect(cpuOf(() => asGlobs(',a'.repeat(200_000)))).toBeLessThan(1_000);
  });
});
