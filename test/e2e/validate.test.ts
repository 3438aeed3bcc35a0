import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { makePlace, run, type Place } from './program.ts';

function skill(place: Place, at: string, fields: string, body = 'Do it.\n'): string {
  const folder = path.join(place.project, at);
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(path.join(folder, 'SKILL.md'), `---\n${fields}\n---\n\n${body}`);
  return folder;
}

test('one skill: the finding, its repair, the verdict and the exit code', async () => {
  const place = makePlace();
  const folder = skill(place, 'bad', 'name: bad\ndescription: Use: now');
  const found = await run(place, ['skills', 'validate', 'bad']);
  expect(found).toMatchObject({ code: 6, stderr: '' });
  expect(found.stdout).toBe('error: the value of description holds a colon followed by a space (unquoted-colon)\n  fix: description: "Use: now"\nnot valid\n');
  const fixed = await run(place, ['skills', 'validate', 'bad', '--fix']);
  expect(fixed).toMatchObject({ code: 0, stdout: 'fixed: the value of description holds a colon followed by a space\nok\n' });
  const text = fs.readFileSync(path.join(folder, 'SKILL.md'), 'utf8');
  expect(text).toBe('---\nname: bad\ndescription: "Use: now"\n---\n\nDo it.\n');
  expect(await run(place, ['skills', 'validate', 'bad', '--fix'])).toMatchObject({ code: 0, stdout: 'ok\n' });
  expect(fs.readFileSync(path.join(folder, 'SKILL.md'), 'utf8')).toBe(text);
});

test('JSON keeps its form, with a verdict for each target', async () => {
  const place = makePlace();
  skill(place, 'x', 'name: x\ndescription: d\nmodel: opus');
  const { code, stdout } = await run(place, ['skills', 'validate', 'x/SKILL.md', '--json', '--target', 'all']);
  const report: { ok: boolean; diagnostics: { code: string }[]; targets: Record<string, { ok: boolean }> } = JSON.parse(stdout);
  expect(code).toBe(6);
  expect(report.ok).toBe(false);
  expect(report.diagnostics.map((each) => each.code)).toEqual(['field-not-standard', 'field-refused', 'field-ignored']);
  expect(Object.entries(report.targets).map(([name, { ok }]) => `${name} ${ok}`)).toEqual(['agentskills false', 'claude-code true', 'claude.ai false', 'codex true', 'gemini-cli true']);
  const words = await run(place, ['skills', 'validate', 'x', '--target', 'codex,claude.ai']);
  expect(words.stdout).toBe('error: the field "model" is refused on upload (field-refused) for claude.ai\ninfo: the field "model" is ignored (field-ignored) for codex\nclaude.ai: not valid\ncodex: ok\n');
});

test('a folder of skills, and targets before or behind the path', async () => {
  const place = makePlace();
  skill(place, 'many/one', 'name: one\ndescription: d');
  skill(place, 'many/two', 'name: other\ndescription: d');
  const { code, stdout } = await run(place, ['skills', 'validate', 'many', '--json']);
  const report: { ok: boolean; diagnostics: { code: string; path: string }[]; skills: { path: string; ok: boolean }[] } = JSON.parse(stdout);
  expect(code).toBe(6);
  expect(report.skills.map(({ ok }) => ok)).toEqual([true, false]);
  expect(report.diagnostics).toEqual([expect.objectContaining({ code: 'name-folder', path: path.join(place.project, 'many/two/SKILL.md') })]);
  expect((await run(place, ['skills', 'validate', 'many'])).stdout).toContain('\n1 of 2 skills are valid\n');
  expect((await run(place, ['skills', 'validate', '--target', 'codex', 'many'])).code).toBe(0);
  expect((await run(place, ['skills', 'validate', 'many', '--target', 'codex', 'gemini-cli'])).code).toBe(0);
});

test('wrong calls say what is right', async () => {
  const place = makePlace();
  skill(place, 'x', 'name: x\ndescription: d');
  expect(await run(place, ['skills', 'validate'])).toMatchObject({ code: 2, stderr: expect.stringContaining('Give its folder') });
  expect(await run(place, ['skills', 'validate', 'x', '--target', 'word'])).toMatchObject({ code: 2, stderr: expect.stringContaining('There is no target "word". Targets are agentskills, claude-code') });
  expect(await run(place, ['skills', 'validate', 'none'])).toMatchObject({ code: 5 });
});
