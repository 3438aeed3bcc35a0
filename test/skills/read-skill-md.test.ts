import { describe, expect, test } from 'vitest';
import { readSkillMd, type SkillDocument } from '../../src/skills/read/read-skill-md.ts';
import { yamlReader } from '../../src/skills/read/yaml-reader.ts';

const read = (content: string | Uint8Array, folderName = 'my-folder'): SkillDocument => readSkillMd(typeof content === 'string' ? Buffer.from(content) : content, { folderName, yaml: yamlReader });
const codes = (document: SkillDocument): string[] => document.diagnostics.map((each) => each.code);
const PLAIN = '---\nname: pdf-tools\ndescription: Fills PDF forms.\n---\n\n# PDF\n\nDo it.\n';

describe('plain files', () => {
  test('name, description and body', () => {
    const document = read(PLAIN);
    expect(document).toMatchObject({ name: 'pdf-tools', description: 'Fills PDF forms.', body: '# PDF\n\nDo it.', status: 'loaded', reason: undefined, diagnostics: [] });
  });

  test('are read without the YAML package', () => {
    expect(readSkillMd(Buffer.from(PLAIN), { folderName: 'x' })?.name).toBe('pdf-tools');
    expect(readSkillMd(Buffer.from('---\nname: a\ndescription: b: c\n---\nx'), { folderName: 'x' })).toBeUndefined();
  });

  test('without frontmatter the whole file is the body and the first paragraph describes it', () => {
    const document = read('# Deploy\n\n![badge](x.png)\n\nShips the thing\nto the place.\n\nMore.\n');
    expect(document).toMatchObject({ name: 'my-folder', description: 'Ships the thing to the place.', status: 'loaded' });
    expect(document.body.startsWith('# Deploy')).toBe(true);
  });

  test('a rule at the start is no frontmatter', () => {
    const document = read('---\n\nJust some prose about things.\n\n---\n\nMore.\n');
    expect(document.body).toContain('Just some prose');
    expect(document.description).toBe('Just some prose about things.');
  });

  test.each([
    ['empty', ''],
    ['white space', ' \n\n'],
    ['a name alone', '---\nname: x\n---\n'],
  ])('%s is rejected with a reason', (_, text) => {
    const document = read(text);
    expect(document.status).toBe('rejected');
    expect(document.reason).toBeTruthy();
    expect(document.name).not.toBe('');
  });
});

describe('encodings and line ends', () => {
  test.each([
    ['byte order mark', Buffer.from(`\ufeff${PLAIN}`)],
    ['Windows line ends', Buffer.from(PLAIN.replaceAll('\n', '\r\n'))],
    ['old Mac line ends', Buffer.from(PLAIN.replaceAll('\n', '\r'))],
    ['UTF-16 little endian', Buffer.from(`\ufeff${PLAIN}`, 'utf16le')],
    ['UTF-16 little endian without mark', Buffer.from(PLAIN, 'utf16le')],
    ['UTF-16 big endian', Buffer.from(`\ufeff${PLAIN}`, 'utf16le').swap16()],
    ['NUL characters', Buffer.from(`${PLAIN}\0`)],
  ])('%s', (_, bytes) => {
    const document = read(bytes);
    expect(document).toMatchObject({ name: 'pdf-tools', description: 'Fills PDF forms.', status: 'loaded' });
    expect(document.body).toBe('# PDF\n\nDo it.');
    expect(document.diagnostics.length).toBeGreaterThan(0);
  });

  test('Latin 1', () => {
    expect(read(Buffer.from('---\nname: cafe\ndescription: Le café est prêt\n---\nx', 'latin1')).description).toBe('Le café est prêt');
  });

  test('GB 18030', () => {
    const bytes = Buffer.concat([Buffer.from('---\nname: cn\ndescription: '), Buffer.from([0xd6, 0xd0, 0xce, 0xc4, 0xbc, 0xbc, 0xc4, 0xdc]), Buffer.from('\n---\nx')]);
    expect(read(bytes).description).toBe('中文技能');
  });

  test('UTF-8 with a broken character stays UTF-8', () => {
    const bytes = Buffer.concat([Buffer.from('---\nname: x\ndescription: 你好世界 '), Buffer.from([0xff]), Buffer.from('\n---\nx')]);
    expect(read(bytes).description).toContain('你好世界');
  });
});

describe('misplaced frontmatter', () => {
  const fields = 'name: pdf-tools\ndescription: Fills PDF forms.\n';
  test.each([
    ['blank lines before', `\n\n---\n${fields}---\nBody`, 'frontmatter-not-first'],
    ['heading before', `# Title\n\n---\n${fields}---\nBody`, 'frontmatter-not-first'],
    ['comment before', `<!-- licence\nof it -->\n---\n${fields}---\nBody`, 'frontmatter-not-first'],
    ['whole file in a code fence', `\`\`\`markdown\n---\n${fields}---\nBody\n\`\`\`\n`, 'frontmatter-not-first'],
    ['fields in a code fence', `\`\`\`yaml\n${fields}\`\`\`\nBody`, 'frontmatter-undelimited'],
    ['delimited fields in a code fence', `\`\`\`yaml\n---\n${fields}---\n\`\`\`\nBody`, 'frontmatter-not-first'],
    ['no delimiters', `${fields}\nBody`, 'frontmatter-undelimited'],
    ['no opening delimiter', `${fields}---\nBody`, 'frontmatter-undelimited'],
    ['no closing delimiter, blank line', `---\n${fields}\nBody`, 'frontmatter-unterminated'],
    ['no closing delimiter, heading', `---\n${fields}\n# Title\n\nBody`, 'frontmatter-unterminated'],
    ['a rule taken for the closing delimiter', `---\n${fields}\n# Title\n\nBody text\n\n---\n\nEnd`, 'frontmatter-unterminated'],
    ['indented closing delimiter', `---\nname: pdf-tools\ndescription: |\n  Fills PDF forms.\n  ---\n\n  Body`, 'delimiter-indented'],
    ['long delimiters', `-----\n${fields}-----\nBody`, undefined],
    ['second block', `---\n\n---\n${fields}---\nBody`, 'second-frontmatter'],
  ])('%s', (_, text, code) => {
    const document = read(text);
    expect(document).toMatchObject({ name: 'pdf-tools', description: 'Fills PDF forms.' });
    expect(document.body).toContain('Body');
    expect(document.body).not.toContain('name: pdf-tools');
    expect(document.body).not.toContain('```');
    if (code !== undefined) expect(codes(document)).toContain(code);
  });

  test('spaces after the delimiters are no fault', () => {
    expect(read(`---  \n${fields}--- \t\nBody`)).toMatchObject({ status: 'loaded', name: 'pdf-tools', body: 'Body' });
  });

  test('Markdown and full-width fields', () => {
    expect(read('---\n**Name**: pdf-tools\n**Description:** Fills forms.\n---\nBody')).toMatchObject({ name: 'pdf-tools', description: 'Fills forms.', status: 'repaired' });
    expect(read('---\n名称：表格\n描述：“填写表格”\n---\n正文')).toMatchObject({ name: '表格', description: '填写表格' });
  });
});

describe('broken YAML', () => {
  const wrap = (description: string, more = ''): string => `---\nname: pdf-tools\ndescription: ${description}\n${more}---\nBody`;
  test.each([
    ['colon', wrap('Use for: forms and: more'), 'Use for: forms and: more', 'unquoted-colon'],
    ['unclosed double quote', wrap('"Fills forms'), 'Fills forms', 'unclosed-quote'],
    ['unclosed single quote', wrap("'Fills forms"), 'Fills forms', 'unclosed-quote'],
    ['text after a quote', wrap('"Fill" forms and more'), '"Fill" forms and more', 'text-after-quote'],
    ['two quoted parts', wrap('"Fill" and "sign"'), 'Fill" and "sign', 'text-after-quote'],
    ['folded sign with text', wrap('> Fills forms'), 'Fills forms', 'block-scalar-text'],
    ['literal sign with text and lines', wrap('| Fills\n  forms'), 'Fills\nforms', 'block-scalar-text'],
    ['bold text', wrap('**Fills** forms'), '**Fills** forms', 'reserved-start'],
    ['at sign', wrap('@acme forms'), '@acme forms', 'reserved-start'],
    ['backtick', wrap('`fill` forms'), '`fill` forms', 'reserved-start'],
    ['percent', wrap('%d forms'), '%d forms', 'reserved-start'],
    ['unclosed bracket', wrap('[fills forms'), '[fills forms', 'flow-text'],
    ['placeholder', wrap('{NAME} fills forms'), '{NAME} fills forms', 'flow-text'],
    ['bad escape', wrap('"Fills C:\\docs \\"now\\""'), 'Fills C:\\docs "now"', 'bad-escape'],
    ['lines without indentation', wrap('Fills forms:\n- one\n- two'), 'Fills forms:\n- one\n- two', 'unquoted-colon'],
    ['prose over blank lines', wrap('Fills forms\n\nand signs them'), 'Fills forms\n\nand signs them', 'bad-indent'],
    ['block without indentation', wrap('|\nFills forms\nand more'), 'Fills forms\nand more', 'bad-indent'],
  ])('%s', (_, text, description, code) => {
    const document = read(text);
    expect(document.name).toBe('pdf-tools');
    expect(document.description).toBe(description);
    expect(document.status).toBe('repaired');
    expect(document.reason).toBeTruthy();
    expect(codes(document)).toContain(code);
    expect(document.body).toBe('Body');
  });

  test('every repair of a value says how to write it, and that reads strictly', () => {
    const document = read(wrap('Use for: forms'));
    const fix = document.diagnostics.find((each) => each.code === 'unquoted-colon')?.fix ?? '';
    expect(yamlReader.read(fix)).toMatchObject({ kind: 'fields', fields: { description: 'Use for: forms' } });
  });

  test('one broken field leaves the others as they are', () => {
    const document = read(wrap('a: b: c', 'license: MIT\nmetadata:\n  author: me\n  tags: [a, b]\n'));
    expect(document.frontmatter).toMatchObject({ license: 'MIT', metadata: { author: 'me', tags: ['a', 'b'] } });
  });

  test('duplicate keys, merge conflicts, misindented fields, tabs, list on the key line', () => {
    expect(read('---\nname: first\nname: second\ndescription: d\n---\nB')).toMatchObject({ name: 'first', status: 'repaired' });
    expect(read('---\nname: n\n<<<<<<< HEAD\ndescription: ours\n=======\ndescription: theirs\n>>>>>>> b\n---\nB')).toMatchObject({ name: 'n', description: 'ours' });
    expect(read('---\nname: n\n  description: d\n---\nB')).toMatchObject({ name: 'n', description: 'd', status: 'repaired' });
    expect(read('---\nname: n\ndescription: d\nmetadata:\n\tauthor: me\n---\nB').frontmatter.metadata).toEqual({ author: 'me' });
    expect(read('---\nname: n\ndescription: d\nallowed-tools: - Read\n- Bash\n---\nB').frontmatter.allowedTools).toEqual(['Read', 'Bash']);
  });
});

describe('field types', () => {
  const fields = (text: string): SkillDocument['frontmatter'] => read(`---\nname: n\ndescription: d\n${text}\n---\nB`).frontmatter;

  test.each([
    ['allowed-tools: Read, Write Bash', ['Read', 'Write', 'Bash']],
    ['allowed-tools: Bash(git add *), Read', ['Bash(git add *)', 'Read']],
    ['allowed-tools: [Read, "Bash(a, b)"]', ['Read', 'Bash(a, b)']],
    ['allowed-tools:\n  - Read\n  - Bash(npm: *)', ['Read', 'Bash(npm: *)']],
    ['allowed_tools: Read', ['Read']],
    ['allowedTools: Read', ['Read']],
    ['allowed-tools: []', []],
    ['allowed-tools:', undefined],
  ])('%s', (text, tools) => {
    expect(fields(text).allowedTools).toEqual(tools);
  });

  test.each([
    ['yes', true],
    ['On', true],
    ['1', true],
    ['true', true],
    ['"no"', false],
    ['off', false],
    ['0', false],
  ])('user-invocable: %s', (text, value) => {
    expect(fields(`user-invocable: ${text}`).userInvocable).toBe(value);
  });

  test('numbers and booleans as names keep their writing', () => {
    expect(read('---\nname: 007\ndescription: d\n---\nB').name).toBe('007');
    expect(read('---\nname: 1.10\ndescription: true\n---\nB')).toMatchObject({ name: '1.10', description: 'true' });
  });

  test('description as list or map', () => {
    expect(read('---\nname: n\ndescription:\n  - one\n  - two\n---\nB').description).toBe('one; two');
    expect(read('---\nname: n\ndescription: [TODO: say what, and when]\n---\nB').description).toBe('[TODO: say what, and when]');
  });

  test('spelling variants lose to the documented spelling', () => {
    expect(read('---\nName: other\nname: real\nDescription: d\n---\nB')).toMatchObject({ name: 'real', description: 'd' });
  });

  test('the rest', () => {
    const found = fields('max_iterations: "12"\nversion: 1.0\ntype: meta\nargument-hint: [date]\narguments: a b\npaths: "src/**/*.{ts,tsx}, docs/*"\nwhen_to_use: now\ncustom: {a: 1}');
    expect(found).toMatchObject({ maxIterations: 12, version: '1.0', type: 'meta', argumentHint: 'date', arguments: ['a', 'b'], paths: ['src/**/*.{ts,tsx}', 'docs/*'], whenToUse: 'now', other: { custom: { a: 1 } } });
  });

  test('prototype keys do no harm (C-M1)', () => {
    const document = read('---\nname: n\ndescription: d\n__proto__:\n  polluted: yes\nconstructor: x\nmetadata: {"__proto__": {"polluted": 1}}\n---\nB');
    expect(document.status).toBe('loaded');
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
    expect('polluted' in document.frontmatter.other).toBe(false);
  });
});
