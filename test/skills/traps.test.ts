import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ReadTree } from '../../src/host/host.ts';
import { localTree } from '../../src/host/local-tree.ts';
import { offerNote } from '../../src/skills/activate/offer-note.ts';
import { renderBody } from '../../src/skills/activate/render-body.ts';
import { substitute } from '../../src/skills/activate/substitute.ts';
import { parseToolSpecifiers, skillAllows } from '../../src/skills/activate/tool-grant.ts';
import { resolveSkill } from '../../src/skills/discover/resolve-skill.ts';
import { readSkillMd, type SkillDocument } from '../../src/skills/read/read-skill-md.ts';
import { yamlReader } from '../../src/skills/read/yaml-reader.ts';
import { bash } from '../permissions/helpers.ts';
import { viewOf } from './index/open.ts';
import { entryOf, makePlace, type Place } from './place.ts';

/** What programs that read skills are known to stumble over, one by one; the other files go deeper. */
let place: Place;
beforeEach(() => {
  place = makePlace();
});
afterEach(() => place.remove());

const read = (text: string): SkillDocument => readSkillMd(Buffer.from(text), { folderName: 'x', yaml: yamlReader });
const fields = (text: string): SkillDocument => read(`---\nname: x\ndescription: d\n${text}\n---\nB\n`);

describe('1: files', () => {
  const plain = '---\nname: x\ndescription: d\n---\nB\n';
  test.each<[string, string, Partial<SkillDocument>]>([
    ['byte order mark', `\ufeff${plain}`, { name: 'x', description: 'd', body: 'B' }],
    ['CRLF', plain.replaceAll('\n', '\r\n'), { name: 'x', description: 'd', body: 'B' }],
    ['a blank line before ---', `\n${plain}`, { name: 'x', description: 'd', body: 'B', status: 'repaired' }],
    ['--- in a value', '---\nname: x\ndescription: a --- b ---\nlicense: MIT\n---\nB\n---\nC\n', { description: 'a --- b ---', body: 'B\n---\nC' }],
    ['--- in a block', '---\nname: x\ndescription: |\n  a\n  ---\n  b\n---\nB\n', { description: 'a\n---\nb', body: 'B' }],
    ['tabs', '---\nname: x\ndescription: d\nmetadata:\n\ta: b\n---\nB\n', { description: 'd', status: 'repaired' }],
    ['a colon', '---\nname: x\ndescription: Use when: now\n---\nB\n', { description: 'Use when: now', status: 'repaired' }],
    ['>', '---\nname: x\ndescription: >\n  a: b\n  c\n\n  d\n---\nB\n', { description: 'a: b c\nd', status: 'loaded' }],
    ['|', '---\nname: x\ndescription: |\n  a\n  b\n---\nB\n', { description: 'a\nb', status: 'loaded' }],
    ['a number as name', '---\nname: 3000\ndescription: d\n---\nB\n', { name: '3000', status: 'loaded' }],
    ['a boolean as name', '---\nname: true\ndescription: d\n---\nB\n', { name: 'true', status: 'loaded' }],
  ])('%s', (_, text, expected) => {
    expect(read(text)).toMatchObject(expected);
  });

  test.each<[string, readonly string[]]>([
    ['allowed-tools: Bash(git add *), Read', ['Bash(git add *)', 'Read']],
    ['allowed-tools: Bash(git add *) Read', ['Bash(git add *)', 'Read']],
    ['allowed-tools:\n  - Bash(git add *, git rm *)\n  - Read', ['Bash(git add *, git rm *)', 'Read']],
    ['allowed-tools: [Read, "Bash(a b)"]', ['Read', 'Bash(a b)']],
  ])('%s', (text, tools) => {
    expect(fields(text).frontmatter.allowedTools).toEqual(tools);
  });

  test('a list as argument-hint', () => {
    expect(fields('argument-hint: [file, format]').frontmatter.argumentHint).toBe('file; format');
    expect(fields('argument-hint: "[file] [format]"').frontmatter.argumentHint).toBe('[file] [format]');
  });
});

describe('2: names', () => {
  test('another name than the folder, capitals, letters of other scripts in any form, plugin:skill', async () => {
    place.skill('home/.claude/skills/folder', { name: 'Other Name' });
    place.skill('home/.claude/skills/wide', { name: 'ｗｉｄｅ-数据' });
    place.skill('home/.claude/plugins/cache/m/tools/1.0.0/skills/lint');
    const catalogue = await place.discover();
    const id = (name: string): string | undefined => {
      const found = resolveSkill(catalogue, name);
      return found.kind === 'found' ? found.entry.id : undefined;
    };
    for (const name of ['Other Name', 'other-name', 'OTHER_NAME', 'user:other name']) expect(id(name)).toBe('user:Other Name');
    for (const name of ['wide-数据', 'WIDE-数据', 'ｗｉｄｅ-数据']) expect(id(name)).toBe('user:ｗｉｄｅ-数据');
    for (const name of ['lint', 'tools:lint', 'Tools:Lint', 'plugin:tools:lint']) expect(id(name)).toBe('plugin:tools:lint');
  });

  test('one skill behind two links, and a link to itself', async () => {
    const folder = place.skill('elsewhere/real');
    const root = path.join(place.home, '.claude/skills');
    fs.mkdirSync(root, { recursive: true });
    for (const name of ['one', 'two']) fs.symlinkSync(folder, path.join(root, name));
    fs.symlinkSync(root, path.join(root, 'loop'));
    fs.symlinkSync('self', path.join(root, 'self'));
    const catalogue = await place.discover();
    expect(catalogue.entries.filter(({ status }) => status === 'loaded').map(({ id }) => id)).toEqual(['user:real']);
  });

  test('on a file system without letter case a skill is one, by whatever spelling of its roots it is reached', async () => {
    const folder = place.skill('home/.claude/skills/Deploy');
    const tree = localTree();
    // As macOS has it: any spelling opens the folder, and its real path has the spelling on the disk.
    const real = (at: string): string => at.replace(/\/\.CLAUDE\/SKILLS/gi, '/.claude/skills').replace(/\/deploy(?=\/|$)/gi, '/Deploy');
    const folded: ReadTree = { list: (at) => tree.list(real(at)), stat: (at) => tree.stat(real(at)), isFolder: (at) => tree.isFolder(real(at)), realPath: (at) => tree.realPath(real(at)), read: (at) => tree.read(real(at)) };
    const catalogue = await place.discover({ tree: folded, env: { SKILLMINT_SKILLS_PATH: [path.join(place.home, '.CLAUDE/Skills'), path.join(place.home, '.claude/skills/DEPLOY')].join(path.delimiter) } });
    expect(catalogue.entries.map(({ id, status }) => [id, status])).toEqual([['user:Deploy', 'loaded'], ['env:Deploy', 'shadowed'], ['env:Deploy', 'shadowed']]);
    expect(catalogue.entries.slice(1).map(({ reason }) => reason)).toEqual([expect.stringContaining('the same folder'), expect.stringContaining('the same folder')]);
    expect(catalogue.entries[0]?.folder).toBe(folder);
  });

  test('names that differ in letter case alone are two skills, and a third spelling is ambiguous', async () => {
    place.skill('home/.claude/skills/a', { name: 'Deploy' });
    place.skill('home/.claude/skills/b', { name: 'deploy' });
    const catalogue = await place.discover();
    expect(resolveSkill(catalogue, 'deploy')).toMatchObject({ kind: 'found', entry: { name: 'deploy' } });
    expect(resolveSkill(catalogue, 'Deploy')).toMatchObject({ kind: 'found', entry: { name: 'Deploy' } });
    expect(resolveSkill(catalogue, 'DEPLOY')).toMatchObject({ kind: 'ambiguous' });
  });
});

describe('3: arguments', () => {
  const base = { argumentNames: [], declared: false, folder: '/s', projectDir: '/p', sessionId: 'i' };
  test.each<[string, string, string | undefined, string]>([
    ['$0 is the first', '$0-$1', 'a b', 'a-b'],
    ['$ARGUMENTS is not there', 'Do it.', 'a b', 'Do it.\n\nARGUMENTS: a b'],
    ['quotes', '$0|$1', '"a b" \'c d\'', 'a b|c d'],
    ['a backslash', '\\$1 and $0', 'a b', '$1 and a'],
    ['awk in a fence', "```\nawk '{print $1}'\n```", undefined, "```\nawk '{print $1}'\n```"],
    ['money', 'It costs $1.00.', undefined, 'It costs $1.00.'],
    ['an argument that looks like one', '$0', "'$1' b", '$1'],
  ])('%s', (_, body, args, expected) => {
    expect(substitute(body, { ...base, args })).toBe(expected);
  });

  test('opencode counts from 1', () => {
    const { frontmatter } = fields('compatibility: opencode');
    expect(substitute('$1', { ...base, args: 'a b', firstArgument: frontmatter.firstArgument })).toBe('a b');
  });
});

describe('4: commands', () => {
  test('KEY=!`cmd` does not run, and output that looks like a command does not either', async () => {
    const ran: string[] = [];
    const text = await renderBody({ folder: '/s', frontmatter: fields('').frontmatter }, 'KEY=!`a`\n!`b`\n', {
      args: undefined, projectDir: '/p', sessionId: 'i', trusted: true,
      run: async ({ command }) => { ran.push(command); return { kind: 'exited', code: 0, output: '!`x`\n' }; },
    });
    expect(ran).toEqual(['b']);
    expect(text).toBe('KEY=!`a`\n!`x`\n');
  });
});

test('5: ${CLAUDE_SKILL_DIR} in a rule is the folder of the skill', () => {
  const rules = parseToolSpecifiers(['Bash(${CLAUDE_SKILL_DIR}/scripts/render.sh *)'], { folder: '/s/x' });
  expect(skillAllows(rules, 'Bash')).toEqual({ kind: 'limited', specs: ['/s/x/scripts/render.sh *'] });
});

describe('6: rules for commands', () => {
  test.each<[string, string, 'allow' | 'ask']>([
    ['Bash(ls *)', 'ls -l src', 'allow'],
    ['Bash(ls *)', 'ls', 'allow'],
    ['Bash(ls *)', 'lsof -i', 'ask'],
    ['Bash(ls:*)', 'lsof -i', 'ask'],
    ['Bash(git:*)', 'git push origin', 'allow'],
    ['Bash(git:*)', 'github-clone x', 'ask'],
    ['Bash(git:*)', 'git status && rm -r src', 'ask'],
    ['Bash(git:*)', 'git status; rm -r src', 'ask'],
    ['Bash(git:*)', 'git status | sh', 'ask'],
    ['Bash(git:*)', 'git status\nrm -r src', 'ask'],
    ['Bash(git:*)', 'git log $(rm -r src)', 'ask'],
    ['Bash(git:*)', 'GIT_PAGER=sh git log', 'ask'],
    ['Bash(ls:*)', 'timeout 5 rm -r src', 'ask'],
    ['Bash(find:*)', 'find . -name x -exec rm {} +', 'ask'],
    ['Bash(find:*)', 'find . -delete', 'ask'],
  ])('%s allows %j: %s', (rule, command, verdict) => {
    expect(bash(command, { rules: { allow: [rule] } }).verdict).toBe(verdict);
  });

  test.each(['FOO=bar rm x', 'timeout 5 rm x', 'ls && rm x', 'nohup nice rm x', 'find . -exec rm {} +', 'ls | xargs rm', 'cd /tmp\nrm x'])('a rule that denies rm sees it in %j, whatever is allowed', (command) => {
    expect(bash(command, { mode: 'unrestricted', rules: { allow: ['Bash'], deny: ['Bash(rm:*)'] } }).verdict).toBe('deny');
  });
});

describe('8: sizes', () => {
  test('a body of 73 kB is rendered whole', async () => {
    const body = Array.from({ length: 1_000 }, (_, i) => `Line ${i} of many, with $0 and \`code\` in it, long enough to matter here.`).join('\n');
    expect(body.length).toBeGreaterThan(70_000);
    const text = await renderBody({ folder: '/s', frontmatter: read(`---\nname: x\ndescription: d\n---\n${body}`).frontmatter }, body, { args: undefined, projectDir: '/p', sessionId: 'i', trusted: true, run: async () => ({ kind: 'refused', why: 'none' }) });
    expect(text).toBe(body);
  });

  test('what 500 skills put into a prompt is what 9 do', async () => {
    const noteFor = async (count: number): Promise<number> => {
      for (let i = 0; i < count; i += 1) place.skill(`home/.claude/skills/skill-${String(i).padStart(3, '0')}`, { description: `Makes reports of kind ${String(i).padStart(3, '0')} from tables.` });
      const view = await viewOf(place);
      return offerNote(await view.rank('make a report from this table', 8)).length;
    };
    const [few, many] = [await noteFor(9), await noteFor(500)];
    expect(few).toBeGreaterThan(300);
    expect(Math.abs(many - few)).toBeLessThan(10);
    expect(entryOf(await place.discover(), 'user:skill-499').status).toBe('loaded');
  });
});
