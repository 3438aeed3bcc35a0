import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { localTree } from '../../src/host/local-tree.ts';
import { validateSkill } from '../../src/skills/validate.ts';
import { makePlace, type Place } from './place.ts';

let place: Place;
beforeEach(() => {
  place = makePlace();
});
afterEach(() => place.remove());

const validate = (at: string) => validateSkill(localTree(), at);
const codes = async (at: string): Promise<string[]> => (await validate(at)).diagnostics.map((each) => each.code);

test('a good skill is fine, by its folder and by its file', async () => {
  const folder = place.skill('s/good', { body: 'See [the guide](references/guide.md#top) and run `scripts/go.sh`.\n' });
  place.write('s/good/references/guide.md', 'x');
  place.write('s/good/scripts/go.sh', 'x');
  expect(await validate(folder)).toEqual({ ok: true, diagnostics: [] });
  expect((await validate(path.join(folder, 'SKILL.md'))).ok).toBe(true);
});

test.each([
  ['Upper Case', 'name-pattern'],
  ['a--b', 'name-pattern'],
  ['-a', 'name-pattern'],
  ['x'.repeat(65), 'name-too-long'],
  ['other', 'name-folder'],
])('the name %s: %s', async (name, code) => {
  const result = await validate(place.skill('s/folder', { name }));
  expect(result.ok).toBe(false);
  expect(result.diagnostics.map((each) => each.code)).toContain(code);
});

test('description, compatibility, unknown fields, repairs', async () => {
  expect(await codes(place.skill('s/a', { description: 'x'.repeat(1_025) }))).toContain('description-too-long');
  expect(await codes(place.skill('s/b', { more: `compatibility: ${'x'.repeat(501)}\n` }))).toContain('compatibility-too-long');
  const extra = await validate(place.skill('s/c', { more: 'version: 1.0.0\nmax_iterations: 3\ncustom: 1\nallowed-tools: Read\n' }));
  expect(extra.ok).toBe(true);
  expect(extra.diagnostics.map((each) => each.message.split('"')[1])).toEqual(['custom', 'version', 'max_iterations']);
  expect(extra.diagnostics.every((each) => each.severity === 'info')).toBe(true);
  const broken = await validate(place.skill('s/d', { description: 'Use: now' }));
  expect(broken.ok).toBe(false);
  expect(broken.diagnostics).toContainEqual(expect.objectContaining({ code: 'unquoted-colon', fix: 'description: "Use: now"' }));
  fs.writeFileSync(path.join(place.root, 's/d/SKILL.md'), 'Only text.');
  expect(await codes(path.join(place.root, 's/d'))).toEqual(expect.arrayContaining(['no-frontmatter', 'name-required', 'description-required']));
});

test('body: length, backslashes, files that are not there', async () => {
  expect(await codes(place.skill('s/a', { body: 'word '.repeat(5_000) }))).toContain('body-too-long');
  expect(await codes(place.skill('s/b', { body: 'Run scripts\\go.py now.' }))).toContain('backslash-path');
  const folder = place.skill('s/c', { body: 'See [x](references/no.md), [web](https://a.b/c.md), [up](../other/x.md) and `scripts/none.py`.\n\n```md\n[example](missing.md)\n```\n' });
  const found = (await validate(folder)).diagnostics.map((each) => `${each.code} ${/names (\S+),/.exec(each.message)?.[1] ?? ''}`);
  expect(found).toEqual(['reference-missing references/no.md', 'reference-outside ../other/x.md', 'reference-missing scripts/none.py']);
});

test('file name, unusable files, missing folders', async () => {
  expect(await codes(place.skill('s/a', { file: 'skill.md' }))).toEqual(['file-name']);
  place.write('s/e/SKILL.md', '');
  expect((await validate(path.join(place.root, 's/e'))).ok).toBe(false);
  await expect(validate(path.join(place.root, 'none'))).rejects.toMatchObject({ code: 'not_found' });
  fs.mkdirSync(path.join(place.root, 'plain'));
  await expect(validate(path.join(place.root, 'plain'))).rejects.toMatchObject({ code: 'not_found' });
});

test('the bundled skill is valid', async () => {
  expect(await validate(path.resolve(import.meta.dirname, '../../skills/orders-report'))).toEqual({ ok: true, diagnostics: [] });
});
