import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { localTree } from '../../src/host/local-tree.ts';
import { skillsAt, TARGETS, validateSkill, type Target, type Validation } from '../../src/skills/validate/validate-skill.ts';
import { processorTime } from '../helpers/processor-time.ts';
import { makePlace, type Place } from './place.ts';

let place: Place;
beforeEach(() => {
  place = makePlace();
});
afterEach(() => place.remove());

async function validate(at: string, targets?: readonly Target[]): Promise<Validation> {
  const [skill] = skillsAt(localTree(), at).skills;
  if (!skill) throw new Error(`no skill at ${at}`);
  return validateSkill(localTree(), skill, targets);
}
const codes = async (at: string, targets?: readonly Target[]): Promise<string[]> => (await validate(at, targets)).diagnostics.map((each) => each.code);
const verdicts = async (at: string): Promise<string[]> => Object.entries((await validate(at, TARGETS)).targets).flatMap(([name, { ok }]) => (ok ? [name] : []));

describe('the open standard', () => {
  test('a good skill is fine, by its folder and by its file', async () => {
    const folder = place.skill('s/good', { body: 'See [the guide](references/guide.md#top) and run `scripts/go.sh`.\n' });
    place.write('s/good/references/guide.md', 'x');
    place.write('s/good/scripts/go.sh', 'x');
    expect(await validate(folder)).toEqual({ ok: true, path: path.join(folder, 'SKILL.md'), diagnostics: [], targets: { agentskills: { ok: true, diagnostics: [] } } });
    expect((await validate(path.join(folder, 'SKILL.md'))).ok).toBe(true);
  });

  test.each([
    ['Upper Case', 'name-pattern'],
    ['a--b', 'name-pattern'],
    ['-a', 'name-pattern'],
    ['a_b', 'name-pattern'],
    ['plugin:a', 'name-pattern'],
    ['x'.repeat(65), 'name-too-long'],
    ['other', 'name-folder'],
  ])('the name %s: %s', async (name, code) => {
    const result = await validate(place.skill('s/folder', { name }));
    expect(result.ok).toBe(false);
    expect(result.diagnostics.map((each) => each.code)).toContain(code);
  });

  test('letters of other scripts pass with a warning', async () => {
    expect(await validate(place.skill('s/数据分析'))).toMatchObject({ ok: true, diagnostics: [{ code: 'name-not-ascii', severity: 'warning' }] });
  });

  test('description, compatibility, other fields, repairs', async () => {
    expect(await codes(place.skill('s/a', { description: 'x'.repeat(1_025) }))).toContain('description-too-long');
    expect(await codes(place.skill('s/b', { more: `compatibility: ${'x'.repeat(501)}\n` }))).toContain('compatibility-too-long');
    expect(await codes(place.skill('s/b2', { more: 'compatibility: 3\n' }))).toEqual(['compatibility-text']);
    const extra = await validate(place.skill('s/c', { more: 'version: 1.0.0\nmax_iterations: 3\ncustom: 1\nallowed-tools: Read\n' }));
    expect(extra.ok).toBe(false);
    expect(extra.diagnostics.map((each) => `${each.code} ${each.message.split('"')[1]}`)).toEqual(['field-not-standard version', 'field-not-standard max_iterations', 'field-not-standard custom']);
    const broken = await validate(place.skill('s/d', { description: 'Use: now' }));
    expect(broken.ok).toBe(false);
    expect(broken.diagnostics).toContainEqual(expect.objectContaining({ code: 'unquoted-colon', fix: 'description: "Use: now"' }));
    fs.writeFileSync(path.join(place.root, 's/d/SKILL.md'), 'Only text.');
    expect(await codes(path.join(place.root, 's/d'))).toEqual(expect.arrayContaining(['no-frontmatter', 'name-required', 'description-required']));
  });

  test('the bundled skill is valid for everybody', async () => {
    const { ok, diagnostics } = await validate(path.resolve(import.meta.dirname, '../../skills/orders-report'), TARGETS);
    expect(ok).toBe(true);
    expect(diagnostics.filter(({ severity }) => severity !== 'info')).toEqual([]);
  });
});

describe('targets', () => {
  const ALL = ['agentskills', 'claude-code', 'claude.ai', 'codex', 'gemini-cli'];
  const without = (...names: string[]): string[] => ALL.filter((name) => !names.includes(name));
  const file = (text: string | Buffer, at = 's/x'): string => {
    fs.mkdirSync(path.join(place.root, at), { recursive: true });
    fs.writeFileSync(path.join(place.root, at, 'SKILL.md'), text);
    return path.join(place.root, at);
  };
  const plain = '---\nname: x\ndescription: d\n---\n\nDo it.\n';

  test.each<[string, string, readonly string[]]>([
    ['plain', plain, ALL],
    ['CRLF', plain.replaceAll('\n', '\r\n'), ALL],
    ['a byte order mark', `\ufeff${plain}`, ['claude-code']],
    ['a blank line first', `\n${plain}`, []],
    ['no closing line', '---\nname: x\ndescription: d\n\n# Title\n', []],
    ['--- in a value', '---\nname: x\ndescription: a --- b\n---\nDo it.\n', ALL],
    ['a colon in the description', '---\nname: x\ndescription: Use: now\n---\nDo it.\n', ['gemini-cli']],
    ['tabs', '---\nname: x\ndescription: d\nmetadata:\n\ta: b\n---\nDo it.\n', ['gemini-cli']],
    ['folded text', '---\nname: x\ndescription: >\n  a: b\n  c\n---\nDo it.\n', ALL],
    ['a number as name', '---\nname: 3000\ndescription: d\n---\nDo it.\n', without('codex', 'agentskills')],
    ['another name than the folder', plain.replace('name: x', 'name: y'), without('agentskills')],
    ['capitals', plain.replace('name: x', 'name: X'), ['claude-code', 'codex', 'gemini-cli']],
    ['a reserved name', plain.replace('name: x', 'name: my-claude'), without('agentskills', 'claude.ai')],
    ['markup in the description', plain.replace('description: d', 'description: d <b>'), without('claude.ai')],
    ['no name', plain.replace('name: x\n', ''), ['claude-code', 'codex']],
    ['no description', plain.replace('description: d\n', ''), ['claude-code']],
    ['a long description', plain.replace('description: d', `description: ${'d'.repeat(1_100)}`), ['claude-code', 'gemini-cli']],
    ['fields of Claude Code', plain.replace('---\n\n', 'model: opus\nargument-hint: "[a]"\n---\n\n'), without('agentskills', 'claude.ai')],
    ['metadata that is no map', plain.replace('---\n\n', 'metadata: a\n---\n\n'), without('codex')],
    ['no fields', 'Do it.\n', ['claude-code']],
    ['nothing', '', []],
  ])('%s', async (_, text, expected) => {
    expect(await verdicts(file(text))).toEqual(expected);
  });

  test('a number as name in a folder of that name', async () => {
    expect(await verdicts(file(plain.replace('name: x', 'name: 3000'), 's/3000'))).toEqual(without('codex'));
  });

  test('each target has its own findings, and the whole has each once', async () => {
    const at = file(plain.replace('---\n\n', 'model: opus\neffort: huge\ncustom: 1\n---\n\n!`date`\n'));
    const { targets, diagnostics } = await validate(at, TARGETS);
    const of = (target: Target): string[] => (targets[target]?.diagnostics ?? []).map(({ code, severity }) => `${severity} ${code}`);
    expect(of('agentskills')).toEqual(['error field-not-standard', 'error field-not-standard', 'error field-not-standard']);
    expect(of('claude-code')).toEqual(['warning field-value', 'info field-ignored']);
    expect(of('claude.ai')).toEqual(['warning commands-ignored', 'error field-refused', 'error field-refused', 'error field-refused']);
    expect(of('codex')).toEqual(['info field-ignored', 'info field-ignored', 'info field-ignored']);
    expect(new Set(diagnostics.map(({ code, message }) => code + message)).size).toBe(diagnostics.length);
  });

  test('only SKILL.md is found by most', async () => {
    expect(await verdicts(place.skill('s/a', { file: 'skill.md' }))).toEqual(['agentskills']);
    expect(await codes(path.join(place.root, 's/a'))).toEqual(['file-name']);
    expect(await verdicts(place.skill('s/b', { file: 'Skill.md' }))).toEqual([]);
  });

  test('Claude Code: values, fields without a fork, lists that are cut', async () => {
    const at = place.skill('s/a', { description: 'x'.repeat(1_000), more: `when_to_use: ${'y'.repeat(600)}\ncontext: spoon\nagent: Plan\nshell: zsh\nunknown: 1\n` });
    expect(await codes(at, ['claude-code'])).toEqual(['listing-cut', 'field-value', 'field-value', 'field-without-fork', 'field-ignored']);
  });
});

describe('the body', () => {
  test('length, backslashes, files that are not there', async () => {
    expect(await codes(place.skill('s/a', { body: 'word '.repeat(5_000) }))).toContain('body-too-long');
    expect(await codes(place.skill('s/b', { body: 'Run scripts\\go.py now.' }))).toContain('backslash-path');
    const folder = place.skill('s/c', { body: 'See [x](references/no.md), [web](https://a.b/c.md), [up](../other/x.md) and `scripts/none.py`.\n\n```md\n[example](missing.md)\n```\n' });
    const found = (await validate(folder)).diagnostics.map((each) => `${each.code} ${/names (\S+),/.exec(each.message)?.[1] ?? ''}`);
    expect(found).toEqual(['reference-missing references/no.md', 'reference-outside ../other/x.md', 'reference-missing scripts/none.py']);
  });

  test.each([
    ['Follow our conventions: names are nouns.', '', true],
    ['- names are nouns\n- files are short', '', true],
    ['Research $ARGUMENTS.', '', false],
    ['1. Read the file', '', false],
    ['**Review** the change.', '', false],
    ['Work on $topic.', 'arguments: topic\n', false],
    ['请检查代码', '', false],
  ])('a fork needs a task: %j', async (body, more, warns) => {
    const at = place.skill('s/a', { body, more: `context: fork\n${more}` });
    expect((await codes(at, ['claude-code'])).includes('fork-without-task')).toBe(warns);
  });

  test('each number that becomes an argument is shown with its line', async () => {
    const at = place.skill('s/a', { body: "It costs $1.00.\n\n```sh\nawk '{print $1, $2}'\n```\n\n$ARGUMENTS[0], \\$3 and `$0`\n" });
    const notes = (await validate(at)).diagnostics;
    expect(notes.every(({ code, severity }) => code === 'placeholder' && severity === 'info')).toBe(true);
    expect(notes.map(({ message, fix }) => `${message} | ${fix}`)).toEqual([
      'line 1 of the body: $1 becomes argument 2 when it is given | \\$1',
      'line 4 of the body: $1 becomes argument 2 when arguments are given, in code too | \\$1',
      'line 4 of the body: $2 becomes argument 3 when arguments are given, in code too | \\$2',
      'line 7 of the body: $ARGUMENTS[0] becomes argument 1 when it is given | \\$ARGUMENTS[0]',
      'line 7 of the body: $0 becomes argument 1 when arguments are given, in code too | \\$0',
    ]);
    expect((await validate(place.skill('s/b', { body: '$1\n'.repeat(100) }))).diagnostics).toHaveLength(21);
  });

  test('a body of 73 kB', async () => {
    expect(await codes(place.skill('s/a', { body: 'Read it. '.repeat(8_200) }))).toEqual(['body-too-long']);
  });

  test.each([
    ['placeholders and paths', '$1 `x` a\\b.c [y](z.md)\n'.repeat(40_000)],
    ['links that never end', ']('.repeat(450_000)],
    ['blank lines', '\n'.repeat(900_000)],
    ['one word', 'a'.repeat(900_000)],
    ['backslashes', 'a\\'.repeat(450_000)],
    ['paths', 'scripts/a.'.repeat(90_000)],
    ['spaces', `](${' '.repeat(900_000)}`],
  ])('a megabyte of %s takes seconds of the processor, not minutes', async (_, text) => {
    const at = place.skill('s/b', { body: `x\n${text}\nx`, more: 'context: fork\n' });
    expect((await processorTime(10_000, () => validate(at, TARGETS))).ms).toBeLessThan(10_000);
  }, 60_000);
});

describe('what a path means', () => {
  test('a skill, its file, a folder of skills; else it says so', async () => {
    place.skill('s/a');
    place.skill('s/group/b');
    fs.symlinkSync('nowhere', path.join(place.root, 's/broken'));
    const { skills, problems } = skillsAt(localTree(), path.join(place.root, 's'));
    expect(skills.map(({ folder }) => path.basename(folder))).toEqual(['a', 'b']);
    expect(problems).toEqual([{ path: path.join(place.root, 's/broken'), message: expect.stringContaining('this link cannot be followed') }]);
    fs.mkdirSync(path.join(place.root, 'plain'));
    for (const missing of ['none', 'plain']) expect(() => skillsAt(localTree(), path.join(place.root, missing))).toThrow(expect.objectContaining({ code: 'not_found' }));
    place.write('s/e/SKILL.md', '');
    expect((await validate(path.join(place.root, 's/e'))).ok).toBe(false);
  });
});
