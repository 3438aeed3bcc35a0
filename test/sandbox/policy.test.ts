import { describe, expect, it } from 'vitest';
import { bubblewrapArgs } from '../../src/sandbox/bubblewrap-args.ts';
import { gitIdentity } from '../../src/sandbox/git-identity.ts';
import { sandboxPolicy } from '../../src/sandbox/policy.ts';
import { toolchainFolders } from '../../src/sandbox/toolchains.ts';

describe('toolchain folders', () => {
  const folders = (path: string, env: Readonly<Record<string, string>> = {}, execPath = '/usr/bin/node'): readonly string[] => toolchainFolders({ env: { PATH: path, ...env }, home: '/home/u', execPath });

  it('are those of version managers below the home, as a whole', () => {
    expect(folders('/home/u/.pyenv/shims:/home/u/.cargo/bin:/usr/bin')).toEqual(['/home/u/.pyenv', '/home/u/.cargo', '/home/u/.rustup']);
    expect(folders('/usr/bin', {}, '/home/u/.nvm/versions/node/v20/bin/node')).toEqual(['/home/u/.nvm']);
    expect(folders('/home/u/.local/bin')).toContain('/home/u/.local/share/uv');
  });

  it('are never the home or a folder that holds it', () => {
    expect(folders('/home/u:/home/u/bin:/home:/:bin:/home/u/../x/bin:/mnt/c/Windows', { VIRTUAL_ENV: '/home/u', JAVA_HOME: '/home' })).toEqual(['/home/u/bin']);
    expect(folders('/home/u/tools/x/bin/')).toEqual(['bin', 'lib', 'libexec', 'share', 'include'].map((name) => `/home/u/tools/x/${name}`));
    expect(folders('/data/venv/bin', { VIRTUAL_ENV: '/data/venv' })).toContain('/data/venv');
  });
});

describe('the git identity', () => {
  it('keeps who a person is and nothing that is secret or runs', () => {
    const text = gitIdentity([
      '[user]\nname = Old\n',
      '# comment\n[User]\n  Name = "Ada \\"A\\" Example" ; who\n\temail = ada@example.com # mail\n[user "x"]\n name = other\n[core] autocrlf = input\n editor = evil\n fsmonitor = evil\n[credential]\nhelper = store\n[http]\n extraHeader = "Authorization: x"\n[include]\npath = y\n[safe]\ndirectory = /a\ndirectory = /b\n[user]\nsigningkey = K\n',
    ]);
    expect(text).toBe('[user]\n\tname = "Ada \\"A\\" Example"\n[user]\n\temail = "ada@example.com"\n[core]\n\tautocrlf = "input"\n[safe]\n\tdirectory = "/a"\n[safe]\n\tdirectory = "/b"\n');
  });
});

describe('the arguments', () => {
  const input = { roots: ['/home/u/ws'], readable: ['/home/u/.skillmint/skills/pdf'], home: '/home/u', dataFolder: '/home/u/.skillmint', system: { folders: ['/usr', '/etc'], links: [{ path: '/bin', target: 'usr/bin' }] }, toolchains: ['/home/u/.nvm'], credentials: [{ path: '/home/u/.nvm/.npmrc', kind: 'file' as const }, { path: '/home/u/.ssh', kind: 'folder' as const }] };

  it('name every wall, mount outer folders first and hide only what would show', () => {
    const args = bubblewrapArgs(sandboxPolicy(input), { argv: ['echo', '--x'], cwd: '/home/u/ws', guards: [], forbidNested: true });
    for (const flag of ['--unshare-all', '--unshare-user', '--disable-userns', '--die-with-parent', '--new-session']) expect(args).toContain(flag);
    expect(args.join(' ')).toContain('--cap-drop ALL');
    const at = (text: string): number => args.join('\n').indexOf(text.replaceAll(' ', '\n'));
    expect(at('--tmpfs /home/u')).toBeGreaterThan(0);
    expect(at('--bind /home/u/ws')).toBeGreaterThan(at('--tmpfs /home/u'));
    expect(at('--ro-bind /dev/null /home/u/.nvm/.npmrc')).toBeGreaterThan(at('--ro-bind-try /home/u/.nvm'));
    expect(args).not.toContain('/home/u/.ssh');
    expect(args).not.toContain('--setenv');
    expect(args.slice(-3)).toEqual(['--', 'echo', '--x']);
    expect(args.slice(-7, -3)).toEqual(['--remount-ro', '/', '--chdir', '/home/u/ws']);
  });

  it('let a virtual environment of the project be changed, and no programs of a home', () => {
    const mounted = (root: string, folder: string): boolean => bubblewrapArgs(sandboxPolicy({ ...input, roots: [root], toolchains: [folder], credentials: [] }), { argv: ['x'], cwd: '/', guards: [], forbidNested: true }).join(' ').includes(`--ro-bind-try ${folder} `);
    expect(mounted('/home/u/ws', '/home/u/ws/.venv')).toBe(false);
    expect(mounted('/home/u/ws', '/home/u/.nvm')).toBe(true);
    expect(mounted('/home/u', '/home/u/.nvm')).toBe(true);
  });

  it('leave /var/tmp a folder where the workspace or the home lies in it', () => {
    const varTmp = (roots: readonly string[], home: string): string => bubblewrapArgs(sandboxPolicy({ ...input, roots, home, toolchains: [], credentials: [] }), { argv: ['x'], cwd: '/', guards: [], forbidNested: true }).join(' ');
    expect(varTmp(['/home/u/ws'], '/home/u')).toContain('--symlink /tmp /var/tmp');
    for (const args of [varTmp(['/var/tmp/ws'], '/home/u'), varTmp(['/home/u/ws'], '/var/tmp/u')]) {
      expect(args).toContain('--dir /var/tmp');
      expect(args).not.toContain('--symlink /tmp /var/tmp');
    }
  });

  it('leave out the ban on nested namespaces where it is not known', () => {
    expect(bubblewrapArgs(sandboxPolicy(input), { argv: ['x'], cwd: '/', guards: [], forbidNested: false })).not.toContain('--disable-userns');
  });
});
