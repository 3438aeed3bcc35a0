import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { EgressGuard } from '../../../src/egress/egress-guard.ts';
import { fetchSource } from '../../../src/skills/library/fetch-source.ts';
import type { FetchedSource } from '../../../src/skills/library/fetched-source.ts';
import { parseSource } from '../../../src/skills/library/parse-source.ts';
import { pinSource } from '../../../src/skills/library/skill-source.ts';
import { guardFor, serve, serveSafely } from '../../egress/servers.ts';
import { temporaryFolder } from '../../host/temporary-folder.ts';
import { noPacks } from './no-packs.ts';
import { gitBackend, plainFiles, testRepository, type TestRepository } from './git-server.ts';

const SKILL = '---\nname: pdf\ndescription: Reads PDF files.\n---\nText.\n';

function repository(): { readonly root: string; readonly repo: TestRepository } {
  const root = temporaryFolder();
  return { root, repo: testRepository(path.join(root, 'skills.git')) };
}

function get(text: string, egress: EgressGuard, options: { readonly env?: Record<string, string | undefined>; readonly signal?: AbortSignal; readonly temporary?: string } = {}): Promise<FetchedSource> {
  return fetchSource(parseSource(text, '/'), { egress, temporary: temporaryFolder(), env: { PATH: process.env['PATH'] }, openPack: noPacks, ...options });
}

function read({ folder = '' }: FetchedSource, ...names: string[]): string {
  return fs.readFileSync(path.join(folder, ...names), 'utf8');
}

describe('a git repository', () => {
  it('is fetched from a listed host, bytes and modes as committed', async () => {
    const { root, repo } = repository();
    fs.writeFileSync(path.join(repo.folder, 'run.sh'), '#!/bin/sh\n', { mode: 0o755 });
    const commit = repo.commit({ 'pdf/SKILL.md': SKILL, '.gitattributes': '* text eol=crlf\n*.md ident\n', 'pdf/b.md': '$Id$\n' });
    const server = await serve(gitBackend(root));
    const fetched = await get(`${server.url}/skills.git`, guardFor([server.host]));
    expect(fetched.provenance).toEqual({ source: `git+${server.url}/skills.git`, kind: 'git', commit, resolved: `${server.url}/skills.git` });
    expect([read(fetched, 'pdf/SKILL.md'), read(fetched, 'pdf/b.md'), read(fetched, 'run.sh')]).toEqual([SKILL, '$Id$\n', '#!/bin/sh\n']);
    expect(fs.statSync(path.join(fetched.folder ?? '', 'run.sh')).mode & 0o111).not.toBe(0);
    expect(fs.readdirSync(fetched.folder ?? '').sort()).toEqual(['.gitattributes', 'pdf', 'run.sh']);
  });

  it('is refused without a request where the host is not listed', async () => {
    let requests = 0;
    const server = await serve((_request, response) => { requests += 1; response.end(); });
    const temporary = temporaryFolder();
    await expect(get(`${server.url}/skills.git`, guardFor([]), { temporary })).rejects.toMatchObject({ code: 'egress_refused', message: expect.stringContaining(`add "${server.host}" to the setting network.allow`) });
    await expect(get('https://10.0.0.1/skills.git', guardFor([]), { temporary })).rejects.toMatchObject({ code: 'egress_refused' });
    expect([requests, fs.readdirSync(temporary)]).toEqual([0, []]);
  });

  it.each(['git server', 'plain files'])('gives branches, tags, commits and folders (%s)', async (kind) => {
    const { root, repo } = repository();
    const first = repo.commit({ 'pdf/SKILL.md': 'one', 'other/x': 'x' });
    repo.git('tag', '--annotate', '--message', 'One', 'v1');
    const second = repo.commit({ 'pdf/SKILL.md': 'two' });
    repo.git('checkout', '--quiet', '-b', 'feature/x');
    const third = repo.commit({ 'pdf/SKILL.md': 'three' });
    repo.git('checkout', '--quiet', 'main');
    repo.git('update-server-info');
    const server = await serve(kind === 'git server' ? gitBackend(root) : plainFiles(root));
    const guard = guardFor([server.host]);
    const url = `git+${server.url}/skills.git${kind === 'git server' ? '' : '/.git'}`;
    const cases = [['', second, 'two'], ['#v1', first, 'one'], ['#feature/x', third, 'three'], [`#${first}`, first, 'one'], [`#${first.slice(0, 9)}`, first, 'one']] as const;
    for (const [hash, commit, text] of cases) {
      const fetched = await get(url + hash, guard);
      expect([hash, fetched.provenance.commit, read(fetched, 'pdf/SKILL.md')]).toEqual([hash, commit, text]);
    }
    const part = await get(`${url}#v1:pdf`, guard);
    expect(fs.readdirSync(part.folder ?? '')).toEqual(['pdf']);
    const pinned = await fetchSource(pinSource(parseSource(part.provenance.source, '/'), { commit: second }), { egress: guard, temporary: temporaryFolder(), env: process.env, openPack: noPacks });
    expect(read(pinned, 'pdf/SKILL.md')).toBe('two');
    await expect(get(`${url}#nothing`, guard)).rejects.toMatchObject({ code: 'not_found', message: expect.stringContaining('no branch, tag or commit nothing') });
    await expect(get(`${url}#${'0'.repeat(40)}`, guard)).rejects.toMatchObject({ code: 'not_found' });
    await expect(get(`${url}#main:nowhere`, guard)).rejects.toMatchObject({ code: 'not_found', message: expect.stringContaining('no folder nowhere') });
  });

  it('runs no program that the person or the repository set up, and keeps no login', async () => {
    const { root, repo } = repository();
    repo.commit({ 'SKILL.md': SKILL, '.gitattributes': '*.md filter=evil diff=evil\n', '.gitmodules': '[submodule "x"]\n\tpath = x\n\turl = http://127.0.0.1:9/x.git\n' });
    const [home, marker] = [temporaryFolder(), path.join(temporaryFolder(), 'ran')];
    const backend = gitBackend(root);
    const logins: (string | undefined)[] = [];
    const server = await serve((request, response) => { logins.push(request.headers.authorization, request.headers['proxy-authorization']); backend(request, response); });
    fs.writeFileSync(path.join(home, '.netrc'), 'machine 127.0.0.1 login me password secret\n', { mode: 0o600 });
    const evil = `sh -c 'touch ${marker}; cat'`;
    fs.writeFileSync(path.join(home, '.gitconfig'), `[filter "evil"]\n\tsmudge = ${evil}\n\trequired = true\n[core]\n\tfsmonitor = touch ${marker}\n\thooksPath = ${home}\n[credential]\n\thelper = "!touch ${marker}"\n[url "http://127.0.0.1:9/"]\n\tinsteadOf = ${server.url}/\n`);
    fs.writeFileSync(path.join(home, 'post-checkout'), `#!/bin/sh\ntouch ${marker}\n`, { mode: 0o755 });
    const env = { PATH: process.env['PATH'], HOME: home, GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'filter.evil.smudge', GIT_CONFIG_VALUE_0: evil, NO_PROXY: '*', GIT_ALLOW_PROTOCOL: 'ext', GIT_SSH_COMMAND: `touch ${marker}` };
    const fetched = await get(`${server.url}/skills.git`, guardFor([server.host]), { env });
    expect([read(fetched, 'SKILL.md'), fs.existsSync(marker)]).toEqual([SKILL, false]);
    expect([logins.length > 0, logins.filter((login) => login !== undefined)]).toEqual([true, []]);
  });

  it('keeps links that stay inside and refuses those that leave', async () => {
    const { root, repo } = repository();
    repo.commit({ 'shared/a.md': 'a', 'pdf/SKILL.md': SKILL, 'pdf/a.md': '->../shared/a.md', 'pdf/gone': '->later.md' });
    for (const [branch, target] of [['abs', '/etc/passwd'], ['up', '../../x'], ['through', 'here/../../../x']] as const) {
      repo.git('checkout', '--quiet', '-b', branch, 'main');
      repo.commit({ 'pdf/here': '->.', 'pdf/bad': `->${target}` });
    }
    const server = await serve(gitBackend(root));
    const guard = guardFor([server.host]);
    expect(read(await get(`${server.url}/skills.git#main`, guard), 'pdf/a.md')).toBe('a');
    for (const branch of ['abs', 'up', 'through']) {
      await expect(get(`${server.url}/skills.git#${branch}`, guard), branch).rejects.toMatchObject({ code: 'install_refused', message: expect.stringContaining('pdf/bad is a link to') });
    }
    expect(read(await get(`${server.url}/skills.git#abs:shared`, guard), 'shared/a.md')).toBe('a');
  });

  it('is refused when a small pack holds a tree of a million files', async () => {
    const { root, repo } = repository();
    const hash = (args: readonly string[], input: string): string => execFileSync('git', args, { cwd: repo.folder, input, encoding: 'utf8' }).trim();
    let [kind, id] = ['100644 blob', hash(['hash-object', '-w', '--stdin'], 'x')];
    for (let level = 0; level < 6; level++) {
      const entries = Array.from({ length: 10 }, (_, place) => `${kind} ${id}\td${place}`);
      [kind, id] = ['040000 tree', hash(['mktree'], `${entries.join('\n')}\n`)];
    }
    repo.git('update-ref', 'refs/heads/main', repo.git('commit-tree', id, '-m', 'Bomb'));
    const server = await serve(gitBackend(root));
    const temporary = temporaryFolder();
    await expect(get(`${server.url}/skills.git`, guardFor([server.host]), { temporary })).rejects.toMatchObject({ code: 'install_refused', message: expect.stringContaining('more than 50000 files') });
    expect(fs.readdirSync(path.join(temporary, 'tree'))).toEqual([]);
  });

  it.each([
    { url: 'ext::sh -c "touch /tmp/x"' }, { url: 'file:///etc' }, { url: '--upload-pack=x' }, { url: 'ssh://127.0.0.1/x' }, { url: 'git@[::1]:x' },
    { url: 'https://host.example/x.git', ref: '--upload-pack=x' }, { url: 'https://host.example/x.git', ref: '+refs/heads/*:refs/heads/*' },
  ])('is refused before anything starts (C-A7): %j', async (place) => {
    const temporary = temporaryFolder();
    const guard = guardFor([], { resolve: async () => ['93.184.216.34'] });
    const env = { PATH: '/nonexistent' };
    await expect(fetchSource({ kind: 'git', ...place }, { egress: guard, temporary, env, openPack: noPacks })).rejects.toMatchObject({ code: expect.stringMatching(/^(egress|install)_refused$/) });
    expect(fs.readdirSync(temporary)).toEqual([]);
  });

  it('does not follow a redirect to a place that is not listed', async () => {
    const { root, repo } = repository();
    repo.commit({ 'SKILL.md': SKILL });
    const inner = await serve(gitBackend(root));
    const outer = await serve((request, response) => response.writeHead(302, { location: inner.url + request.url }).end());
    await expect(get(`${outer.url}/skills.git`, guardFor([outer.host]))).rejects.toMatchObject({ code: 'egress_refused', message: expect.stringContaining(inner.host) });
    expect(read(await get(`${outer.url}/skills.git`, guardFor([outer.host, inner.host])), 'SKILL.md')).toBe(SKILL);
  });

  it('is fetched over https with the certificates of NODE_EXTRA_CA_CERTS', async () => {
    const { root, repo } = repository();
    repo.commit({ 'SKILL.md': SKILL });
    const server = await serveSafely(gitBackend(root));
    const env = { PATH: process.env['PATH'], NODE_EXTRA_CA_CERTS: server.certificate };
    expect(read(await get(`${server.url}/skills.git`, guardFor([server.host]), { env }), 'SKILL.md')).toBe(SKILL);
    await expect(get(`${server.url}/skills.git`, guardFor([server.host]))).rejects.toMatchObject({ code: 'network_failed', message: expect.stringContaining('certificate') });
  });

  it('says when it needs a login or is none, and asks nobody', async () => {
    const server = await serve((request, response) => response.writeHead(request.url?.startsWith('/private') ? 401 : 404, { 'www-authenticate': 'Basic realm="x"' }).end());
    for (const name of ['private', 'absent']) {
      await expect(get(`${server.url}/${name}.git`, guardFor([server.host])), name).rejects.toMatchObject({ code: 'not_found', message: expect.stringContaining('without a login') });
    }
  });

  it('is stopped with its processes', async () => {
    const server = await serve(() => undefined);
    const from = Date.now();
    await expect(get(`${server.url}/slow.git`, guardFor([server.host]), { signal: AbortSignal.timeout(500) })).rejects.toMatchObject({ code: 'interrupted' });
    expect(Date.now() - from).toBeLessThan(5_000);
    if (!fs.existsSync('/proc')) return;
    const commands = fs.readdirSync('/proc').filter((name) => /^\d+$/.test(name)).map((pid) => { try { return fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8'); } catch { return 'gone'; } });
    expect(commands.filter((line) => line.includes(`${server.host}/slow.git`))).toEqual([]);
  });

  it('needs git, and says so', async () => {
    const server = await serve((_request, response) => response.end());
    await expect(get(`${server.url}/a.git`, guardFor([server.host]), { env: { PATH: temporaryFolder() } })).rejects.toMatchObject({ code: 'not_found', message: expect.stringContaining('Install git') });
  });
});
