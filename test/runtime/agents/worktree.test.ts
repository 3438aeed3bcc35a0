import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/protocol/json.ts';
import { scriptedModel } from '../../../src/testing/scripted-model.ts';
import { withoutBubblewrap } from '../../sandbox/helpers.ts';
import { eventsOf, finish, makePlace, open, ownSkill, say, type Place } from '../open.ts';
import { call, innerStatuses, outputs, projectFolder, roles, task, textsOf, writeAgent } from './agents.ts';

const FREE = { sandbox: 'required', permissions: { mode: 'unrestricted' } } as const;
const apart = (prompt: string, more: JsonObject = {}): JsonObject => ({ prompt, isolation: 'worktree', ...more });
const bash = (command: string) => call('Bash', { command });
const git = (folder: string, ...args: readonly string[]): string => execFileSync('git', ['-c', 'user.name=T', '-c', 'user.email=t@t', ...args], { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

/** A place whose project is a repository with these files in one commit. */
function repository(files: Readonly<Record<string, string>> = { 'a.txt': 'one\n' }): Place {
  const place = makePlace();
  git(place.project, 'init', '-q', '-b', 'main');
  for (const [name, text] of Object.entries(files)) {
    fs.mkdirSync(path.dirname(path.join(place.project, name)), { recursive: true });
    fs.writeFileSync(path.join(place.project, name), text);
  }
  git(place.project, 'add', '-A');
  git(place.project, 'commit', '-q', '-m', 'begin');
  fs.writeFileSync(path.join(place.home, '.gitconfig'), '[user]\n\tname = T\n\temail = t@t\n');
  return place;
}

/** Folders of worktrees that are there. */
function worktrees({ project }: Place): readonly string[] {
  const folder = path.join(project, '.skillmint/worktrees');
  return fs.existsSync(folder) ? fs.readdirSync(folder).filter((name) => name !== '.gitignore').map((name) => path.join(folder, name)) : [];
}

/** Nothing is left of any worktree, and the repository is as a person knows it. */
function expectClean(place: Place): void {
  expect(worktrees(place)).toEqual([]);
  expect(git(place.project, 'status', '--porcelain')).toBe('');
  expect(git(place.project, 'worktree', 'list').trim().split('\n')).toHaveLength(1);
  expect(git(place.project, 'branch', '--list', 'skillmint/*')).toBe('');
}

describe.skipIf(withoutBubblewrap)('a sub-agent with a worktree of its own (needs bubblewrap)', () => {
  it('changes the same file as another at the same time, each in its own copy; both stay and are told', async () => {
    const place = repository();
    const edit = (text: string) => call('Write', { file_path: 'a.txt', content: text });
    const read = call('Read', { file_path: 'a.txt' });
    const model = scriptedModel(roles([task(apart('FIRST'), apart('SECOND')), 'end'], {
      FIRST: [read, edit('first\n'), bash('git commit -qam first && cat a.txt'), 'done'],
      SECOND: [read, edit('second\n'), 'done'],
    }));
    const { runtime } = await open(model, { place, settings: FREE });
    const { events } = await say(runtime, { text: 'x', cwd: place.project });
    expect(innerStatuses(events)).toEqual(['ok', 'ok', 'ok', 'ok', 'ok']);
    expect(git(place.project, 'worktree', 'list', '--porcelain')).not.toContain('locked');
    expect(fs.readFileSync(path.join(place.project, 'a.txt'), 'utf8')).toBe('one\n');
    expect(git(place.project, 'status', '--porcelain')).toBe('');
    // They end in any order.
    const [second = '', first = ''] = [...outputs(events)].sort((one, other) => Number(one.includes('1 commit')) - Number(other.includes('1 commit')));
    expect(first).toMatch(/^done\n\nIts worktree \S+ stays: branch skillmint\/task_\w+, 1 commit, 0 changed files not committed\. To take it over: git merge skillmint\/task_\w+$/);
    expect(second).toMatch(/0 commits, 1 changed file not committed.*add -A/);
    git(place.project, 'merge', '-q', /skillmint\/task_\w+/.exec(first)?.[0] ?? '');
    expect(fs.readFileSync(path.join(place.project, 'a.txt'), 'utf8')).toBe('first\n');
    expect(worktrees(place)).toHaveLength(2);
  });

  it('leaves nothing where it changes nothing, also in the background', async () => {
    const place = repository();
    const output = (request: Parameters<typeof textsOf>[0]) => call('TaskOutput', { task_id: /task_\w+/.exec(textsOf(request))?.[0] ?? '' });
    const model = scriptedModel(roles([task(apart('FIRST')), task(apart('SECOND', { run_in_background: true })), output, 'end'], { FIRST: [bash('git worktree prune; git branch --show-current; cat a.txt'), 'done'], SECOND: [bash('cat a.txt'), 'done'] }));
    const { runtime } = await open(model, { place, settings: FREE });
    const { events } = await say(runtime, { text: 'x', cwd: place.project });
    expect(outputs(events)[0]).toBe('done');
    expect(outputs(events)[2]).toBe('done');
    expect(model.requests[1]?.system).toMatch(/Working folder: \S+\.skillmint\/worktrees\/task_\w+\n/);
    expect(model.requests[1]?.system).toMatch(/Git branch at the start: skillmint\/task_/);
    expectClean(place);
  });

  it('removes what git was killed in the middle of making, once nobody can be making it any more', async () => {
    const place = repository();
    for (const name of ['task_old', 'task_new', 'mine']) {
      git(place.project, 'worktree', 'add', '--quiet', '--lock', '-b', `skillmint/${name}`, `.skillmint/worktrees/${name}`);
      const head = path.join(place.project, '.git/worktrees', name, 'HEAD');
      fs.writeFileSync(head, `${'0'.repeat(40)}\n`);
      if (name !== 'task_new') fs.utimesSync(head, 1, 1);
    }
    const model = scriptedModel(roles([task(apart('INNER')), 'end'], { INNER: ['done'] }));
    const { runtime } = await open(model, { place, settings: FREE });
    await say(runtime, { text: 'x', cwd: place.project });
    expect(worktrees(place).map((folder) => path.basename(folder)).sort()).toEqual(['mine', 'task_new']);
    expect(fs.readdirSync(path.join(place.project, '.git/worktrees')).sort()).toEqual(['mine', 'task_new']);
    expect(git(place.project, 'branch', '--list', 'skillmint/task_old')).toBe('');
  });

  it('is held to deny rules that are meant for the folder of its session, and so is the session in the copy', async () => {
    const place = repository({ 'secrets/key.txt': 'SECRET', 'src/locked.ts': 'one', 'src/free.ts': 'one' });
    fs.mkdirSync(path.join(place.project, '.claude'));
    const attempts = [call('Read', { file_path: 'secrets/key.txt' }), bash('cat secrets/key.txt'), call('Grep', { pattern: 'SEC', path: 'secrets' }), call('Write', { file_path: 'src/locked.ts', content: 'x' }), bash('echo x > src/locked.ts')];
    const free = [call('Read', { file_path: 'src/free.ts' }), call('Write', { file_path: 'src/free.ts', content: 'x' })];
    const inCopy = () => call('Read', { file_path: path.join(worktrees(place)[0] ?? '', 'secrets/key.txt') });
    const searchCopies = call('Grep', { pattern: 'SEC', path: path.join(place.project, '.skillmint/worktrees') });
    const model = scriptedModel(roles([task(apart('INNER')), inCopy, searchCopies, 'end'], { INNER: [...attempts, ...free, 'done'] }));
    const { runtime } = await open(model, { place, settings: { sandbox: 'required', permissions: { mode: 'unrestricted', deny: ['Read(secrets/**)', `Edit(/${place.project}/src/locked.ts)`] } } });
    const { events } = await say(runtime, { text: 'x', cwd: place.project });
    expect(innerStatuses(events)).toEqual(['denied', 'denied', 'denied', 'denied', 'denied', 'ok', 'ok']);
    expect(eventsOf(events, 'tool.completed').filter((event) => !event.is_sub_agent).map(({ status }) => status)).toEqual(['ok', 'denied', 'denied']);
    expect(JSON.stringify(model.requests)).not.toContain('SECRET');
  });

  it('cannot change by commands what decides on later git commands, nor files of the session', async () => {
    const place = repository();
    const hostile = [
      'echo "gitdir: /tmp/evil" > .git',
      'mv .git moved',
      `git config core.fsmonitor ./evil`,
      `echo evil > ${place.project}/.git/hooks/post-checkout`,
      `echo /tmp > "$(git rev-parse --git-dir)/commondir"`,
      `rm "$(git rev-parse --git-dir)/commondir"`,
      `mv "$(git rev-parse --git-dir)" ${place.project}/.git/worktrees/other`,
      `mkdir .skillmint && echo {} > .skillmint/config.json`,
    ];
    const model = scriptedModel(roles([task(apart('INNER')), 'end'], { INNER: [...hostile.map(bash), bash(`echo evil > ${place.project}/a.txt; git status --porcelain && git commit -q --allow-empty -m works`), 'done'] }));
    const { runtime } = await open(model, { place, settings: FREE });
    const { events } = await say(runtime, { text: 'x', cwd: place.project });
    expect(innerStatuses(events)).toEqual([...hostile.map(() => 'error'), 'ok']);
    expect(git(place.project, 'status', '--porcelain')).toBe('');
    expect(git(place.project, 'config', '--list', '--local')).not.toContain('fsmonitor');
    expect(git(worktrees(place)[0] ?? '', 'log', '--format=%s').split('\n')[0]).toBe('works');
  });

  it('runs no hook of the repository when it is made, and filters only in the sandbox', async () => {
    const place = repository({ 'a.txt': 'one\n', '.gitattributes': '*.txt filter=odd\n' });
    const outside = path.join(place.home, 'outside');
    const hook = path.join(place.project, '.git/hooks/post-checkout');
    fs.mkdirSync(path.dirname(hook), { recursive: true });
    fs.writeFileSync(hook, `#!/bin/sh\ntouch ${outside} ${place.project}/.git/hooked\n`, { mode: 0o755 });
    git(place.project, 'config', 'filter.odd.smudge', `touch ${place.project}/.git/filtered; touch ${outside}; touch ${place.project}/out; cat`);
    const model = scriptedModel(roles([task(apart('INNER')), 'end'], { INNER: [bash('cat a.txt'), 'done'] }));
    const { runtime } = await open(model, { place, settings: FREE });
    const { events } = await say(runtime, { text: 'x', cwd: place.project });
    expect(innerStatuses(events)).toEqual(['ok']);
    expect(fs.existsSync(path.join(place.project, '.git/filtered'))).toBe(true);
    expect(fs.existsSync(path.join(place.project, '.git/hooked'))).toBe(false);
    expect([outside, path.join(place.project, 'out')].filter((file) => fs.existsSync(file))).toEqual([]);
  });

  it('goes on in its worktree after a question, and after the end of the process', async () => {
    const place = repository();
    const settings = { sandbox: 'required', permissions: { mode: 'default', allow: ['Bash(git worktree add:*)'] } } as const;
    const first = await open(scriptedModel(roles([task(apart('INNER'))], { INNER: [call('Write', { file_path: 'new.txt', content: 'x' })] })), { place, settings });
    const { result } = await say(first.runtime, { text: 'x', cwd: place.project });
    expect(result.status).toBe('waiting');
    expect(worktrees(place)).toHaveLength(1);
    await first.runtime.close();
    const second = await open(scriptedModel(roles(['end'], { INNER: ['done'] })), { place, settings });
    const { events } = await finish(await second.runtime.answer({ sessionId: result.session_id, answer: { kind: 'permission', decision: 'allow', scope: 'once' } }));
    expect(outputs(events)[0]).toMatch(/1 changed file not committed/);
    expect(fs.existsSync(path.join(worktrees(place)[0] ?? '', 'new.txt'))).toBe(true);
    expect(await second.runtime.sessions.remove(result.session_id)).toEqual([expect.stringContaining('1 changed file')]);
    expect(worktrees(place)).toHaveLength(1);
  });

  it('is stopped with its turn: the repository stays usable, and an unchanged worktree goes', async () => {
    const place = repository();
    const { runtime } = await open(scriptedModel(roles([task(apart('INNER'))], { INNER: [bash('sleep 30')] })), { place, settings: FREE });
    const turn = await runtime.prompt({ text: 'x', cwd: place.project });
    for await (const event of turn.events) if (event.type === 'tool.started' && event.is_sub_agent) turn.cancel();
    expect((await turn.result).status).toBe('cancelled');
    expectClean(place);
  });
});

describe('a worktree of an agent', () => {
  it.each([
    ['is no repository', () => undefined, /is not a git repository/],
    ['has no commit', (place: Place) => void git(place.project, 'init', '-q'), /has no commit yet/],
    ['is a bare repository', (place: Place) => void git(place.project, 'init', '-q', '--bare'), /is a bare repository/],
    ['lies within a repository', (place: Place) => void git(path.dirname(place.project), 'init', '-q'), /is a folder within the repository/],
    ['is a worktree itself', (place: Place) => fs.writeFileSync(path.join(place.project, '.git'), 'gitdir: /nowhere\n'), /itself a worktree or a submodule/],
  ])('is refused where the folder %s', async (_, prepare, says) => {
    const place = makePlace();
    prepare(place);
    const before = fs.readdirSync(place.project);
    const { runtime } = await open(scriptedModel(roles([task(apart('INNER')), task(apart('INNER', { run_in_background: true })), 'end'], {})), { place });
    const { events } = await say(runtime, { text: 'x', cwd: place.project });
    expect(outputs(events)).toEqual([expect.stringMatching(says), expect.stringMatching(says)]);
    expect(eventsOf(events, 'agent.started')).toEqual([]);
    expect(fs.readdirSync(place.project)).toEqual(before);
  });

  it('is refused where there is no git', async () => {
    const place = repository();
    const { runtime } = await open(scriptedModel(roles([task(apart('INNER')), 'end'], {})), { place, env: { PATH: place.home } });
    const { events } = await say(runtime, { text: 'x', cwd: place.project });
    expect(outputs(events)[0]).toMatch(/git could not be run/);
    expectClean(place);
  });

  it.each([
    ['plan mode', { permissions: { mode: 'plan' } }, {}, 'denied'],
    ['dontAsk', { permissions: { mode: 'dontAsk' } }, {}, 'denied'],
    ['a rule against git worktree', { permissions: { mode: 'unrestricted', deny: ['Bash(git worktree:*)'] } }, {}, 'denied'],
    ['a rule against all commands', { permissions: { mode: 'unrestricted', deny: ['Bash'] } }, {}, 'denied'],
  ] as const)('is refused by %s', async (_, settings, more, status) => {
    const place = repository();
    const { runtime } = await open(scriptedModel(roles([task(apart('INNER', more)), 'end'], {})), { place, settings });
    const { events } = await say(runtime, { text: 'x', cwd: place.project });
    expect(eventsOf(events, 'tool.completed').map((event) => event.status)).toEqual([status]);
    expectClean(place);
  });

  it('is refused by a skill that leaves no commands', async () => {
    const place = repository();
    ownSkill(place, 'reader', 'allowed-tools: Read, Task\n');
    const { runtime } = await open(scriptedModel(roles([task(apart('INNER')), 'end'], {})), { place });
    const { events } = await say(runtime, { text: 'x', cwd: place.project, skill: 'reader' });
    expect(outputs(events)[0]).toMatch(/does not allow the tool Bash/);
    expectClean(place);
  });

  it('gives no rule for files of the session what is protected there', async () => {
    const place = repository();
    const write = (name: string) => call('Write', { file_path: path.join(place.project, name), content: 'x' });
    const model = scriptedModel(roles([task(apart('INNER')), 'end'], { INNER: [write('new.txt'), write('.git/hooks/pre-commit'), write('.skillmint/config.json'), 'done'] }));
    const { runtime } = await open(model, { place, settings: { sandbox: 'off', permissions: { mode: 'dontAsk', allow: [`Edit(/${place.project}/**)`, 'Bash(git worktree add:*)'] } } });
    const { events } = await say(runtime, { text: 'x', cwd: place.project });
    expect(innerStatuses(events)).toEqual(['ok', 'denied', 'denied']);
  });

  it('follows no link that a repository brings in the place of its folder or its ignore file', async () => {
    const place = repository();
    const outside = path.join(place.home, 'outside');
    fs.mkdirSync(path.join(place.project, '.skillmint/worktrees'), { recursive: true });
    fs.symlinkSync(outside, path.join(place.project, '.skillmint/worktrees/.gitignore'));
    const { runtime } = await open(scriptedModel(roles([task(apart('FIRST')), task(apart('SECOND')), 'end'], { FIRST: [() => {
      fs.renameSync(path.join(place.project, '.skillmint'), path.join(place.home, 'moved'));
      fs.symlinkSync(path.join(place.home, 'moved'), path.join(place.project, '.skillmint'));
      return 'done';
    }] })), { place });
    const { events } = await say(runtime, { text: 'x', cwd: place.project });
    expect(outputs(events)[1]).toMatch(/\.skillmint is no folder/);
    expect(fs.existsSync(outside)).toBe(false);
  });

  it('is asked for in default mode, also where the agent file wants it, and not made when refused', async () => {
    const place = repository({ 'a.txt': 'one\n', '.claude/agents/apart.md': '' });
    writeAgent(projectFolder(place), 'apart', 'description: Apart.\nisolation: worktree\n');
    git(place.project, 'commit', '-qam', 'agent');
    const { runtime } = await open(scriptedModel(roles([task({ prompt: 'INNER', subagent_type: 'apart' }), 'end'], { INNER: ['ran'] })), { place, settings: { sandbox: 'off', permissions: { mode: 'default' } } });
    const { events, result } = await say(runtime, { text: 'x', cwd: place.project });
    expect(eventsOf(events, 'permission.requested')).toMatchObject([{ tool: 'Task', reason: 'it runs git to make a worktree of its own for the agent', rules: ['Bash(git worktree add .skillmint/worktrees/TASK)'] }]);
    expectClean(place);
    const denied = await finish(await runtime.answer({ sessionId: result.session_id, answer: { kind: 'permission', decision: 'deny', scope: 'once' } }));
    expect(eventsOf(denied.events, 'agent.started')).toEqual([]);
    expectClean(place);
  });

  it('of a removed session goes where it is unchanged, and the settings of the copy do not count', async () => {
    const place = repository({ 'a.txt': 'one\n', '.skillmint/config.json': '{ "permissions": { "deny": ["Bash"] } }' });
    fs.writeFileSync(path.join(place.project, '.skillmint/config.json'), '{}');
    const { runtime } = await open(scriptedModel(roles([task(apart('INNER')), 'end'], { INNER: [bash('echo ran > new.txt'), 'done'] })), { place });
    const { events, result } = await say(runtime, { text: 'x', cwd: place.project });
    expect(innerStatuses(events)).toEqual(['ok']);
    const [folder = ''] = worktrees(place);
    fs.rmSync(path.join(folder, 'new.txt'));
    expect(await runtime.sessions.remove(result.session_id)).toEqual([]);
    expect(worktrees(place)).toEqual([]);
    expect(git(place.project, 'branch', '--list', 'skillmint/*')).toBe('');
  });
});
