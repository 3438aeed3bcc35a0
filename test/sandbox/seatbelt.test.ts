import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { PROTECTED_FROM_COMMANDS } from '../../src/protocol/protected-paths.ts';
import { MAC_SYSTEM_FOLDERS } from '../../src/sandbox/places.ts';
import { sandboxPolicy, type PolicyInput } from '../../src/sandbox/policy.ts';
import { seatbeltProfile, type ProfileOptions } from '../../src/sandbox/seatbelt/profile.ts';
import { seatbeltMechanism } from '../../src/sandbox/seatbelt/seatbelt-mechanism.ts';
import { developerFolders } from '../../src/sandbox/seatbelt/developer-folders.ts';
import { surveySandbox } from '../../src/sandbox/survey.ts';
import { readProfile, verdict, type Wish } from './seatbelt-reader.ts';

const HOME = '/Users/u';
const WS = '/Users/u/ws';
const TMP = '/private/var/folders/a/T/skillmint-tmp-1';
const INPUT: PolicyInput = {
  roots: [WS], readable: [`${HOME}/.skillmint/skills/pdf`, `${WS}/tools/skills/x`], home: HOME, dataFolder: `${HOME}/.skillmint`, system: { folders: MAC_SYSTEM_FOLDERS, links: [] },
  toolchains: [`${HOME}/.nvm`], credentials: [{ path: `${HOME}/.nvm/.npmrc`, kind: 'file' }, { path: '/private/etc/ssh', kind: 'folder' }, { path: `${HOME}/.ssh`, kind: 'folder' }],
  gitIdentity: `${HOME}/.skillmint/sandbox/gitconfig`, temporary: TMP,
};
const OPTIONS: ProfileOptions = { kept: [], ports: { listen: [], connect: [] }, spellings: (place) => [place] };

const profile = (input: Partial<PolicyInput> = {}, options: Partial<ProfileOptions> = {}): string => seatbeltProfile(sandboxPolicy({ ...INPUT, ...input }), { ...OPTIONS, ...options });
const asked = (text: string) => (operation: string, place: string): string => verdict(text, { operation, path: place });
const WRITES = ['file-write-data', 'file-write-create', 'file-write-unlink', 'file-write-mode'];

describe('the profile for macOS', () => {
  const says = asked(profile());

  it.each([WS, TMP].map((folder) => [`${folder}/a/b`]))('C-S1: lets %s be read and changed', (place) => {
    expect(['file-read-data', 'file-read-metadata', ...WRITES].map((operation) => says(operation, place))).toEqual(Array.from({ length: 6 }, () => 'allow'));
  });

  it.each(['/usr/bin/git', '/bin/bash', '/opt/homebrew/bin/node', '/private/etc/hosts', '/System/Library/dyld/x', `${HOME}/.nvm/v20/bin/node`, `${HOME}/.skillmint/skills/pdf/SKILL.md`, `${WS}/tools/skills/x/SKILL.md`, `${HOME}/.skillmint/sandbox/gitconfig`])('C-S1: lets %s be read alone', (place) => {
    expect(says('file-read-data', place)).toBe('allow');
    expect(WRITES.map((operation) => says(operation, place))).toEqual(WRITES.map(() => 'deny'));
  });

  it.each([
    `${HOME}/.ssh/id_rsa`, `${HOME}/.aws/credentials`, `${HOME}/notes.txt`, '/Users/other/ws/key', `${HOME}/ws-evil/key`, `${HOME}/.skillmint/skillmint.db`, `${HOME}/.skillmint/config.json`, `${HOME}/.skillmint/skills/other/SKILL.md`,
    `${HOME}/.skillmint/sandbox/other`, `${HOME}/.nvm/.npmrc`, `${HOME}/.nvm/.NPMRC`, '/private/etc/ssh/key', '/private/tmp/x', '/private/var/folders/a/T/other', '/System/Volumes/Data/Users/u/.ssh/id_rsa', '/Library/Keychains/System.keychain', '/Volumes/x/y', '/dev/disk0', '/dev/ttys001', '/dev/tty', '/private/var/root/x',
  ])('C-S2: hides %s', (place) => {
    expect(['file-read-data', 'file-read-metadata', ...WRITES].map((operation) => says(operation, place))).toEqual(Array.from({ length: 6 }, () => 'deny'));
  });

  it('C-S1: shows of folders on the way that they are there, and not what they hold', () => {
    for (const folder of ['/Users', HOME, `${HOME}/.skillmint`, '/etc', '/tmp', '/private/var']) {
      expect(says('file-read-metadata', folder)).toBe('allow');
      expect(says('file-read-data', folder)).toBe('deny');
    }
  });

  it('of the repository of a worktree lets all be changed but what decides on git commands, and shows nothing else of its folder', () => {
    const worktree = `${WS}/.skillmint/worktrees/t`;
    const inside = asked(profile({ roots: [worktree], readable: [], repositories: [{ folder: WS, worktree: 't' }] }));
    for (const place of [`${worktree}/a.txt`, `${WS}/.git/objects/x`, `${WS}/.git/worktrees/t/index`]) expect(inside('file-write-create', place), place).toBe('allow');
    for (const place of [`${worktree}/.git`, `${WS}/.git/config`, `${WS}/.git/Hooks/x`, `${WS}/.git/worktrees/t/commondir`, `${WS}/a.txt`, `${WS}/.skillmint/config.json`]) expect(inside('file-write-data', place), place).toBe('deny');
    for (const place of [`${WS}/.git/worktrees/t`, `${WS}/.git/worktrees`]) expect(inside('file-write-unlink', place), place).toBe('deny');
    expect(inside('file-read-data', `${WS}/a.txt`)).toBe('deny');
  });

  it('C-S4: has no network, no socket but in the private folder and no service of the system that leads out', () => {
    const text = profile();
    const deny: readonly Wish[] = [
      { operation: 'network-outbound', address: 'localhost:80' }, { operation: 'network-outbound', address: '*:443' }, { operation: 'network-bind', address: 'localhost:80' }, { operation: 'network-inbound', address: '*:80' },
      { operation: 'network-outbound', path: '/private/var/run/mDNSResponder' }, { operation: 'network-outbound', path: '/private/var/run/docker.sock' }, { operation: 'network-outbound', path: `${WS}/sock` },
      ...['com.apple.SecurityServer', 'com.apple.securityd.xpc', 'com.apple.trustd.agent', 'com.apple.coreservices.launchservicesd', 'com.apple.pasteboard.1', 'com.apple.cfprefsd.agent', 'com.apple.coreservices.appleevents'].map((name) => ({ operation: 'mach-lookup', name })),
      ...['appleevent-send', 'lsopen', 'job-creation', 'user-preference-read', 'iokit-open', 'pseudo-tty', 'file-link', 'file-clone', 'mach-priv-task-port', 'authorization-right-obtain', 'ipc-posix-shm-write-create', 'nvram-get'].map((operation) => ({ operation })),
      ...['kern.procargs2', 'kern.proc.all', 'net.routetable.0.0.3.0'].map((name) => ({ operation: 'sysctl-read', name })),
    ];
    for (const wish of deny) expect(verdict(text, wish), JSON.stringify(wish)).toBe('deny');
    expect(verdict(text, { operation: 'network-bind', path: `${TMP}/pipe` })).toBe('allow');
    expect(verdict(text, { operation: 'sysctl-read', name: 'hw.ncpu' })).toBe('allow');
  });

  it('C-S8: lets signals and looks reach processes of the same sandbox alone', () => {
    for (const operation of ['signal', 'process-info-pidinfo']) {
      expect(verdict(profile(), { operation, name: 'same-sandbox' })).toBe('allow');
      expect(verdict(profile(), { operation, name: 'others' })).toBe('deny');
    }
    expect(verdict(profile(), { operation: 'process-exec', path: '/bin/launchctl' })).toBe('deny');
    expect(verdict(profile(), { operation: 'process-exec', path: '/bin/ls' })).toBe('allow');
  });

  it('lets through the granted ports of the loopback and nothing beside them', () => {
    const text = profile({}, { ports: { listen: [5432], connect: [5432, 40_001] } });
    const at = (operation: string, address: string): string => verdict(text, { operation, address });
    expect([at('network-outbound', 'localhost:5432'), at('network-outbound', 'localhost:40001'), at('network-bind', 'localhost:5432'), at('network-inbound', 'localhost:5432')]).toEqual(['allow', 'allow', 'allow', 'allow']);
    expect([at('network-outbound', 'localhost:5433'), at('network-outbound', '*:5432'), at('network-bind', 'localhost:40001'), at('network-inbound', 'localhost:40001')]).toEqual(['deny', 'deny', 'deny', 'deny']);
  });
});

describe('protected names on macOS', () => {
  const says = asked(profile({}, { kept: [`${WS}/settings`] }));

  it.each([...PROTECTED_FROM_COMMANDS, '.git/hooks', '.git/config', '.git/commondir', '.git/config.worktree', 'settings'])('C-S1: %s can be neither made, changed nor removed, in whatever case of letters', (name) => {
    for (const spelling of [name, name.toUpperCase(), `${name}/below`, `${name.toUpperCase()}/a\nb`]) {
      expect(WRITES.map((operation) => says(operation, `${WS}/${spelling}`)), spelling).toEqual(WRITES.map(() => 'deny'));
      expect(says('file-read-data', `${WS}/${spelling}`)).toBe('allow');
    }
  });

  it('end where another name begins, and hold in the root alone', () => {
    for (const place of ['.envrc.example', '.mcp.jsonc', 'sub/.envrc', '.github/workflows/x.yml', '.git/HEAD', '.git/objects/ab/cd', '.git/hooks2', '.gitignore', 'settings2', 'Überblick.txt']) expect(says('file-write-create', `${WS}/${place}`), place).toBe('allow');
  });

  it('are not to be had by letters that the disk takes for them', () => {
    for (const place of ['.ba\u017fhrc', '.\u017fkillmint', '.s\u212aillmint/x', '.git/hoo\u212as/x', '.en\u200cvrc']) expect(says('file-write-create', `${WS}/${place}`), place).toBe('deny');
  });

  it('hold of the settings in a trusted folder below, too', () => {
    const below = asked(profile({ trusted: [WS, `${WS}/a/trusted`, `${HOME}/elsewhere`] }));
    for (const place of [`${WS}/a/trusted/.skillmint`, `${WS}/a/trusted/.skillmint/config.json`, `${WS}/a/trusted/.Skillmint/config.json`]) expect(WRITES.map((operation) => below(operation, place)), place).toEqual(WRITES.map(() => 'deny'));
    expect([below('file-write-create', `${WS}/a/trusted/.claude`), below('file-write-create', `${WS}/a/other/.skillmint`)]).toEqual(['allow', 'allow']);
    expect([`${WS}/a`, `${WS}/a/trusted`].map((place) => below('file-write-unlink', place))).toEqual(['deny', 'deny']);
  });

  it('cannot be carried away with a folder above them', () => {
    expect(says('file-write-unlink', `${WS}/.git`)).toBe('deny');
    expect(says('file-write-create', `${WS}/.GIT`)).toBe('deny');
    for (const folder of [WS, TMP, `${WS}/tools`, `${WS}/tools/skills`]) expect(says('file-write-unlink', folder), folder).toBe('deny');
    expect(says('file-write-unlink', `${WS}/tools/other`)).toBe('allow');
    const nested = asked(profile({ roots: [WS, `${WS}/deep/sub`] }));
    for (const folder of [`${WS}/deep`, `${WS}/deep/sub`]) expect(nested('file-write-unlink', folder)).toBe('deny');
    expect(nested('file-write-create', `${WS}/deep/sub/.envrc`)).toBe('deny');
  });
});

describe('folders in folders on macOS', () => {
  it('hide credentials and the data folder in a home that is the workspace, and pin the way to them', () => {
    const says = asked(profile({ roots: [HOME], credentials: [{ path: `${HOME}/.config/gcloud`, kind: 'folder' }, { path: `${HOME}/.ssh`, kind: 'folder' }] }));
    expect(says('file-write-create', `${HOME}/made`)).toBe('allow');
    for (const place of ['.ssh/id_rsa', '.SSH/id_rsa', '.config/gcloud/key', '.skillmint/config.json']) expect([says('file-read-data', `${HOME}/${place}`), says('file-write-data', `${HOME}/${place}`)], place).toEqual(['deny', 'deny']);
    for (const place of ['.ssh', '.config', '.config/gcloud', '.skillmint']) expect(says('file-write-unlink', `${HOME}/${place}`), place).toBe('deny');
    expect(says('file-read-data', `${HOME}/.skillmint/skills/pdf/SKILL.md`)).toBe('allow');
    expect(says('file-write-data', `${HOME}/.skillmint/skills/pdf/SKILL.md`)).toBe('deny');
  });

  it('let a workspace be changed that lies in a folder to be read', () => {
    const says = asked(profile({ toolchains: [`${HOME}/.nvm`], roots: [`${HOME}/.nvm/work`] }));
    expect([says('file-write-data', `${HOME}/.nvm/work/a`), says('file-write-data', `${HOME}/.nvm/other`)]).toEqual(['allow', 'deny']);
  });

  it('count in every spelling of a folder', () => {
    const says = asked(profile({ roots: ['/Users/U/Ws'] }, { spellings: (place) => (place.startsWith('/Users/U/Ws') ? [place, place.replace('/Users/U/Ws', WS)] : [place]) }));
    expect([says('file-write-create', `${WS}/a`), says('file-write-create', `${WS}/.envrc`)]).toEqual(['allow', 'deny']);
  });
});

describe('odd names in a profile', () => {
  it.each(['say "hi"', 'back\\slash', 'we[bc]d', 'a(b)c', '(allow default)', 'a*b?c', '{x}|$^.+', 'new\nline', 'tab\there', 'é日本\u{1F600}', "it's", '; comment', '#"raw"', '\\', '\\"'])('%j stands for itself', (name) => {
    const root = `/Users/u/${name}`;
    const says = asked(profile({ roots: [root] }));
    expect(says('file-write-data', `${root}/a`)).toBe('allow');
    expect(says('file-write-data', `${root}/.envrc`)).toBe('deny');
    expect(says('file-write-data', `${root}/.EnvRC`)).toBe('deny');
    expect(says('file-write-unlink', root)).toBe('deny');
    for (const other of ['/Users/u/webd/a', '/Users/u/x', '/Users/u/axbyc/a', '/private/x']) expect(says('file-write-data', other)).toBe('deny');
  });

  it.each(['nul\0', 'bell\u0007', 'escape\u001b[31m', 'delete\u007f', 'half\ud800', `long${'x'.repeat(1_100)}`])('%j is refused with a sentence', (name) => {
    expect(() => profile({ roots: [`/Users/u/${name}`] })).toThrow(expect.objectContaining({ code: 'sandbox_unavailable', message: expect.stringMatching(/control character|too long/) }));
  });

  it('leave a profile that reads back as it was meant', () => {
    const forms = readProfile(profile({ roots: ['/Users/u/a") (allow default) ("'] }));
    expect(forms.slice(0, 2)).toEqual([['version', '1'], ['deny', 'default']]);
    expect(forms.some((form) => Array.isArray(form) && form[0] === 'allow' && form[1] === 'default')).toBe(false);
  });
});

/** An empty folder that goes with the test. */
function place(): string {
  const root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'seatbelt-')));
  onTestFinished(() => fs.rmSync(root, { recursive: true, force: true }));
  return root;
}

describe('a command under Seatbelt', () => {
  const enclose = (input: Partial<PolicyInput>, more: { readonly ports?: { readonly listen: readonly number[]; readonly connect: readonly number[] } } = {}) =>
    seatbeltMechanism({ sandboxExec: '/usr/bin/sandbox-exec' }).enclose(sandboxPolicy({ ...INPUT, ...input }), { argv: ['-x', 'a b'], cwd: WS, entrance: { enter: [], env: {}, refused: () => [], ...more } });

  it('is started with its profile, and its words behind --', () => {
    const { argv, env } = enclose({ roots: [place()] }, { ports: { listen: [], connect: [777] } });
    expect([argv[0], argv[1], ...argv.slice(3)]).toEqual(['/usr/bin/sandbox-exec', '-p', '--', '-x', 'a b']);
    expect(verdict(argv[2] ?? '', { operation: 'network-outbound', address: 'localhost:777' })).toBe('allow');
    expect(env).toEqual({ GIT_CONFIG_GLOBAL: `${HOME}/.skillmint/sandbox/gitconfig`, TMPDIR: TMP, TMP, TEMP: TMP, XDG_CACHE_HOME: `${TMP}/.cache`, npm_config_cache: `${TMP}/.npm` });
    const { gitIdentity: _identity, temporary: _temporary, ...bare } = INPUT;
    const { env: without } = seatbeltMechanism({ sandboxExec: '/x' }).enclose(sandboxPolicy({ ...bare, roots: [] }), { argv: ['x'], cwd: WS, entrance: undefined });
    expect(without).toEqual({ GIT_CONFIG_GLOBAL: '/dev/null' });
  });

  it('makes nothing in the workspace, and keeps what a protected symlink leads to', () => {
    const root = place();
    fs.mkdirSync(`${root}/settings`);
    fs.symlinkSync('settings', `${root}/.claude`);
    const { argv, release } = enclose({ roots: [root] });
    const says = asked(argv[2] ?? '');
    expect([says('file-write-create', `${root}/settings/x`), says('file-write-unlink', `${root}/.claude`), says('file-write-create', `${root}/a`)]).toEqual(['deny', 'deny', 'allow']);
    release();
    expect(fs.readdirSync(root).toSorted()).toEqual(['.claude', 'settings']);
  });

  it('uses folders as they are on the disk', () => {
    const root = place();
    fs.mkdirSync(`${root}/real`);
    fs.symlinkSync('real', `${root}/link`);
    const says = asked(enclose({ roots: [], toolchains: [`${root}/link`] }).argv[2] ?? '');
    expect([says('file-read-data', `${root}/real/x`), says('file-read-data', `${root}/link`), says('file-read-data', `${root}/other`)]).toEqual(['allow', 'allow', 'deny']);
  });

  it('tells one that could not be started from one that failed', () => {
    const { startProblem } = seatbeltMechanism({ sandboxExec: '/x' });
    expect(startProblem({ code: 71, signal: null }, "sandbox-exec: execvp() of 'nope' failed: No such file or directory\n")).toBe("execvp() of 'nope' failed: No such file or directory");
    expect(startProblem({ code: 0, signal: null }, 'sandbox-exec: mine')).toBeUndefined();
    expect(startProblem({ code: 71, signal: null }, 'ls: no such file')).toBeUndefined();
  });
});

describe('what is known of a Mac', () => {
  it('are its own folders, and places with credentials by their real paths', () => {
    const home = place();
    fs.mkdirSync(`${home}/real/Library/Keychains`, { recursive: true });
    fs.mkdirSync(`${home}/real/Library/Messages`);
    fs.symlinkSync('real', `${home}/link`);
    const { system, credentials } = surveySandbox({ env: {}, home: `${home}/link`, folder: `${home}/helper`, execPath: '/usr/local/bin/node', platform: 'darwin' });
    expect(system?.folders).toEqual(MAC_SYSTEM_FOLDERS);
    expect(system?.folders).not.toContain('/System');
    expect(credentials).toEqual(expect.arrayContaining(['Keychains', 'Messages'].map((name) => ({ path: `${home}/real/Library/${name}`, kind: 'folder' }))));
  });

  it.each([['/Applications/Xcode_16.4.app/Contents/Developer', ['/Applications/Xcode_16.4.app']], ['/Applications/Xcode.app', ['/Applications/Xcode.app']], ['/Library/Developer/CommandLineTools', []], ['/Users/u/x.app/Contents', []], ['/Applications/../x.app', []]])('the application with the tools of %s is shown', (target, shown) => {
    const link = `${place()}/link`;
    expect(developerFolders(link)).toEqual([]);
    fs.symlinkSync(target, link);
    expect(developerFolders(link)).toEqual(shown);
  });
});
