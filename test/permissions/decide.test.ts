import { describe, expect, it } from 'vitest';
import { decide } from '../../src/permissions/decide.ts';
import { parseMode } from '../../src/permissions/mode.ts';
import { ask, bash, edit, read, rulesOf, workspace } from './helpers.ts';

describe('modes', () => {
  it('ask in default for edits, commands and what leaves the machine, and for nothing else inside', () => {
    expect(edit('/ws/a.txt').verdict).toBe('ask');
    expect(bash('ls').verdict).toBe('ask');
    expect(ask({ tool: 'WebFetch', need: { action: 'network', url: 'https://example.com/x' } }).verdict).toBe('ask');
    expect(ask({ tool: 'mcp__s__t', need: { action: 'tool' } }).verdict).toBe('ask');
    expect(read('/ws/a.txt').verdict).toBe('allow');
    expect(read('/added/a.txt').verdict).toBe('allow');
    expect(read('/skills/pdf/SKILL.md').verdict).toBe('allow');
    expect(ask({ tool: 'TodoWrite' }).verdict).toBe('allow');
    expect(ask({ tool: 'Skill', need: { action: 'skill', skill: 'pdf' } }).verdict).toBe('allow');
  });

  it('let edits in the workspace pass in acceptEdits, but none outside, in a skill, or of protected files', () => {
    const mode = 'acceptEdits';
    expect(edit('/ws/src/a.ts', { mode }).verdict).toBe('allow');
    expect(edit('/ws-evil/a.ts', { mode }).verdict).toBe('ask');
    expect(edit('/skills/pdf/SKILL.md', { mode }).verdict).toBe('ask');
    for (const name of ['.git/hooks/pre-commit', '.git/config', '.skillmint/config.json', '.mcp.json', '.claude/settings.json', '.bashrc', 'sub/.git/config', '.GIT/config', '.vscode/tasks.json']) {
      expect(edit(`/ws/${name}`, { mode }).verdict, name).toBe('ask');
    }
    expect(bash('ls', { mode }).verdict).toBe('ask');
  });

  it('refuse every change in plan mode, even what a rule allows', () => {
    const rules = { allow: ['Bash(ls:*)', 'Edit'] };
    expect(bash('ls', { mode: 'plan', rules })).toMatchObject({ verdict: 'deny', reason: expect.stringContaining('plan mode') });
    expect(edit('/ws/a', { mode: 'plan', rules })).toMatchObject({ verdict: 'deny', reason: expect.stringContaining('plan mode') });
    expect(read('/ws/a', { mode: 'plan' }).verdict).toBe('allow');
    expect(ask({ tool: 'mcp__s__t', need: { action: 'tool' }, mode: 'plan' }).verdict).toBe('deny');
  });

  it('deny in dontAsk what would ask, and name the rule that would allow it', () => {
    expect(bash('git status -s', { mode: 'dontAsk' })).toMatchObject({ verdict: 'deny', reason: expect.stringContaining('Bash(git status:*)') });
    expect(bash('$A | b', { mode: 'dontAsk' })).toMatchObject({ verdict: 'deny', reason: expect.stringContaining('no rule can allow it') });
    expect(bash('git status', { mode: 'dontAsk', rules: { allow: ['Bash(git:*)'] } }).verdict).toBe('allow');
  });

  it('ask nothing in unrestricted, while deny rules stay', () => {
    const mode = 'unrestricted';
    const rules = { ask: ['Bash(git push:*)'], deny: ['Bash(rm:*)', 'Read(//etc/**)'] };
    expect(bash('git push', { mode, rules }).verdict).toBe('allow');
    expect(edit('/ws/.git/config', { mode, rules }).verdict).toBe('allow');
    expect(read('/other/x', { mode, rules }).verdict).toBe('allow');
    expect(read('/etc/passwd', { mode, rules }).verdict).toBe('deny');
    for (const command of ['rm x', 'ls; rm x', 'echo $(rm x)', '$X x', "$'\\x72m' x", 'eval "$Y"', 'echo rm x | sh', 'alias ls=rm; ls x', 'sh <<< "rm x"', "xargs -I{} rm {}", 'if true; then rm x; fi', 'cat <<EOF\n`rm x`\nEOF', "env -S 'rm x'", 'command rm x', 'echo "$(case x in x) rm y;; esac)"', 'case x in x) rm y;; esac', 'case x in a|b) ;; (c) rm y;; esac', 'case x\nin\nx) rm y;; esac']) {
      expect(bash(command, { mode, rules }).verdict, command).toBe('deny');
    }
    for (const command of ['ls | wc -l', 'echo rm', 'for f in a rm; do echo "$f"; done', "cat <<'EOF'\nrm x\nEOF", 'case x in rm) echo;; esac', 'ls > rm', 'command -v rm', 'echo hi # rm x']) {
      expect(bash(command, { mode, rules }).verdict, command).toBe('allow');
    }
  });

  it('are read by name', () => {
    expect(parseMode('bypassPermissions')).toBe('unrestricted');
    expect(parseMode('acceptEdits')).toBe('acceptEdits');
    expect(parseMode('acceptedits')).toBeUndefined();
  });
});

describe('order and places', () => {
  it('goes deny, ask, allow', () => {
    const lists = { allow: ['Edit(src/**)'], ask: ['Edit(src/b/**)'], deny: ['Edit(src/b/c/**)'] };
    expect(edit('/ws/src/a', { rules: lists }).verdict).toBe('allow');
    expect(edit('/ws/src/b/a', { rules: lists })).toMatchObject({ verdict: 'ask', rules: [] });
    expect(edit('/ws/src/b/c/a', { rules: lists }).verdict).toBe('deny');
  });

  it('decides on the real path, and denies on either', () => {
    const locate = [{ path: '/ws/link', real: '/secret/key' }];
    expect(read('/ws/link', { locate }).verdict).toBe('ask');
    expect(read('/ws/link', { locate, rules: { allow: ['Read(/**)'] } }).verdict).toBe('ask');
    expect(read('/ws/link', { locate, rules: { deny: ['Read(link)'] } }).verdict).toBe('deny');
    expect(read('/ws/link', { locate, rules: { deny: ['Read(//secret/**)'] } }).verdict).toBe('deny');
    expect(read('/ws/nowhere', { locate }).verdict).toBe('ask');
  });

  it('lets a deny on Read hold for every reading tool, and makes a search ask that could show denied text', () => {
    const rules = { deny: ['Read(.env)'] };
    for (const tool of ['Read', 'Grep', 'Glob', 'LS']) expect(read('/ws/a/.env', { tool, rules }).verdict, tool).toBe('deny');
    expect(read('/ws', { tool: 'Grep', rules }).verdict).toBe('ask');
    expect(read('/ws', { tool: 'Glob', rules }).verdict).toBe('allow');
    expect(read('/skills/pdf', { tool: 'Grep', rules }).verdict).toBe('allow');
    expect(read('/ws/a/.env.example', { rules }).verdict).toBe('allow');
  });

  it('lets Edit rules hold for Write and NotebookEdit, and Write rules for Write alone', () => {
    for (const tool of ['Edit', 'Write', 'NotebookEdit']) expect(edit('/ws/docs/a', { tool, rules: { allow: ['Edit(docs/**)'] } }).verdict, tool).toBe('allow');
    expect(edit('/ws/docs/a', { tool: 'Edit', rules: { allow: ['Write(docs/**)'] } }).verdict).toBe('ask');
  });

  it('counts the product\'s own data as outside although it lies in the workspace, but not a folder of it in which the work is', () => {
    const at = (tool: string, path: string, action: 'read' | 'edit', { roots = ['/home/u'], allow = ['Read', 'Edit'] }: { readonly roots?: readonly string[]; readonly allow?: readonly string[] } = {}) =>
      decide({ call: { tool, needs: [{ action, path }] }, mode: 'acceptEdits', rules: rulesOf({ allow }), workspace: { roots, readableRoots: ['/home/u/.skillmint/outputs/s'], home: '/home/u', closed: ['/home/u/.skillmint'] }, locate: [{ path, real: path }] }).verdict;
    expect(at('Read', '/home/u/.skillmint/config.json', 'read')).toBe('ask');
    expect(at('Edit', '/home/u/.skillmint/config.json', 'edit')).toBe('ask');
    expect(at('Grep', '/home/u', 'read')).toBe('ask');
    expect([at('Grep', '/home/u/src', 'read'), at('LS', '/home/u', 'read'), at('Read', '/home/u/.skillmint/outputs/s/1.txt', 'read')]).toEqual(['allow', 'allow', 'allow']);
    expect(at('Read', '/home/u/.skillmint/config.json', 'read', { allow: ['Read(~/.skillmint/config.json)'] })).toBe('allow');
    const roots = ['/home/u/.skillmint/skills/mine'];
    expect([at('Read', `${roots[0]}/SKILL.md`, 'read', { roots }), at('Edit', `${roots[0]}/SKILL.md`, 'edit', { roots })]).toEqual(['allow', 'allow']);
  });

  it('covers outside places and protected files only by rules that spell them', () => {
    expect(edit('/other/a', { rules: { allow: ['Edit'] } }).verdict).toBe('ask');
    expect(edit('/other/a', { rules: { allow: ['Edit(//other/**)'] } }).verdict).toBe('allow');
    expect(edit('/other-evil/a', { rules: { allow: ['Edit(//other/**)'] } }).verdict).toBe('ask');
    expect(edit('/home/u/notes/a', { rules: { allow: ['Edit(~/notes/**)'] } }).verdict).toBe('allow');
    expect(edit('/ws/.mcp.json', { rules: { allow: ['Edit(**)', 'Edit'] } }).verdict).toBe('ask');
    expect(edit('/ws/.mcp.json', { rules: { allow: ['Edit(.mcp.json)'] } }).verdict).toBe('allow');
  });

  it('knows hosts by their whole name', () => {
    const fetch = (url: string, rule: string): string => ask({ tool: 'WebFetch', need: { action: 'network', url }, rules: { allow: [rule] } }).verdict;
    expect(fetch('https://Example.com./a', 'WebFetch(domain:example.com)')).toBe('allow');
    expect(fetch('https://a.example.com/', 'WebFetch(domain:example.com)')).toBe('ask');
    expect(fetch('https://a.example.com/', 'WebFetch(domain:*.example.com)')).toBe('allow');
    for (const host of ['example.com', 'example.com.evil.net', 'evil-example.com', 'evil.net/?a.example.com', 'a.example.com@evil.net']) {
      expect(fetch(`https://${host}/`, 'WebFetch(domain:*.example.com)'), host).toBe('ask');
    }
  });

  it('matches MCP tools by server and skills and agents by name', () => {
    const tool = (name: string, rule: string): string => ask({ tool: name, need: { action: 'tool' }, rules: { allow: [rule] } }).verdict;
    expect(tool('mcp__git__log', 'mcp__git__*')).toBe('allow');
    expect(tool('mcp__git__log', 'mcp__git')).toBe('allow');
    expect(tool('mcp__github__log', 'mcp__git')).toBe('ask');
    const skill = (name: string): string => ask({ tool: 'Skill', need: { action: 'skill', skill: name }, rules: { deny: ['Skill(pdf*)'] } }).verdict;
    expect([skill('pdf-forms'), skill('docx')]).toEqual(['deny', 'allow']);
    expect(ask({ tool: 'Task', need: { action: 'task', agent: 'explore' }, rules: { ask: ['Task(explore)'] } }).verdict).toBe('ask');
  });

  it('takes the strictest answer over all needs of a call', () => {
    const verdict = decide({
      call: { tool: 'Edit', needs: [{ action: 'read', path: '/ws/a' }, { action: 'edit', path: '/ws/a' }] },
      mode: 'default', rules: rulesOf({}), workspace, locate: [{ path: '/ws/a', real: '/ws/a' }],
    });
    expect(verdict).toMatchObject({ verdict: 'ask', rules: ['Edit(./**)'] });
  });
});

describe('what "always" would store', () => {
  const stored = (command: string): readonly string[] => {
    const verdict = bash(command);
    return verdict.verdict === 'ask' ? verdict.rules : [];
  };

  it('is a narrow prefix where words say what a program does', () => {
    expect(stored('git status -s')).toEqual(['Bash(git status:*)']);
    expect(stored('npm run build -- --watch')).toEqual(['Bash(npm run build:*)']);
    expect(stored('npm test')).toEqual(['Bash(npm test:*)']);
    expect(stored('ls -la src')).toEqual(['Bash(ls:*)']);
  });

  it('is the exact command for interpreters, wrappers and whatever else could run anything', () => {
    expect(stored('python3 run.py a.csv')).toEqual(['Bash(python3 run.py a.csv)']);
    expect(stored('sudo ls')).toEqual(['Bash(sudo ls)']);
    expect(stored('git -C /x status')).toEqual(['Bash(git -C /x status)']);
    expect(stored('git config user.name x')).toEqual(['Bash(git config user.name x)']);
    expect(stored('rm -rf build')).toEqual(['Bash(rm -rf build)']);
    expect(stored(`node -e "console.log('a b')"`)).toHaveLength(1);
  });

  it('is nothing where no rule could cover the command', () => {
    expect([...stored('rm *.o'), ...stored('git status; rm *.o'), ...stored('printenv "$HOME"'), ...stored('X=1 make'), ...stored('a $((i++))'), ...stored('x > y')]).toEqual([]);
  });

  it('is one rule for each simple command that has none (C-R8)', () => {
    expect(stored('git status && npm test')).toEqual(['Bash(git status:*)', 'Bash(npm test:*)']);
    expect(stored('for f in *; do git add "$f"; done | timeout 5 npm run build')).toEqual(['Bash(git add:*)', 'Bash(npm run build:*)']);
    const verdict = bash('git status && npm test', { rules: { allow: ['Bash(git:*)'] } });
    expect(verdict).toMatchObject({ verdict: 'ask', rules: ['Bash(npm test:*)'] });
  });

  it('covers the command that it was made from, and not its neighbours', () => {
    for (const command of ['git status -s', `python3 -c 'print("a b") # it'`, `node -e "console.log('(x)')"`, "printf '%s:*' x", "echo 'a *'", 'grep -n "a b" f', 'docker ps']) {
      expect(bash(command, { rules: { allow: stored(command) } }).verdict, command).toBe('allow');
      expect(bash(`${command}; id`, { rules: { allow: stored(command) } }).verdict).toBe('ask');
    }
    expect(bash('rm -rf build other', { rules: { allow: stored('rm -rf build') } }).verdict).toBe('ask');
    expect(bash('rm -rf /', { rules: { allow: stored("rm '*'") } }).verdict).toBe('ask');
  });

  it('is the folder of a file', () => {
    expect(edit('/ws/src/a.ts')).toMatchObject({ rules: ['Edit(./src/**)'] });
    expect(edit('/other/x/a.ts')).toMatchObject({ rules: ['Edit(//other/x/**)'] });
    expect(edit('/ws/app/[id]/a.ts', { rules: { allow: ['Edit(/app/?id?/**)'] } }).verdict).toBe('allow');
    expect(read('/other/x', { tool: 'Grep' })).toMatchObject({ rules: ['Read(//other/x/**)'] });
    expect(read('/other/x/deep/f', { tool: 'Grep', rules: { allow: ['Read(//other/x/**)'] } }).verdict).toBe('allow');
  });
});
