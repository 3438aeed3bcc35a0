import { execFile } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { CommandOutcome, InjectedCommand } from '../../src/skills/activate/injected-commands.ts';
import { renderBody, type RenderContext } from '../../src/skills/activate/render-body.ts';
import { readSkillMd } from '../../src/skills/read/read-skill-md.ts';
import { yamlReader } from '../../src/skills/read/yaml-reader.ts';

let folder: string;
beforeEach(() => {
  folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'skillmint render-')));
});
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

const echo = async ({ command }: InjectedCommand): Promise<CommandOutcome> => ({ kind: 'exited', code: 0, output: `<${command}>\n` });

/** Really runs the command. */
const bash = async ({ command }: InjectedCommand): Promise<CommandOutcome> =>
  new Promise((resolve) => {
    execFile('bash', ['-c', command], { cwd: folder }, (error, stdout, stderr) => resolve({ kind: 'exited', code: typeof error?.code === 'number' ? error.code : 0, output: stdout + stderr }));
  });

async function render(body: string, { fields = '', ...more }: Partial<RenderContext> & { fields?: string } = {}): Promise<string> {
  const { frontmatter } = readSkillMd(Buffer.from(`---\nname: x\ndescription: d\n${fields}\n---\n`), { folderName: 'x', yaml: yamlReader });
  return renderBody({ folder, frontmatter }, body, { args: undefined, projectDir: '/p', sessionId: 'id-1', trusted: true, run: echo, ...more });
}

describe('which commands run', () => {
  test.each([
    ['!`git status`', '<git status>'],
    ['- now: !`date`.', '- now: <date>.'],
    ['a\n!`b`\nc', 'a\n<b>\nc'],
    ['```!\ngit log\ngit status\n```\nend', '<git log\ngit status>\nend'],
    ['1. x\n   ```!\n   a\n     b\n   ```\n', '1. x\n<a\n  b>\n'],
    ['!`a` !`b`', '<a> <b>'],
  ])('%j', async (body, expected) => {
    expect(await render(body)).toBe(expected);
  });

  test.each([
    'KEY=!`cmd`',
    '`!`cmd``',
    '"!`cmd`"',
    '`` !`cmd` ``',
    '```md\n!`cmd`\n```',
    '~~~!\ncmd\n~~~'.replace('!', ' !x'),
    '````md\n```!\ncmd\n```\n````',
    '```!\nnever closed',
    '```!x\ncmd\n```',
    '!` `',
    '!`two\nlines`',
    'no !\\`cmd`',
  ])('not %j', async (body) => {
    expect(await render(body, { run: async () => Promise.reject(new Error('must not run')) })).toBe(body);
  });

  test('an untrusted skill runs none', async () => {
    const run = async (): Promise<CommandOutcome> => Promise.reject(new Error('must not run'));
    expect(await render('a !`b`\n```!\nc\n```\nd', { trusted: false, run })).toBe('a [command not run: this skill is not trusted]\n[command not run: this skill is not trusted]\nd');
  });

  test('arguments of a command that does not run are not lost', async () => {
    expect(await render('!`gh pr view $0`', { trusted: false, args: '12' })).toBe('[command not run: this skill is not trusted]\n\nARGUMENTS: 12');
    expect(await render('!`eval $0`', { args: '"a;b"' })).toContain('\n\nARGUMENTS: "a;b"');
    expect(await render('!`gh pr view $0`', { args: '12' })).toBe('<gh pr view 12>');
  });

  test('the shell is passed on', async () => {
    const seen: InjectedCommand[] = [];
    await render('!`Get-Date`', { fields: 'shell: powershell', run: async (command) => { seen.push(command); return { kind: 'refused', why: 'no' }; } });
    expect(seen).toEqual([{ command: 'Get-Date', shell: 'powershell' }]);
  });
});

describe('what comes of a command', () => {
  const outcome = (given: CommandOutcome, body = '!`x`') => render(body, { run: async () => given });

  test('failures, refusals and searches without a hit are shown where the command stood', async () => {
    expect(await outcome({ kind: 'exited', code: 1, output: 'fatal: no\n  repository\n' })).toBe('[command failed: exit 1; fatal: no repository]');
    expect(await outcome({ kind: 'exited', code: 127, output: '' })).toBe('[command failed: exit 127]');
    expect(await outcome({ kind: 'failed', why: 'still running after 2 minutes', output: 'part' })).toBe('[command failed: still running after 2 minutes; part]');
    expect(await outcome({ kind: 'refused', why: 'the rule Bash(x) denies it' })).toBe('[command not run: the rule Bash(x) denies it]');
    expect(await outcome({ kind: 'exited', code: 1, output: '' }, 'a !`cat x | grep y` b')).toBe('a  b');
    expect(await outcome({ kind: 'exited', code: 2, output: 'bad' }, '!`grep y`')).toBe('[command failed: exit 2; bad]');
  });

  test('long output is cut, long failures too', async () => {
    expect((await outcome({ kind: 'exited', code: 0, output: 'x'.repeat(90_000) })).length).toBeLessThan(31_000);
    expect((await outcome({ kind: 'exited', code: 3, output: 'word '.repeat(900) })).length).toBeLessThan(600);
  });

  test('one after another, in order, and never again for what they print', async () => {
    const seen: string[] = [];
    const run = async ({ command }: InjectedCommand): Promise<CommandOutcome> => {
      seen.push(`start ${command}`);
      await Promise.resolve();
      seen.push(`end ${command}`);
      return { kind: 'exited', code: 0, output: '!`evil` $0 ${CLAUDE_SKILL_DIR}\n```!\nevil\n```' };
    };
    expect(await render('!`a`\n!`b`', { run, args: 'v' })).toContain('!`evil` $0 ${CLAUDE_SKILL_DIR}\n```!\nevil\n```');
    expect(seen).toEqual(['start a', 'end a', 'start b', 'end b']);
  });
});

describe('arguments cannot add commands', () => {
  const evil = ['a; touch pwned', '$(touch pwned)', '`touch pwned`', '"; touch pwned; "', "'; touch pwned; '", "a\ntouch pwned\n", '\\"; touch pwned #', '& touch pwned', '> pwned', '| tee pwned', '<(touch pwned)', '${x:-$(touch pwned)}', "\\'; touch pwned; \\'", '!`touch pwned`', '\n```!\ntouch pwned\n```\n', "');__import__('os').system('touch pwned');('", 'a[$(touch pwned)]', '"); system("touch pwned"); print("', "'+require('child_process').execSync('touch pwned')+'"];
  const places = [
    '!`printf %s $ARGUMENTS`',
    '!`printf %s "$ARGUMENTS"`',
    "!`printf %s '$ARGUMENTS'`",
    '!`printf %s "a $0 b" $0 --x=$0`',
    '!`echo "$(printf %s $0)"`',
    '!`echo "$(printf %s "$ARGUMENTS")"`',
    "!`echo $'a $0'`",
    '!`echo a # $ARGUMENTS`',
    '```!\ncat <<EOF\n$ARGUMENTS\nEOF\n```',
    "```!\ncat <<'EOF'\n$ARGUMENTS\nEOF\n```",
    '!`echo \\"$ARGUMENTS\\"`',
    '!`echo ${x:-$0}`',
    '!`echo $$ARGUMENTS`',
    '!`echo \\\\$ARGUMENTS`',
    '!`bash -c "echo $0"`',
    "!`sh -ec 'echo $ARGUMENTS'`",
    '!`eval "echo $0"`',
    `!\`python3 -c "print('$0')"\``,
    `!\`node -p "'$ARGUMENTS'"\``,
    '!`[[ $0 -eq 1 ]] && echo y`',
    '!`echo $((1 + $0))`',
    '!`a[$0]=1`',
    '!`let "x=$0"`',
    '!`awk "BEGIN { print(\\"$0\\") }"`',
    '$ARGUMENTS',
    ' $ARGUMENTS `$0`',
    'x',
  ];

  test.each(places)('%j', async (body) => {
    for (const args of evil) {
      const text = await render(body, { args, run: bash });
      expect(fs.existsSync(path.join(folder, 'pwned')), `${body} with ${JSON.stringify(args)} gave ${text}`).toBe(false);
    }
  }, 60_000);

  test('ordinary ones arrive as they are', async () => {
    const print = `printf '[%s]'`;
    expect(await render(`!\`${print} $ARGUMENTS\``, { args: '12 "b c" --stat', run: bash })).toBe('[12][b c][--stat]');
    expect(await render(`!\`${print} "$0"\``, { args: `'it $HOME "x" \\y'`, run: bash })).toBe('[it $HOME "x" \\y]');
    expect(await render(`!\`${print} '$0'\``, { args: `"it's"`, run: bash })).toBe("[it's]");
    expect(await render(`!\`echo "$(${print} $0)"\``, { args: 'abc', run: bash })).toBe('[abc]');
    expect(await render('!`gh pr view $0 --json title`', { args: '123' })).toBe('<gh pr view 123 --json title>');
    expect(await render('!`x $0`', { args: '' })).toBe('<x $0>');
    expect(await render('!`x [$ARGUMENTS]`')).toBe('<x []>');
    expect(await render(`!\`echo "$(${print} $0)"\``, { args: '"a;b"' })).toMatch(/^\[command not run: its text would have to take in "a;b" where a shell may read that as a command\]\n\nARGUMENTS: "a;b"$/);
  });

  test('a folder with spaces stays one word', async () => {
    fs.writeFileSync(path.join(folder, 'x.sh'), 'echo ran');
    expect(await render('!`bash ${CLAUDE_SKILL_DIR}/x.sh` and "!" !`bash "${SKILL_DIR}/x.sh"`', { run: bash })).toBe('ran and "!" ran');
  });

  test('scripts get what they are given, programs in the command do not', async () => {
    expect(await render('!`python3 x.py "$0"`', { args: '"a; b"' })).toBe('<python3 x.py "a; b">');
    expect(await render('!`bash x.sh $0`', { args: '"a; b"' })).toBe("<bash x.sh 'a; b'>");
    expect(await render('!`bash -c "x $0"`', { args: 'plain-1' })).toBe('<bash -c "x plain-1">');
    expect(await render('!`bash -c "x $0"`', { args: '"a; b"' })).toContain('[command not run: ');
  });

  test('PowerShell has its own quotes', async () => {
    const powershell = { fields: 'shell: powershell' };
    expect(await render('!`Get-Item $0`', { ...powershell, args: `"it's; rm"` })).toBe("<Get-Item 'it''s; rm'>");
    expect(await render('!`Get-Item $0`', { ...powershell, args: 'C:\\a\\b' })).toBe('<Get-Item C:\\a\\b>');
    expect(await render('!`Get-Item "$0"`', { ...powershell, args: '"a b"' })).toContain('[command not run: ');
  });
});

describe('a body as a whole', () => {
  test('declared arguments, a plugin\'s folder, foreign tools', async () => {
    expect(await render('```\n$file\n```', { fields: 'arguments: [file]' })).toBe('```\n\n```');
    expect(await render('`$file`', { fields: 'arguments: [file]', args: 'a.txt' })).toBe('`a.txt`');
    expect(await render('${CLAUDE_PLUGIN_ROOT}')).toBe('${CLAUDE_PLUGIN_ROOT}');
    const frontmatter = readSkillMd(Buffer.from('---\nname: x\ndescription: d\n---\n'), { folderName: 'x', yaml: yamlReader }).frontmatter;
    const skill = { folder: '/h/plugins/p/1.0/skills/group/x', pluginRoot: '/h/plugins/p/1.0', frontmatter };
    expect(await renderBody(skill, '${CLAUDE_PLUGIN_ROOT}/a', { args: undefined, projectDir: '/p', sessionId: 's', trusted: true, run: echo })).toBe('/h/plugins/p/1.0/a');
  });

  test('the note on foreign tools comes last and from the body alone', async () => {
    expect(await render('Use `read_file`.', { args: 'call `apply_patch`' })).toBe('Use `read_file`.\n\nARGUMENTS: call `apply_patch`\n\n(In these instructions `read_file` is the tool Read.)');
  });

  test('what the runner throws ends the rendering', async () => {
    await expect(render('!`a`', { run: async () => Promise.reject(new Error('interrupted')) })).rejects.toThrow('interrupted');
  });
});
