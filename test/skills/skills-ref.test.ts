import fs from 'node:fs';
import path from 'node:path';
import { validate as validateByReference } from 'skills-ref';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { localTree } from '../../src/host/local-tree.ts';
import { validateSkill } from '../../src/skills/validate/validate-skill.ts';
import { corpusRows, fileText, hasCorpus } from './corpus.ts';
import { makePlace, type Place } from './place.ts';

let place: Place;
beforeAll(() => {
  place = makePlace();
});
afterAll(() => place.remove());

let count = 0;
/** Both verdicts on a file; `why` names what each has against it. */
async function compare(text: string | Buffer, folderName: string, fileName = 'SKILL.md'): Promise<{ ours: boolean; reference: boolean; why: string }> {
  const folder = path.join(place.root, 'ref', String((count += 1)), folderName);
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(path.join(folder, fileName), text);
  const [errors, { ok, diagnostics }] = await Promise.all([validateByReference(folder), validateSkill(localTree(), { folder, file: path.join(folder, fileName) })]);
  fs.rmSync(folder, { recursive: true });
  return { ours: ok, reference: errors.length === 0, why: `${diagnostics.filter(({ severity }) => severity === 'error').map(({ code }) => code).join(' ')} | ${errors.join(' ').slice(0, 200)}` };
}

const file = (fields: string, body = 'Do it.\n'): string => `---\n${fields}\n---\n\n${body}`;
const good = 'name: x\ndescription: d';

describe('the verdict for the open standard is that of the npm package skills-ref', () => {
  test.each<[string, string, boolean]>([
    ['plain', file(good), true],
    ['CRLF', file(good).replaceAll('\n', '\r\n'), true],
    ['a byte order mark', `\ufeff${file(good)}`, false],
    ['a blank line first', `\n${file(good)}`, false],
    ['no closing line', `---\n${good}\n\nDo it.\n`, false],
    ['no fields', 'Do it.\n', false],
    ['an unquoted colon', file('name: x\ndescription: Use: now'), false],
    ['a field of Claude Code', file(`${good}\nmodel: opus`), false],
    ['an unknown field', file(`${good}\nversion: 1`), false],
    ['capitals', file('name: X\ndescription: d'), false],
    ['an underscore', file('name: x_y\ndescription: d'), false],
    ['a dot', file('name: x.y\ndescription: d'), false],
    ['a hyphen at the end', file('name: x-\ndescription: d'), false],
    ['two hyphens', file('name: x--y\ndescription: d'), false],
    ['another name', file('name: y\ndescription: d'), false],
    ['no name', file('description: d'), false],
    ['no description', file('name: x'), false],
    ['a description of spaces', file('name: x\ndescription: "  "'), false],
    ['a description of 1,024', file(`name: x\ndescription: ${'d'.repeat(1_024)}`), true],
    ['a description of 1,025', file(`name: x\ndescription: ${'d'.repeat(1_025)}`), false],
    ['compatibility of 501', file(`${good}\ncompatibility: ${'c'.repeat(501)}`), false],
    ['empty compatibility', file(`${good}\ncompatibility: ''`), true],
    ['metadata as text', file(`${good}\nmetadata: a`), true],
    ['nested metadata', file(`${good}\nmetadata:\n  a:\n    b: c`), true],
    ['a list of tools', file(`${good}\nallowed-tools: [Read, Write]`), true],
    ['tools as text', file(`${good}\nallowed-tools: Bash(git:*) Read`), true],
    ['tabs', file(`${good}\nmetadata:\n\ta: b`), false],
    ['comments', file(`# c\n${good}`), true],
    ['folded text', file('name: x\ndescription: >\n  a\n  b'), true],
    ['no body', file(good, ''), true],
    ['a key twice', file(`${good}\ndescription: e`), false],
    ['an alias that is none', file('name: x\ndescription: **bold** text'), false],
    ['markup', file('name: x\ndescription: use <b>'), true],
  ])('%s', async (_, text, expected) => {
    expect(await compare(text, 'x')).toMatchObject({ ours: expected, reference: expected });
  });

  test('numbers, letters of other scripts, skill.md', async () => {
    expect(await compare(file('name: 3000\ndescription: d'), '3000')).toMatchObject({ ours: true, reference: true });
    expect(await compare(file('name: 数据\ndescription: d'), '数据')).toMatchObject({ ours: true, reference: true });
    expect(await compare(file(good), 'x', 'skill.md')).toMatchObject({ ours: true, reference: true });
    expect(await compare(file(good), 'x', 'Skill.md')).toMatchObject({ ours: false, reference: false });
  });

  test('where it is known to be wrong: three hyphens inside a value end the fields for it', async () => {
    expect(await compare(file('name: x\ndescription: a --- b\nlicense: MIT'), 'x')).toMatchObject({ ours: true, reference: true });
    expect(await compare(file('name: x\ndescription: "a --- b"'), 'x')).toMatchObject({ ours: true, reference: false });
  });
});

describe.skipIf(!hasCorpus)('real files (needs ../shared/corpus)', () => {
  /** Its YAML reader takes quoted text whose further lines are not indented, which YAML does not allow. */
  const LENIENT = /^(?:bad-indent)+ \| $/;

  test('both agree but for known differences', async () => {
    const rows = corpusRows().filter((each) => each.full).filter((_, i) => i % 5 === 0);
    const differences: string[] = [];
    let same = 0;
    for (const row of rows) {
      const { ours, reference, why } = await compare(fileText(row), row.path.split('/').at(-2) ?? 'skill');
      if (ours === reference) same += 1;
      else if (ours || !LENIENT.test(why)) differences.push(`${row.id}: ours ${ours}, reference ${reference}: ${why}`);
    }
    console.log(`verdicts for the open standard: ${same} of ${rows.length} the same as skills-ref`);
    expect(differences).toEqual([]);
    expect(same / rows.length).toBeGreaterThan(0.99);
  }, 180_000);
});
