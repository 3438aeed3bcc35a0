import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { localTree } from '../../../src/host/local-tree.ts';
import { createSkill } from '../../../src/skills/library/create.ts';
import { validateSkill } from '../../../src/skills/validate/validate-skill.ts';
import { testLibrary } from './library.ts';

describe('a skill from the template', () => {
  it.each(['Makes reports. Use for monthly figures.', 'A: "b" # c', '月度报告'])('is valid by the open standard: %s', async (description) => {
    const lib = testLibrary();
    const made = await createSkill(localTree(), lib.library, { name: 'monthly-report', description });
    expect(made).toMatchObject({ id: 'user:monthly-report', folder: path.join(lib.skills, 'monthly-report') });
    expect(lib.contents()).toEqual(['monthly-report', 'monthly-report/SKILL.md']);
    expect(await validateSkill(localTree(), { folder: made.folder, file: path.join(made.folder, 'SKILL.md') })).toMatchObject({ ok: true });
    await expect(createSkill(localTree(), lib.library, { name: 'monthly-report', description: 'x' })).rejects.toMatchObject({ code: 'skill_exists' });
  });

  it('takes instructions as they are', async () => {
    const lib = testLibrary();
    const { folder } = await createSkill(localTree(), lib.library, { name: 'a', description: 'x', instructions: '# A\n\n---\n\nname: b\n' });
    expect(fs.readFileSync(path.join(folder, 'SKILL.md'), 'utf8')).toBe('---\nname: a\ndescription: x\n---\n\n# A\n\n---\n\nname: b\n');
  });

  it.each([['Upper', 'x'], ['../x', 'x'], ['a--b', 'x'], ['a'.repeat(65), 'x'], ['', 'x'], ['ok', ''], ['ok', ' x'], ['ok', 'x'.repeat(1_025)], ['ok', 'a\u0007']])('what the standard would refuse is not made: %j, %j', async (name, description) => {
    const lib = testLibrary();
    await expect(createSkill(localTree(), lib.library, { name, description })).rejects.toMatchObject({ code: 'usage' });
    expect(fs.readdirSync(lib.root)).toEqual([]);
  });
});
