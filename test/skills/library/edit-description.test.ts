import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { editDescription } from '../../../src/skills/library/edit-description.ts';
import { readSkillMd } from '../../../src/skills/read/read-skill-md.ts';
import { yamlReader } from '../../../src/skills/read/yaml-reader.ts';
import { AWKWARD, corpusRows, fileText, hasAwkward, hasCorpus } from '../corpus.ts';

const FRESH = 'Does: things "well" # now';

function edited(text: string | Uint8Array, description: string): string {
  return Buffer.from(editDescription(Buffer.from(text), { description, folderName: 'pdf', yaml: yamlReader })).toString('utf8');
}

describe('only the lines of the description change', () => {
  it.each<[string, string, string]>([
    ['plain', '---\nname: pdf\ndescription: Old.\nlicense: MIT\n---\n\nText\n', '---\nname: pdf\ndescription: New.\nlicense: MIT\n---\n\nText\n'],
    ['a literal block', '---\nname: pdf\ndescription: |\n  Old\n\n  more: x\nlicense: MIT\n---\nT\n', '---\nname: pdf\ndescription: New.\nlicense: MIT\n---\nT\n'],
    ['a folded block at the end', '---\nname: pdf\ndescription: >-\n  Old\n  more\n---\nT', '---\nname: pdf\ndescription: New.\n---\nT'],
    ['quotes over two lines', '---\ndescription: "Old\n  more"\nname: pdf\n---\nT', '---\ndescription: New.\nname: pdf\n---\nT'],
    ['an unquoted colon', '---\nname: pdf\ndescription: Old: yes: no\n---\nT', '---\nname: pdf\ndescription: New.\n---\nT'],
    ['an unclosed quote', '---\nname: pdf\ndescription: "Old\nlicense: MIT\n---\nT', '---\nname: pdf\ndescription: New.\nlicense: MIT\n---\nT'],
    ['a block with text on its line', '---\nname: pdf\ndescription: > Old\n  more\n---\nT', '---\nname: pdf\ndescription: New.\n---\nT'],
    ['CRLF and a byte order mark', '\ufeff---\r\nname: pdf\r\ndescription: Old\r\n---\r\n\r\nText\r\n', '\ufeff---\r\nname: pdf\r\ndescription: New.\r\n---\r\n\r\nText\r\n'],
    ['comments and blank lines below', '---\nname: pdf\ndescription: >\n  Old\n\n# about the rest\nlicense: MIT\n---\nT', '---\nname: pdf\ndescription: New.\n\n# about the rest\nlicense: MIT\n---\nT'],
    ['another spelling', '---\nname: pdf\nDescription : Old\n---\nT', '---\nname: pdf\nDescription : New.\n---\nT'],
    ['a quoted key', '---\n"name": pdf\n"description": Old\n---\nT', '---\n"name": pdf\n"description": New.\n---\nT'],
    ['none', '---\nname: pdf\nlicense: MIT\n---\nT', '---\nname: pdf\ndescription: New.\nlicense: MIT\n---\nT'],
    ['no frontmatter', '# PDF\n\nText\n', '---\ndescription: New.\n---\n\n# PDF\n\nText\n'],
    ['a missing end', '---\nname: pdf\ndescription: Old\n\n# PDF\n\nText\n', '---\nname: pdf\ndescription: New.\n\n# PDF\n\nText\n'],
    ['the word in the body', '---\nname: pdf\ndescription: Old\n---\ndescription: stays\n', '---\nname: pdf\ndescription: New.\n---\ndescription: stays\n'],
  ])('%s', (_, before, after) => {
    expect(edited(before, 'New.')).toBe(after);
  });

  it.each(['with: colon', '"quoted"', '- dash', 'a # comment', 'true', '两行\n第二行', "it's", 'ends with:', '*star*', '[x]', '\u{1f600} smile', 'a\\b'])('a description that is read as it was written: %s', (description) => {
    const text = edited('---\nname: pdf\ndescription: Old\nlicense: MIT\n---\nT', description);
    expect(readSkillMd(Buffer.from(text), { folderName: 'pdf', yaml: yamlReader })).toMatchObject({ status: 'loaded', name: 'pdf', description, body: 'T', frontmatter: { license: 'MIT' } });
  });

  it('a file that is not UTF-8, or cannot be used, is refused', () => {
    expect(() => edited(Buffer.from('---\nname: pdf\ndescription: caf\xe9\n---\n', 'latin1'), 'x')).toThrow('not UTF-8');
    expect(() => edited('', 'x')).toThrow('cannot be used');
  });
});

it.skipIf(!hasAwkward)('real files that other programs stumble over are edited, or refused with the reason', () => {
  const refused = fs.readdirSync(AWKWARD).filter((name) => name.endsWith('.md')).flatMap((name) => {
    const bytes = fs.readFileSync(path.join(AWKWARD, name));
    try {
      const after = readSkillMd(Buffer.from(edited(bytes, FRESH)), { folderName: 'pdf', yaml: yamlReader });
      return after.description === FRESH && after.body === readSkillMd(bytes, { folderName: 'pdf', yaml: yamlReader }).body ? [] : [`${name}: changed`];
    } catch (error) {
      return [`${name}: ${String(error)}`];
    }
  });
  expect(refused).toEqual([expect.stringMatching(/^fm-not-map.*open the file in an editor$/), expect.stringMatching(/^non-utf8.*save it as UTF-8 first$/)]);
});

it.skipIf(!hasCorpus)('of the whole corpus every hundredth file can be edited', () => {
  const rows = corpusRows().filter(({ full }) => full).filter((_, i) => i % 100 === 0);
  const refused = rows.filter((row) => !edited(fileText(row), FRESH).includes(JSON.stringify(FRESH)));
  expect(rows.length).toBeGreaterThan(100);
  expect(refused).toEqual([]);
});
