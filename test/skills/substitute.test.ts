import { describe, expect, test } from 'vitest';
import { bodyPieces } from '../../src/skills/activate/body-pieces.ts';
import { splitArguments } from '../../src/skills/activate/split-arguments.ts';
import { substitute, type SubstituteOptions } from '../../src/skills/activate/substitute.ts';
import { processorTime } from '../helpers/processor-time.ts';

const fill = (body: string, more: Partial<SubstituteOptions> = {}): string =>
  substitute(body, { args: undefined, argumentNames: [], declared: false, folder: '/s/x', projectDir: '/p', sessionId: 'id-1', ...more });

describe('arguments', () => {
  test.each([
    ['$ARGUMENTS!', 'a b', 'a b!'],
    ['$ARGUMENTS', ' "a  b" c ', '"a  b" c'],
    ['$0|$1|$2', 'a "b c" d', 'a|b c|d'],
    ['$ARGUMENTS[1] of $ARGUMENTS[0]', 'a b', 'b of a'],
    ['$0 and $7', 'a', 'a and $7'],
    ['$ARGUMENTS[7]$0', 'a', '$ARGUMENTS[7]a'],
    ['$0x $ARGUMENTSX ($0)', 'a', '$0x $ARGUMENTSX (a)'],
    ['$00 $01 $0', 'a b', '$00 $01 a'],
    ['处理$0的文件', 'a', '处理a的文件'],
  ])('%s with %s', (body, args, expected) => {
    expect(fill(body, { args })).toBe(expected);
  });

  test('names, in order, the longest first; a missing one goes', () => {
    const named = { argumentNames: ['file', 'file-type', 'to'], declared: true };
    expect(fill('$file as $file-type to [$to] $files', { ...named, args: 'a.txt csv' })).toBe('a.txt as csv to [] $files');
    expect(fill('$file', named)).toBe('');
    expect(fill('$file', { args: 'a' })).toBe('$file\n\nARGUMENTS: a');
  });

  test('what the body has no place for is appended', () => {
    expect(fill('Do it.\n', { args: ' this and that ' })).toBe('Do it.\n\nARGUMENTS: this and that');
    expect(fill('Costs \\$1, see $4.', { args: 'x' })).toBe('Costs $1, see $4.\n\nARGUMENTS: x');
    expect(fill('Do $0.', { args: 'x y' })).toBe('Do x.');
    expect(fill('Do it.', { args: '  ' })).toBe('Do it.');
  });

  test('one backslash keeps a placeholder as it is, two do not', () => {
    expect(fill('\\$0 \\\\$0 \\\\\\$0 \\$ARGUMENTS \\$HOME', { args: 'v' })).toBe('$0 \\\\v \\\\$0 $ARGUMENTS \\$HOME');
    expect(fill('Costs \\$1.00')).toBe('Costs $1.00');
  });

  test('what was put in is never gone through again', () => {
    expect(fill('$0 $1', { args: "'$1' '${CLAUDE_SKILL_DIR} $ARGUMENTS'" })).toBe('$1 ${CLAUDE_SKILL_DIR} $ARGUMENTS');
    expect(fill('$ARGUMENTS', { args: "$& $' $1" })).toBe("$& $' $1");
  });

  test('opencode counts from 1, and the last placeholder takes the rest', () => {
    expect(fill('$1: $2 ($0)', { args: 'a b c d', firstArgument: 1 })).toBe('a: b c d ($0)');
    expect(fill('$1 $2', { args: 'a', firstArgument: 1 })).toBe('a $2');
  });
});

describe('code', () => {
  const awk = "Run:\n\n```sh\nawk '{print $1}' $ARGUMENTS\n```\n\nIt costs $1.00, `$ARGUMENTS` is a placeholder.";

  test('without arguments, declared or given, nothing in code changes, and numbers nowhere', () => {
    expect(fill(awk)).toBe(awk);
    expect(fill('Do $ARGUMENTS now.')).toBe('Do  now.');
  });

  test('given arguments enter code', () => {
    expect(fill(awk, { args: 'f g' })).toContain("awk '{print g}' f g");
    expect(fill('`$ARGUMENTS`', { args: 'f' })).toBe('`f`');
  });

  test('so do declared ones', () => {
    expect(fill('```\nrun $ARGUMENTS $file $0\n```', { declared: true, argumentNames: ['file'] })).toBe('```\nrun   $0\n```');
  });

  test('folders and ids enter everywhere', () => {
    const body = '```\n${CLAUDE_SKILL_DIR}/a ${SKILL_DIR}/b\n```\n`${CLAUDE_PROJECT_DIR}` ${CLAUDE_SESSION_ID} ${CLAUDE_EFFORT} ${CLAUDE_PLUGIN_ROOT} ${HOME} $SKILL_DIR';
    expect(fill(body)).toBe('```\n/s/x/a /s/x/b\n```\n`/p` id-1 ${CLAUDE_EFFORT} ${CLAUDE_PLUGIN_ROOT} ${HOME} $SKILL_DIR');
    expect(fill('${CLAUDE_EFFORT} ${CLAUDE_PLUGIN_ROOT}', { effort: 'high', pluginRoot: '/plug' })).toBe('high /plug');
  });
});

describe('pieces of a body', () => {
  const kinds = (body: string): string[] => bodyPieces(body).map(({ kind, text }) => `${kind}:${text.trim().slice(0, 12)}`);

  test.each<[string, string[]]>([
    ['a\n```\nx\n```\nb', ['text:a', 'fence:```\nx\n```', 'text:b']],
    ['~~~\n```\n~~~\nb', ['fence:~~~\n```\n~~~', 'text:b']],
    ['````\n```\nx\n```\n````', ['fence:````\n```\nx\n`']],
    ['1. a\n\n   ```sh\n   x\n   ```\n', ['text:1. a', 'fence:```sh\n   x\n ']],
    ['- ```\n  x\n  ```\n- b', ['fence:- ```\n  x\n  ', 'text:- b']],
    ['> ```\n> x\n> ```\n> b', ['fence:> ```\n> x\n> ', 'text:> b']],
    ['```x``` b', ['code:```x```', 'text:b']],
    ['a `b` ``c ` d``', ['text:a', 'code:`b`', 'text:', 'code:``c ` d``']],
    ['a `b\n\nc` d', ['text:a `b', 'text:', 'text:c` d']],
    ['```\nnever closed', ['fence:```\nnever cl']],
    ['\\`a` b', ['text:\\`a` b']],
  ])('%j', (body, expected) => {
    expect(kinds(body).filter((each) => each !== 'text:')).toEqual(expected.filter((each) => each !== 'text:'));
    expect(bodyPieces(body).map(({ text }) => text).join('')).toBe(body);
  });

  test.each([
    ['backticks', '` '.repeat(400_000)],
    ['growing runs', Array.from({ length: 1_200 }, (_, i) => '`'.repeat(i)).join(' ')],
    ['fences', '```\n'.repeat(250_000)],
    ['fences and spans', '```\na\n```\n`b`\n'.repeat(60_000)],
    ['commands', '!`a` '.repeat(150_000)],
    ['placeholders', '\\\\$1'.repeat(200_000)],
    ['backslashes', '\\'.repeat(900_000)],
    ['quotes', '" \' '.repeat(200_000)],
  ])('a megabyte of %s takes seconds of the processor, not minutes', async (_, body) => {
    const { result, ms } = await processorTime(5_000, () => fill(body, { args: body.slice(0, 100_000) }));
    expect(result.length).toBeGreaterThan(0);
    expect(ms).toBeLessThan(5_000);
  });
});

test.each<[string, string[]]>([
  ['a  b\tc\nd', ['a', 'b', 'c', 'd']],
  ['"a b" c', ['a b', 'c']],
  ["'a b' c", ['a b', 'c']],
  ['a\\ b c', ['a b', 'c']],
  ['"say \\"hi\\"" x', ['say "hi"', 'x']],
  ['--name="x y" --to=\'p q\'', ['--name=x y', '--to=p q']],
  ['""', ['']],
  ["what's it's name", ["what's", "it's", 'name']],
  ['C:\\dir\\file "C:\\Program Files\\x"', ['C:\\dir\\file', 'C:\\Program Files\\x']],
  ['"open a', ['"open', 'a']],
  ["'open a", ["'open", 'a']],
  ['$HOME *.ts `x` ; | &', ['$HOME', '*.ts', '`x`', ';', '|', '&']],
  ['', []],
])('arguments of %j', (text, words) => {
  expect(splitArguments(text)).toEqual(words);
});
