import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { localFiles } from '../../src/host/local-files.ts';
import { localTree } from '../../src/host/local-tree.ts';
import { fixSkill } from '../../src/skills/validate/fix-skill.ts';
import { repairSkillMd } from '../../src/skills/validate/repair-file.ts';
import { AWKWARD, corpusRows, fileText, hasAwkward, hasCorpus } from './corpus.ts';
import { makePlace, type Place } from './place.ts';

/** The repaired text; fails when there is none, or when a second repair would change it again. */
function repaired(content: string | Uint8Array, folderName = 'x'): { text: string; changes: readonly string[] } {
  const repair = repairSkillMd(typeof content === 'string' ? Buffer.from(content) : content, { folderName });
  if (repair.kind !== 'repaired') throw new Error(repair.kind === 'refused' ? repair.why : 'unchanged');
  expect(repairSkillMd(repair.bytes, { folderName })).toEqual({ kind: 'unchanged' });
  return { text: Buffer.from(repair.bytes).toString(), changes: repair.changes };
}

describe('repairs', () => {
  test.each<[string, string, string]>([
    ['a colon', '---\nname: x\n# note\ndescription: Use: now\nlicense:   MIT # here\n---\n\nBody  \n', '---\nname: x\n# note\ndescription: "Use: now"\nlicense:   MIT # here\n---\n\nBody  \n'],
    ['an open quote', '---\nname: x\ndescription: "Do it\n---\nB', '---\nname: x\ndescription: "Do it"\n---\nB'],
    ['a block sign with text', '---\nname: x\ndescription: > Do it\n---\nB\n', '---\nname: x\ndescription: "Do it"\n---\nB\n'],
    ['a field twice', '---\nname: x\ndescription: one\ndescription: two\n  three\n---\nB\n', '---\nname: x\ndescription: one\n# description: two\n#   three\n---\nB\n'],
    ['tabs', '---\nname: x\ndescription: d\nmetadata:\n\ta: b\n---\nB\n', '---\nname: x\ndescription: d\nmetadata:\n  a: "b"\n---\nB\n'],
    ['no closing line', '---\nname: x\ndescription: d\n\n# Title\n\nB\n', '---\nname: x\ndescription: d\n---\n\n# Title\n\nB\n'],
    ['no delimiters', 'name: x\ndescription: d\n\nB\n', '---\nname: x\ndescription: d\n---\n\nB\n'],
    ['a blank line first', '\n\n---\nname: x\ndescription: d\n---\nB\n', '---\nname: x\ndescription: d\n---\nB\n'],
    ['a comment first', '<!-- (c) me -->\n---\nname: x\ndescription: d\n---\nB\n', '---\nname: x\ndescription: d\n---\n<!-- (c) me -->\n\nB\n'],
    ['spaces behind ---', '--- \nname: x\ndescription: d\n---\t\nB\n', '---\nname: x\ndescription: d\n---\nB\n'],
    ['another name', '---\nname: Other One\ndescription: d\n---\nB\n', '---\nname: x\ndescription: d\n---\nB\n'],
    ['no name', '---\ndescription: d\n---\nB\n', '---\nname: x\ndescription: d\n---\nB\n'],
    ['no description', '---\nname: x\n---\n\n# T\n\nDoes "it": now.\n', '---\ndescription: "Does \\"it\\": now."\nname: x\n---\n\n# T\n\nDoes "it": now.\n'],
    ['no fields', '# T\n\nDoes it.\n', '---\nname: x\ndescription: "Does it."\n---\n# T\n\nDoes it.\n'],
    ['Windows line ends', '---\r\nname: x\r\ndescription: a: b\r\n---\r\n\r\nB  \r\nC\nD\r\n', '---\r\nname: x\r\ndescription: "a: b"\r\n---\r\n\r\nB  \r\nC\nD\r\n'],
    ['Mac line ends', '---\rname: x\rdescription: d\r---\rB\r', '---\nname: x\ndescription: d\n---\nB\n'],
    ['a merge conflict', '---\nname: x\n<<<<<<< HEAD\ndescription: ours\n=======\ndescription: theirs\n>>>>>>> b\n---\nB\n', '---\nname: x\ndescription: ours\n# description: theirs\n---\nB\n'],
    ['a byte order mark', '\ufeff---\nname: x\ndescription: d\n---\n\nB \0 C\n', '---\nname: x\ndescription: d\n---\n\nB \0 C\n'],
  ])('%s', (_, before, after) => {
    const { text, changes } = repaired(before);
    expect(text).toBe(after);
    expect(changes.length).toBeGreaterThan(0);
    const fields = /^---\r?\n([^]*?)---\r?\n/.exec(text)?.[1] ?? '';
    expect(parse(fields)).toMatchObject({ name: 'x', description: expect.any(String) });
  });

  test('other encodings become UTF-8', () => {
    expect(repaired(Buffer.from('\ufeff---\nname: x\ndescription: é\n---\n中文\n', 'utf16le')).text).toBe('---\nname: x\ndescription: é\n---\n中文\n');
    expect(repaired(Buffer.from('---\nname: x\ndescription: Le café est prêt\n---\nçà\n', 'latin1')).text).toContain('café est prêt\n---\nçà\n');
  });

  test.each<[string, string | Uint8Array]>([
    ['plain', '---\nname: x\ndescription: d\n---\n\nB'],
    ['Windows line ends', '---\r\nname: x\r\ndescription: d\r\n---\r\nB'],
    ['fields of other programs', '---\nname: x\ndescription: d\nversion: 1.10\ncustom: {a: [1, 2]}\n---\nB'],
    ['an odd folder', '---\nname: some-thing\ndescription: d\n---\nB'],
  ])('nothing to do: %s', (label, content) => {
    expect(repairSkillMd(Buffer.from(content), { folderName: label === 'an odd folder' ? 'Odd Folder' : 'x' })).toEqual({ kind: 'unchanged' });
  });

  test.each<[string, Uint8Array, string]>([
    ['broken characters', Buffer.concat([Buffer.from('---\nname: x\ndescription: 你好世界 '), Buffer.from([0xff]), Buffer.from('\n---\nx')]), 'characters that are broken'],
    ['two blocks', Buffer.from('---\nversion: 1\n---\n---\nname: x\ndescription: d\n---\nB\n'), 'two blocks'],
    ['nothing', Buffer.from(''), 'neither a description nor a body'],
  ])('refused: %s', (_, bytes, why) => {
    expect(repairSkillMd(bytes, { folderName: 'x' })).toEqual({ kind: 'refused', why: expect.stringContaining(why) });
  });
});

describe('on disk', () => {
  let place: Place;
  beforeEach(() => {
    place = makePlace();
  });
  afterEach(() => place.remove());

  test('the file is replaced, keeps its mode, and a second run leaves it alone', async () => {
    const folder = place.skill('s/x', { description: 'Use: now' });
    const skill = { folder, file: path.join(folder, 'SKILL.md') };
    fs.chmodSync(skill.file, 0o640);
    expect(await fixSkill(localTree(), localFiles(), skill)).toEqual({ changes: ['the value of description holds a colon followed by a space'] });
    expect(fs.readFileSync(skill.file, 'utf8')).toBe('---\nname: x\ndescription: "Use: now"\n---\n\n# x\n');
    expect(fs.statSync(skill.file).mode & 0o777).toBe(0o640);
    const { mtimeMs, ino } = fs.statSync(skill.file);
    expect(await fixSkill(localTree(), localFiles(), skill)).toEqual({ changes: [] });
    expect(fs.statSync(skill.file)).toMatchObject({ mtimeMs, ino });
    expect(fs.readdirSync(folder)).toEqual(['SKILL.md']);
  });

  test('what cannot be written is an error that names the file', async () => {
    const folder = place.skill('s/x', { description: 'Use: now' });
    const write = async (): Promise<void> => Promise.reject(new Error('no room'));
    expect(await fixSkill(localTree(), { write }, { folder, file: path.join(folder, 'none.md') })).toMatchObject({ changes: [], refused: expect.stringContaining('cannot be read') });
    await expect(fixSkill(localTree(), { write }, { folder, file: path.join(folder, 'SKILL.md') })).rejects.toMatchObject({ code: 'io', message: expect.stringContaining('SKILL.md cannot be written: no room') });
  });
});

describe.skipIf(!hasCorpus)('real files (needs ../shared/corpus)', () => {
  test('every one is in order or is repaired, and none needs a second repair', () => {
    const counts: Record<string, number> = {};
    const wrong: string[] = [];
    for (const row of corpusRows().filter((each) => each.full)) {
      const folderName = row.path.split('/').at(-2) ?? 'skill';
      const repair = repairSkillMd(Buffer.from(fileText(row)), { folderName });
      counts[repair.kind] = (counts[repair.kind] ?? 0) + 1;
      if (repair.kind === 'refused') wrong.push(`${row.id}: ${repair.why}`);
      if (repair.kind !== 'repaired') continue;
      const text = Buffer.from(repair.bytes).toString();
      if (!text.endsWith(Buffer.from(row.body ?? '').toString().trimStart())) wrong.push(`${row.id}: the body changed`);
      if (repairSkillMd(repair.bytes, { folderName }).kind !== 'unchanged') wrong.push(`${row.id}: changes again`);
    }
    console.log(`repairs of full corpus files: ${JSON.stringify(counts)}`);
    expect(wrong).toEqual([]);
  }, 180_000);
});

describe.skipIf(!hasAwkward)('files that break parsers (needs ../shared/corpus/awkward)', () => {
  test('nearly all are repaired', () => {
    const index: { file: string; dir: string }[] = JSON.parse(fs.readFileSync(path.join(AWKWARD, 'index.json'), 'utf8'));
    const kinds = index.map(({ file, dir }) => repairSkillMd(fs.readFileSync(path.join(AWKWARD, file)), { folderName: dir }).kind);
    expect(kinds.filter((kind) => kind === 'refused').length).toBeLessThanOrEqual(1);
    expect(kinds.filter((kind) => kind === 'repaired').length).toBeGreaterThan(30);
  });
});
