import { describe, expect, it } from 'vitest';
import { commandFacts } from '../../../src/permissions/command-facts.ts';
import { decide, type DecisionRequest } from '../../../src/permissions/decide.ts';
import { rulesOf, workspace } from '../helpers.ts';
import type { PermissionRules } from '../../../src/permissions/rules.ts';
import type { PermissionVerdict } from '../../../src/protocol/permission.ts';

/** Decides a command that runs in `cwd`; every path lies where it says. */
function bash(command: string, { cwd = '/ws', mode = 'default', locate = [], ...rules }: { readonly cwd?: string; readonly mode?: DecisionRequest['mode']; readonly locate?: DecisionRequest['locate'] } & Partial<PermissionRules> = {}): PermissionVerdict {
  const paths = [cwd, ...commandFacts({ command }, cwd).files.flatMap(({ path }) => path ?? [])].filter((path) => !locate.some((one) => one.path === path));
  return decide({
    call: { tool: 'Bash', needs: [{ action: 'command', command, cwd }] },
    mode, rules: rulesOf(rules), workspace,
    locate: [...locate, ...paths.map((path) => ({ path, real: path }))],
  });
}

describe('commands that only show something', () => {
  it('run without a question in the workspace', () => {
    for (const command of ['ls', 'ls -la', 'cat a b', 'grep -rn "x y" a | head -n 5 | wc -l', 'pwd; echo done', 'find . -name "*.ts"', 'git_x=1; true'].slice(0, -1)) {
      expect(bash(command).verdict, command).toBe('allow');
      expect(bash(command, { mode: 'plan' }).verdict, command).toBe('allow');
    }
    expect(bash('git status && echo done', { allow: ['Bash(git:*)'] }).verdict).toBe('allow');
  });

  it('ask elsewhere, and for files that lie outside or cannot be told', () => {
    expect(bash('ls', { cwd: '/other' }).verdict).toBe('ask');
    for (const command of ['cat /etc/passwd', 'cat ../x', 'ls ~', 'cat "$F"', 'cat *', 'cat {a,/etc/passwd}', 'grep -f/etc/passwd x', 'grep -rR x .', 'find -L . -name x', 'cat a < /etc/passwd', 'cd sub && ls', 'echo $SECRET', 'LC_ALL=C ls', 'sort -o a b', 'uniq a b', 'uniq - b', 'uniq a -', 'find . -delete', './ls', 'command ls; rm a']) {
      expect(bash(command).verdict, command).toBe('ask');
    }
    expect(bash('cat a', { locate: [{ path: '/ws/a', real: '/etc/shadow' }] }).verdict).toBe('ask');
  });

  it('keep to the rules for reading', () => {
    expect(bash('cat .env', { deny: ['Read(.env)'] }).verdict).toBe('deny');
    expect(bash('cat .env', { deny: ['Read(.env)'], allow: ['Bash(cat:*)'] }).verdict).toBe('deny');
    expect(bash('grep -r x', { deny: ['Read(.env)'] }).verdict).toBe('ask');
    expect(bash('ls', { deny: ['Read(.env)'] }).verdict).toBe('allow');
    expect(bash('cat /etc/passwd', { allow: ['Bash(cat:*)'] }).verdict).toBe('allow');
    expect(bash('cat /etc/passwd', { allow: ['Read(//etc/**)'] }).verdict).toBe('allow');
  });
});

describe('files that the shell opens', () => {
  it('are changes of those files', () => {
    expect(bash('git log > out', { allow: ['Bash(git:*)'] })).toMatchObject({ verdict: 'ask', rules: ['Edit(./**)'] });
    expect(bash('git log > out', { allow: ['Bash(git:*)', 'Edit(out)'] }).verdict).toBe('allow');
    expect(bash('git log > out', { allow: ['Bash'] }).verdict).toBe('allow');
    expect(bash('echo x > out', { mode: 'acceptEdits' }).verdict).toBe('allow');
    expect(bash('echo x > out', { mode: 'plan' }).verdict).toBe('deny');
    expect(bash('echo x > out', { mode: 'unrestricted', deny: ['Edit(out)'] }).verdict).toBe('deny');
    for (const command of ['echo x > .git/config', 'echo x > /home/u/x', 'echo x > "$F"', 'cd sub && echo x > out', 'echo x > /dev/tcp/10.0.0.1/80', 'echo x >> ~/x', 'echo x > {a,b}']) {
      expect(bash(command, { mode: 'acceptEdits', allow: ['Bash(cd:*)', 'Bash(echo:*)'] }).verdict, command).toBe('ask');
      expect(bash(command, { allow: ['Bash'] }).verdict, command).toBe('ask');
    }
    for (const command of ['git log 2>&1', 'git log > /dev/null 2>&1', 'git log <<< x', 'git log 1>&-']) expect(bash(command, { allow: ['Bash(git:*)'] }).verdict, command).toBe('allow');
  });
});

describe('what nobody can tell before it runs', () => {
  it('is asked for, and never covered by a rule', () => {
    const allow = ['Bash(git:*)'];
    for (const command of ['git log $((x))', 'git log $((a[0]))', '[[ $x -eq 1 ]] && git log', 'git log ${!x}', 'git log ${x@P}', 'git log ${a[i]}', 'git log ${x:y}', 'for PATH in /tmp/x; do git log; done', 'git log ${PATH:=/tmp/x}', 'git log {PATH}>/dev/null', 'for http_proxy in x; do git fetch; done', 'coproc GIT_DIR { git log; }', 'git log && (( x = 1 ))']) {
      expect(bash(command, { allow }), command).toMatchObject({ verdict: 'ask', rules: [] });
    }
    for (const command of [
      'git log <(git log)#$(id)', "git log <<'E' $(git log <<F)\n$(id)\nF\nE\n", "git log <<'E' <(git log <<F)\n$(id)\nF\nE\n", `git log "\${x:-$'$(id)'}"`, `git log $"\${x#'$(id)'}"`, "(\\\n(CI='`id`'))", 'git log $\\\n(id)', 'git log <\\\n(id)',
    ]) {
      expect(bash(command, { allow }), command).toMatchObject({ verdict: 'ask', rules: [] });
      expect(bash(command, { mode: 'unrestricted', deny: ['Bash(id:*)'] }).verdict, command).toBe('deny');
    }
    for (const command of ['git log <(git log) <(git log)>/dev/null', 'git log $(git log <<E\nx\nE\n)', 'git log \\\n  --oneline |\\\n git log', 'git log "${x:-main}"', 'git log <<E\nx\nE']) expect(bash(command, { allow }).verdict, command).toBe('allow');
    for (const command of ['git log $((1 + 2))', '[[ -f $x ]] && git log', 'git log ${x:-main} ${x%.*} ${x:0:7} ${#x}', 'for branch in a b; do git log "$branch"; done', 'git log "${a[@]}" ${x@Q}', 'while git fetch; do git log; done']) {
      expect(bash(command, { allow }).verdict, command).toBe('allow');
    }
  });
});

describe('what looks harmless and is not', () => {
  it('is asked for without a rule, and no change in plan mode', () => {
    for (const command of [
      "test -v 'a[$(id)]'", "[ -v 'a[$(id)]' ]", "[[ -v 'a[$(id)]' ]]", "for a in 'x[$(id)]'; do [[ -v $a ]]; done", "CI['$(id)']=1", "TZ=(['$(id)']=1)", "cat <<EOF\n${x:-'$(id)'}\nEOF",
      'cat < /ws/$x', 'cat < /ws/l*k/f', 'for x in ../out; do cat < /ws/$x; done', 'cat /ws/link/../secret', 'sort --compress-prog=x a', 'sort --o=x a', 'grep --reg=x /etc/passwd', 'grep -1ex /etc/passwd', 'grep -1R x .', 'ls -LR', 'du --dereference .',
      'sort --files0-from=-', 'wc --files0-from=.env', "jq -n 'import \"p\" as $p; $p'", 'diff -r --from-file=.. a', 'strings @/etc/passwd', 'uniq a -- -out', 'xxd a out', 'tree -ao out', 'file -C -m a', 'find . -fprintf x y', 'command cd /etc; cat passwd', 'echo *', 'echo ~', 'date -f .env', 'rg --pre x y',
    ]) {
      expect(bash(command).verdict, command).toBe('ask');
      expect(bash(command, { mode: 'plan' }).verdict, command).not.toBe('allow');
    }
    for (const command of ['echo x > /ws/sub/$x', 'echo x > /ws/.gi[t]/config', 'for x in .git; do echo x > /ws/$x/config; done', 'echo x > /ws/link/../y']) expect(bash(command, { mode: 'acceptEdits', allow: ['Edit'] }).verdict, command).toBe('ask');
  });

  it('does not get past a deny rule by its spelling', () => {
    for (const command of [
      'bash rm x', 'timeout 5 sh rm x', "bash -Ec 'rm x'", "bash -c -o pipefail 'rm x'", "echo 'rm x' | bash -o pipefail", "env -iS 'rm x'", "env --split='rm x'", "rbash -c 'rm x'", "flock l -c 'rm x'", "watch 'rm x'", "script -qc 'rm x'", 'taskset 1 rm x', "su -c 'rm x'", 'fd -x rm', 'fakeroot rm x', 'valgrind -q rm x', '/lib64/ld-linux-x86-64.so.2 /bin/rm x', 'setpriv --reuid 1 rm x', "tmux new -d 'rm x'", "sudo --us root sh -c 'rm x'",
      "mapfile -C 'rm x' -c1 a", "compgen -C 'rm x'", "let 'a[$(rm f)]=1'", "declare 'a[$(rm f)]=1'", "x='$(rm f)'; : ${x@P}", "x='a[$(rm f)]'; ((x))", "cat <<EOF\n${x:-'$(rm f)'}\nEOF",
    ]) {
      expect(bash(command, { allow: ['Bash'], deny: ['Bash(rm:*)'] }).verdict, command).not.toBe('allow');
      expect(bash(command, { mode: 'unrestricted', deny: ['Bash(rm:*)'] }).verdict, command).toBe('deny');
    }
    const deny = ['Read(secrets/**)', 'Read(.env)', 'Edit(secrets/**)'];
    for (const command of ['cat secrets/../secrets/key', 'cat sec*/key', 'cat < /ws/secret?/key', 'cat "$F"', 'grep x -r .', 'cat < ~/x', 'echo x > sub/../secrets/key', 'cd secrets; echo x > key']) {
      expect(bash(command, { allow: ['Bash'], deny }).verdict, command).not.toBe('allow');
    }
  });

  it('is decided in little time', () => {
    const started = process.cpuUsage();
    for (const command of [`sed '${';s1'.repeat(800)}${'1'.repeat(2_000)}'`, `sed '${';s1'.repeat(1_600)}${'1'.repeat(4_000)}'`, 'ls|'.repeat(3_300)]) bash(command, { allow: ['Bash(sed:*)'] });
    expect(process.cpuUsage(started).user / 1_000_000).toBeLessThan(20);
  });
});

describe('PowerShell', () => {
  it('is always asked for', () => {
    for (const allow of [['Bash'], ['Bash(git:*)'], ['Bash(git status)']]) {
      const need = { action: 'command', command: 'git status', cwd: '/ws', shell: 'powershell' } as const;
      expect(decide({ call: { tool: 'Bash', needs: [need] }, mode: 'default', rules: rulesOf({ allow }), workspace, locate: [{ path: '/ws', real: '/ws' }] })).toMatchObject({ verdict: 'ask', rules: [] });
    }
    expect(bash('git status', { deny: ['Bash(git:*)'] }).verdict).toBe('deny');
  });
});

describe('arguments that make a program run another one', () => {
  it('need a rule that spells them', () => {
    const cases: readonly (readonly [string, readonly string[], readonly string[]])[] = [
      ['Bash(git:*)', ['git grep --open=x y', 'git grep -nOx y', 'git fetch --upload=x .', 'git clone -qu x . y', 'git config core.hooksPath list', 'git config core.sshCommand x get', 'git rebase -ix id', 'git -c a.b=c log', 'git -C /x log', 'git --exec-path=/x log', 'git clone -u x y', 'git clone -c core.pager=x y', 'git grep -Oless x', 'git log --output=x', 'git config core.pager x', 'git config --unset a.b', 'git submodule foreach id', 'git bisect run x', 'git rebase -x id main', 'git remote add x ext::sh', 'git archive -o x HEAD'], ['git commit -c HEAD', 'git config user.name', 'git config --get-all a.b', 'git push -u origin main', 'git log --oneline', 'git checkout -b x']],
      ['Bash(sed:*)', ['sed -i s/a/b/ f', "sed 's/a/id/e' f", "sed 's/a/b/w out' f", "sed -n '/x/w out' f", "sed 'e' f", 'sed -f x f', "sed '1eid' f", "sed 'wout' f", "sed -e'w out' f", "sed --expression='e id' f", "sed 's/[/]x/;s#/e;#x#' f", "sed '/[/]x/p;s#/e;#x#' f", "sed 's/[\\/]x/y/' f", "sed '/a/Ie id' f", 'sed --in-pl s/a/b/ f'], ["sed -n '1,5p' f", "sed 's/we/they/g' f", "sed -e '/^$/d' f", "sed 's/[[:space:]]*[^]x]$/[/' f"]],
      ['Bash(uniq:*)', ['uniq - x', 'uniq x -'], ['uniq -', 'uniq -c x']],
      ['Bash(awk:*)', ["awk '{print > \"x\"}' f", "awk '{print | \"sh\"}' f", "awk '\"id\" | getline' f", 'awk -f x f'], ["awk '{print $1}' f", "awk 'NR > 1 || /x/' f"]],
      ['Bash(curl:*)', ['curl -o x http://a', 'curl -sSLO http://a', 'curl -K x', 'curl --output=x http://a'], ['curl -sSL http://a']],
      ['Bash(make:*)', ['make -f x', 'make SHELL=x', 'make -C /x'], ['make', 'make build']],
      ['Bash(tar:*)', ['tar cf x --use-comp=y a', 'tar cfI x y a', 'tar --checkpoint-act=exec=x', 'tar -I x -cf a b', 'tar xf a --to-command=x'], ['tar xzf a.tgz', 'tar -czvf a.tgz b']],
      ['Bash(ssh:*)', [], []],
      ['Bash(docker:*)', ['docker run x', 'docker -D run x', 'docker compose up'], ['docker ps', 'docker logs x']],
      ['Bash(sqlite3:*)', ["sqlite3 :memory: '.sh id'"], ["sqlite3 a.db 'select 1'"]],
      ['Bash(fd:*)', ['fd -x id', 'fd -HX id', 'fd --exec-b id'], ['fd -e ts x']],
      ['Bash(fakeroot:*)', ['fakeroot id'], []],
      ['Bash(ip:*)', ['ip netns exec n id', 'ip vrf e n id'], ['ip addr show']],
      ['Bash(tee:*)', ['tee x'], ['tee', 'tee /dev/null']],
    ];
    for (const [rule, risky, plain] of cases) {
      for (const command of risky) expect(bash(command, { allow: [rule] }).verdict, command).toBe('ask');
      for (const command of plain) expect(bash(command, { allow: [rule] }).verdict, command).toBe('allow');
    }
    expect(bash('git -c a.b=c log', { allow: ['Bash(git -c a.b=c log:*)'] }).verdict).toBe('allow');
    expect(bash('git config a.b c', { allow: ['Bash(git config:*)'] }).verdict).toBe('allow');
    expect(bash('git push --receive-pack=x')).toMatchObject({ verdict: 'ask', rules: ['Bash(git push --receive-pack=x)'] });
  });
});

describe('wrappers that leave a command what it is', () => {
  it('do so with options that are known, since another one may have the next word for itself', () => {
    const allow = ['Bash(git:*)'];
    for (const command of ['\\time --form git id', '\\time -o git id', 'timeout --sig 5 git x', 'stdbuf --inp git id', 'nohup -x git id', 'command -x git id']) expect(bash(command, { allow }).verdict, command).toBe('ask');
    for (const command of ['time -p git log', 'timeout -s KILL -k2 5 git log', 'timeout --signal=INT --foreground 5 git log', 'nice -n -5 git log', 'nice -5 git log', 'nohup -- git log', 'stdbuf -oL -e 0 git log', 'command -p git log']) expect(bash(command, { allow }).verdict, command).toBe('allow');
  });
});

describe('builtins of the shell (CVE-2026-22708)', () => {
  it('run nothing, and change nothing for others, where a rule names them alone', () => {
    const allow = ['printf', 'test', "'['", 'read', 'unset', 'declare', 'local', 'export', 'mapfile', 'wait', 'getopts', 'let', 'set', 'alias', 'hash', 'enable', 'complete', 'compgen'].map((name) => `Bash(${name}:*)`);
    for (const command of [
      "printf -v 'a[$(id)]' x", 'printf -vPATH x', "test -v 'a[$(id)]'", "[ -v 'a[$(id)]' ]", "read 'a[$(id)]'", 'read -r PATH', 'read $x', "unset 'a[$(id)]'", "declare 'a[$(id)]=1'", 'declare -n r=PATH', 'read y; declare -i x=y', "declare -a 'x=($(id))'",
      'export PATH=x', 'export GIT_SSH=x', 'local LD_PRELOAD=x', 'mapfile -C id x', 'mapfile PATH', "wait -p 'a[$(id)]' -n", 'getopts a PATH', 'let x=1', 'set -k', 'alias ls=id', 'hash -p x ls', 'enable -f x y', 'complete -C id x', "compgen -W '$(id)'",
    ]) expect(bash(command, { allow }).verdict, command).toBe('ask');
    for (const command of ["printf '%s' -v", 'test -f x', '[ -d x ]', 'read -r line', 'unset x', 'export CI=1 x=y', 'declare -r x=1', 'set -euo pipefail', 'wait', 'let 1+1']) expect(bash(command, { allow }).verdict, command).toBe('allow');
  });

  it.each([
    'export PATH=/ws/evil', 'declare -x PATH=/ws/evil', 'typeset PATH=x', 'readonly PATH=x', 'local x=1', 'alias ls=evil', 'eval ls', 'exec ls', 'source ./x', '. ./x', 'builtin eval ls', 'enable -n ls', 'enable -f ./x.so y', 'hash -p ./evil ls',
    'trap evil EXIT', 'set -o allexport', 'shopt -s expand_aliases', 'printf -v PATH x', 'read PATH', 'mapfile -C evil a', 'unset PATH', 'bind -x x', 'complete -C evil x', 'coproc evil', 'let "a[$(evil)]=1"', 'history -w x', 'fc -e evil', 'ulimit -c 0', 'umask 0', 'kill -9 1', 'cd /', 'pushd /', 'getopts "a" PATH', 'PROMPT_COMMAND=evil',
  ])('ask where no rule is for them, and what stands beside is no cover: %s', (command) => {
    for (const text of [command, `git status; ${command}`, `${command} && git status`]) {
      expect(bash(text, { allow: ['Bash(git:*)'] }).verdict, text).not.toBe('allow');
    }
  });
});
