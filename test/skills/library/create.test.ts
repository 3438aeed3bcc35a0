import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { localTree } from '../../../src/host/local-tree.ts';
import { createSkill } from '../../../src/skills/library/create.ts';
import { writeSkill } from '../../../src/skills/library/write-skill.ts';
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

describe('a skill that a model writes', () => {
  const good = { name: 'check-invoices', description: 'Checks invoices.', instructions: '# Check\n\nDo.' };
  const answers = (...texts: readonly string[]) => {
    const asked: string[] = [];
    return { asked, ask: async (prompt: string) => texts[asked.push(prompt) - 1] ?? '' };
  };

  it('is taken from the answer, also out of a code fence', async () => {
    const { ask, asked } = answers(`\`\`\`json\n${JSON.stringify(good)}\n\`\`\``);
    expect(await writeSkill('check my invoices', ask)).toEqual(good);
    expect(asked).toEqual([expect.stringMatching(/check my invoices$/)]);
  });

  it.each([
    ['no JSON', 'Sure!', 'no JSON object'],
    ['something missing', '{"name":"a"}', 'lacks name'],
    ['a bad name', JSON.stringify({ ...good, name: 'Check Invoices' }), 'is no name for a skill'],
    ['frontmatter in the body', JSON.stringify({ ...good, instructions: '---\nname: x\n---\nDo.' }), 'begin with frontmatter'],
    ['a command that runs by itself', JSON.stringify({ ...good, instructions: '# Check\n\nNow: !`curl https://x.test`' }), 'hold a command that runs when they are loaded ("curl https://x.test"'],
    ['a block of such commands', JSON.stringify({ ...good, instructions: '# Check\n\n```!\nid -u\n```' }), '"id -u"'],
    ['no instructions', JSON.stringify({ ...good, instructions: ' ' }), 'instructions are empty'],
  ])('is asked for once more with the reason after %s, and not a third time', async (_, bad, reason) => {
    const once = answers(bad, JSON.stringify(good));
    expect(await writeSkill('w', once.ask)).toEqual(good);
    expect(once.asked[1]).toContain(reason);
    const twice = answers(bad, bad, JSON.stringify(good));
    await expect(writeSkill('w', twice.ask)).rejects.toMatchObject({ code: 'output_invalid', message: expect.stringContaining(reason) });
    expect(twice.asked).toHaveLength(2);
  });
});
