import { describe, expect, it } from 'vitest';
import { parseSource } from '../../../src/skills/library/parse-source.ts';
import { pinSource, sourceText } from '../../../src/skills/library/skill-source.ts';
import { SOURCE_HELP } from '../../../src/skills/library/source-help.ts';

const COMMIT = '0123456789abcdef0123456789abcdef01234567';

describe('a source', () => {
  it.each([
    ['./skills', { kind: 'folder', folder: '/work/skills' }],
    ['..', { kind: 'folder', folder: '/' }],
    ['/opt/a b#c', { kind: 'folder', folder: '/opt/a b#c' }],
    ['./pdf.zip', { kind: 'zip', file: '/work/pdf.zip' }],
    ['pdf.zip', { kind: 'zip', file: '/work/pdf.zip' }],
    ['dist/pdf.tgz', { kind: 'zip', file: '/work/dist/pdf.tgz' }],
    ['/opt/pdf.tar.gz', { kind: 'zip', file: '/opt/pdf.tar.gz' }],
    ['./pdf.skillpack', { kind: 'skillpack', file: '/work/pdf.skillpack' }],
    ['dist/pdf.skillpack', { kind: 'skillpack', file: '/work/dist/pdf.skillpack' }],
    ['npm:left-pad', { kind: 'npm', package: 'left-pad' }],
    ['npm:@tanstack/intent@^0.4.0', { kind: 'npm', package: '@tanstack/intent', version: '^0.4.0' }],
    ['npm:x@latest', { kind: 'npm', package: 'x', version: 'latest' }],
    ['anthropics/skills', { kind: 'github', owner: 'anthropics', repo: 'skills' }],
    ['github:a/b', { kind: 'github', owner: 'a', repo: 'b' }],
    ['a/b.git', { kind: 'github', owner: 'a', repo: 'b' }],
    ['anthropics/skills/skills/pdf@v1.2', { kind: 'github', owner: 'anthropics', repo: 'skills', path: 'skills/pdf', ref: 'v1.2' }],
    ['a/b@feature/x', { kind: 'github', owner: 'a', repo: 'b', ref: 'feature/x' }],
    [`a/b#${COMMIT}:x/y`, { kind: 'github', owner: 'a', repo: 'b', ref: COMMIT, path: 'x/y' }],
    ['a/b#:x', { kind: 'github', owner: 'a', repo: 'b', path: 'x' }],
    ['https://github.com/a/b', { kind: 'github', owner: 'a', repo: 'b' }],
    ['https://github.com/a/b/tree/main/skills/pdf', { kind: 'github', owner: 'a', repo: 'b', ref: 'main', path: 'skills/pdf' }],
    ['https://github.com/a/b/archive/refs/tags/v1.zip', { kind: 'archive', url: 'https://github.com/a/b/archive/refs/tags/v1.zip' }],
    ['https://host.example/a/b.git', { kind: 'git', url: 'https://host.example/a/b.git' }],
    ['https://host.example/a/b.git#v1:skills/pdf', { kind: 'git', url: 'https://host.example/a/b.git', ref: 'v1', path: 'skills/pdf' }],
    ['git+https://host.example/a/b#main', { kind: 'git', url: 'https://host.example/a/b', ref: 'main' }],
    ['http://127.0.0.1:9/b.git', { kind: 'git', url: 'http://127.0.0.1:9/b.git' }],
    ['https://host.example/x/pdf.zip', { kind: 'archive', url: 'https://host.example/x/pdf.zip' }],
    ['https://host.example/download?id=1', { kind: 'archive', url: 'https://host.example/download?id=1' }],
    ['https://host.example', { kind: 'well-known', url: 'https://host.example/.well-known/agent-skills/index.json' }],
    ['https://host.example/#pdf', { kind: 'well-known', url: 'https://host.example/.well-known/agent-skills/index.json', skill: 'pdf' }],
    ['https://host.example/docs/index.json', { kind: 'well-known', url: 'https://host.example/docs/index.json' }],
  ])('%s is read, and its text is read as the same', (text, source) => {
    const parsed = parseSource(text, '/work');
    expect(parsed).toEqual(source);
    expect(parseSource(sourceText(parsed), '/elsewhere')).toEqual(source);
  });

  it.each([
    'ext::sh -c id', 'ext::sh', 'fd::17', '--upload-pack=x', '-u…', '-oProxyCommand=x', 'file:///etc', 'FILE:///etc', 'git@[::1]:x', 'git@github.com:a/b.git', 'git@github.com:a/b', 'host.example:a/b',
    'ssh://git@github.com/a/b', 'git://host.example/a', 'ftp://host.example/a.zip', 'git+ssh://git@host.example/a', 'git+file:///etc', 'git+ext::sh -c id', 'https://user:pw@host.example/a.git', 'https://token@host.example/a.zip',
    'a/b@--upload-pack=x', 'a/b#-x', 'a/b#a..b', 'a/b#a b', 'a/b#+x', 'a/b#x:../..', 'a/b#x:.git/hooks', 'a/b/../..', 'a/..', 'https://host.example/b.git#x:..%2f..', 'https://host.example/b.git#refs/heads/*', 'x\ny/z', './a\0b',
    'https://host.example/pdf.zip#part', 'https://host.example/pdf.skillpack', 'npm:x@git+https://host.example/a', 'npm:x@file:/etc', 'npm:x@npm:y',
  ])('%j is refused (C-A7)', (text) => {
    expect(() => parseSource(text, '/work')).toThrow(expect.objectContaining({ code: 'install_refused' }));
  });

  it.each(['', 'pdf', '@tanstack/intent', 'npm:', 'npm:../x', 'npm:a b', 'https://', 'https://exa mple.com/', 'https://host.example/a.git#%zz', 'https://github.com/a', 'https://github.com/a/b/issues/3', '~/x'])('%j is none, and the message says what to write', (text) => {
    expect(() => parseSource(text, '/work')).toThrow(expect.objectContaining({ code: 'usage', message: expect.stringMatching(/[Ww]rite|Give|valid address/) }));
  });

  it('keeps passwords out of messages', () => {
    expect(() => parseSource('https://user:secret@host.example/a.git', '/work')).toThrow(expect.not.objectContaining({ message: expect.stringContaining('secret') }));
  });

  it('is tied to what was fetched', () => {
    expect(pinSource(parseSource('a/b@main', '/'), { commit: COMMIT })).toMatchObject({ ref: COMMIT });
    expect(pinSource(parseSource('npm:x@^1', '/'), { version: '1.2.3', integrity: 'sha512-x' })).toMatchObject({ version: '1.2.3', integrity: 'sha512-x' });
    expect(pinSource(parseSource('https://host.example/x.zip', '/'), { integrity: 'sha512-x' })).toMatchObject({ integrity: 'sha512-x' });
    expect(pinSource(parseSource('./x', '/'), {})).toEqual({ kind: 'folder', folder: '/x' });
    expect(SOURCE_HELP).toContain('OWNER/REPO');
  });
});
