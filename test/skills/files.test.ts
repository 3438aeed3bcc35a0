import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { localTree } from '../../src/host/local-tree.ts';
import { digestSkill } from '../../src/skills/digest.ts';
import { listSkillFiles, readSkillFile } from '../../src/skills/files.ts';
import { makePlace, type Place } from './place.ts';

let place: Place;
let folder: string;
const tree = localTree();
beforeEach(() => {
  place = makePlace();
  folder = place.skill('s/pdf');
  place.write('s/pdf/scripts/fill.py', 'print(1)');
  place.write('s/pdf/references/forms.md', '# Forms');
  place.write('s/pdf/assets/logo.png', 'png');
  place.write('s/pdf/evals/evals.json', '[]');
  place.write('s/pdf/tool.sh', 'true');
  place.write('s/pdf/.git/config', 'x');
  place.write('s/pdf-secret/key.txt', 'secret');
});
afterEach(() => place.remove());

test('files have a kind, in the order of their paths, without the version history', () => {
  fs.symlinkSync('../scripts', path.join(folder, 'assets', 'loop'));
  fs.symlinkSync('../pdf-secret', path.join(folder, 'out'));
  fs.symlinkSync('nowhere', path.join(folder, 'dangling'));
  const { files, problems, links, truncated } = listSkillFiles(tree, folder);
  expect(files.map((file) => `${file.path} ${file.kind} ${file.size}`)).toEqual([
    expect.stringMatching(/^SKILL\.md instruction \d+$/),
    'assets/logo.png asset 3',
    'evals/evals.json evaluation 2',
    'references/forms.md reference 7',
    'scripts/fill.py script 8',
    'tool.sh script 4',
  ]);
  expect(links).toEqual(['assets/loop -> scripts']);
  expect(files.some((file) => file.path.includes('.git'))).toBe(false);
  expect(files.some((file) => file.path.includes('key.txt'))).toBe(false);
  expect(problems.join()).toContain('outside the skill');
  expect(problems.join()).toContain('dangling');
  expect(truncated).toBe(false);
});

describe('confined reading', () => {
  test('files inside, also through links that stay inside', () => {
    fs.symlinkSync('references/forms.md', path.join(folder, 'forms-link.md'));
    expect(Buffer.from(readSkillFile(tree, folder, 'references/forms.md')).toString()).toBe('# Forms');
    expect(Buffer.from(readSkillFile(tree, folder, './forms-link.md')).toString()).toBe('# Forms');
  });

  test.each(['../pdf-secret/key.txt', 'references/../../pdf-secret/key.txt', '/etc/passwd', 'C:\\x', 'out/key.txt', 'hard.txt/../../pdf-secret/key.txt', '..\\pdf-secret\\key.txt', '.git/config', '.GIT/config', 'a\0b'])('%j is refused', (relative) => {
    fs.symlinkSync('../pdf-secret', path.join(folder, 'out'));
    expect(() => readSkillFile(tree, folder, relative)).toThrow(expect.objectContaining({ code: 'path_refused' }));
  });

  test('a skill folder that is a link itself, a missing file, a folder', () => {
    fs.symlinkSync('pdf', path.join(place.root, 's', 'alias'));
    expect(Buffer.from(readSkillFile(tree, path.join(place.root, 's', 'alias'), 'tool.sh')).toString()).toBe('true');
    expect(() => readSkillFile(tree, folder, 'scripts')).toThrow(expect.objectContaining({ code: 'not_found' }));
    expect(() => readSkillFile(tree, folder, 'no/such.txt')).toThrow(expect.objectContaining({ code: 'not_found' }));
  });
});

test('a digest is the same through a link and names what it could not read', () => {
  fs.symlinkSync('pdf', path.join(place.root, 's', 'alias'));
  expect(digestSkill(tree, path.join(place.root, 's', 'alias')).digest).toBe(digestSkill(tree, folder).digest);
  fs.symlinkSync('nowhere', path.join(folder, 'dangling'));
  expect(digestSkill(tree, folder).diagnostics.map((each) => each.code)).toEqual(['file-unreadable']);
  expect(digestSkill(tree, path.join(place.root, 'gone')).digest).toBe('');
});
