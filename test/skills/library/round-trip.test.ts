import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { serve, serveProxy, serveSafely, type TestServer } from '../../egress/servers.ts';
import { npmTarball, skillMd, tgzOf, zipOf } from './archives.ts';
import { gitBackend, testRepository } from './git-server.ts';
import { testLibrary, type TestLibrary } from './library.ts';

const PACKAGE = path.resolve('node_modules/@tanstack/intent');

interface Pages {
  [address: string]: string | Buffer;
}

/** Serves pages by their path; they may change. */
function site(pages: Pages): Promise<TestServer> {
  return serve((request, response) => {
    const page = pages[decodeURIComponent(request.url ?? '')];
    if (page === undefined) response.writeHead(404).end();
    else response.end(page);
  });
}

function sha512(data: Buffer): string {
  return `sha512-${createHash('sha512').update(data).digest('base64')}`;
}

function wellKnown(offers: readonly { readonly name: string; readonly type: string; readonly url: string; readonly data: string | Buffer }[]): string {
  const skills = offers.map(({ data, ...offer }) => ({ ...offer, description: 'A skill.', digest: `sha256:${createHash('sha256').update(data).digest('hex')}` }));
  return JSON.stringify({ $schema: 'https://schemas.agentskills.io/discovery/0.2.0/schema.json', skills });
}

/** Digests by name, as the lock file has them. */
function digests(lib: TestLibrary): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(lib.lock().skills).map(([name, { digest }]) => [name, digest]));
}

/** Installs, wipes, brings back from the lock file alone, and says which skills came. */
async function roundTrip(lib: TestLibrary, source: string): Promise<readonly string[]> {
  const { installed } = await lib.install(source);
  const [before, lock] = [digests(lib), lib.lock()];
  expect(await lib.restore()).toMatchObject({ restored: [], kept: Object.keys(before) });
  for (const name of fs.readdirSync(lib.skills)) if (name !== 'skills.lock.json') fs.rmSync(path.join(lib.skills, name), { recursive: true });
  expect(await lib.restore()).toMatchObject({ restored: Object.keys(before), kept: [] });
  expect(digests(lib)).toEqual(before);
  expect(lib.lock()).toEqual(lock);
  // What is there now has those digests: nothing is left to do.
  expect(await lib.restore()).toMatchObject({ restored: [], kept: Object.keys(before) });
  expect(await lib.update({ check: true })).toMatchObject(installed.map(({ name }) => ({ name, status: 'current' })));
  return installed.map(({ name }) => name);
}

describe('install, wipe, install --frozen gives the same digests', () => {
  it('from a zip', async () => {
    const lib = testLibrary();
    lib.write({ 'skills.zip': await zipOf({ 'alpha/SKILL.md': skillMd('alpha'), 'alpha/scripts/run.sh': { data: 'id\n', mode: 0o755 }, 'beta/SKILL.md': skillMd('beta') }) });
    expect(await roundTrip(lib, './skills.zip')).toEqual(['alpha', 'beta']);
    expect(fs.statSync(path.join(lib.skills, 'alpha/scripts/run.sh')).mode & 0o777).toBe(0o755);
  });

  it('from a folder', async () => {
    const lib = testLibrary();
    lib.write({ 'pdf/SKILL.md': skillMd('pdf'), 'pdf/a/b/c.txt': 'x' });
    expect(await roundTrip(lib, './pdf')).toEqual(['pdf']);
  });

  it('from a git repository, which has gone on since', async () => {
    const served = testLibrary();
    const repository = testRepository(path.join(served.root, 'repo.git'));
    const first = repository.commit({ 'skills/pdf/SKILL.md': skillMd('pdf'), 'skills/pdf/ref.md': 'one', 'skills/docx/SKILL.md': skillMd('docx'), 'README.md': 'x' });
    const server = await serve(gitBackend(served.root));
    const lib = testLibrary({ allow: [server.host] });
    const source = `git+${server.url}/repo.git/.git`;
    expect(await roundTrip(lib, source)).toEqual(['docx', 'pdf']);
    expect(lib.lock().skills['pdf']).toMatchObject({ kind: 'git', commit: first, path: 'skills/pdf' });
    const second = repository.commit({ 'skills/pdf/ref.md': 'two' });
    fs.rmSync(path.join(lib.skills, 'pdf'), { recursive: true });
    expect(await lib.restore()).toMatchObject({ restored: ['pdf'], kept: ['docx'] });
    expect(fs.readFileSync(path.join(lib.skills, 'pdf/ref.md'), 'utf8')).toBe('one');
    expect(await lib.update()).toMatchObject([{ name: 'docx', status: 'current', updated: false }, { name: 'pdf', status: 'outdated', updated: true, from: { commit: first }, to: { commit: second }, diff: { changed: ['ref.md'] } }]);
    expect(lib.lock().skills['pdf']).toMatchObject({ commit: second });
  });

  it('from OWNER/REPO on GitHub, which a proxy on loopback stands in for', async () => {
    const served = testLibrary();
    const first = testRepository(path.join(served.root, 'owner/repo.git')).commit({ 'skills/pdf/SKILL.md': skillMd('pdf'), 'skills/docx/SKILL.md': skillMd('docx') });
    const server = await serveSafely(gitBackend(served.root));
    const proxy = await serveProxy(server);
    const lib = testLibrary({ env: { PATH: process.env['PATH'] ?? '', HTTPS_PROXY: proxy.url, NODE_EXTRA_CA_CERTS: server.certificate } });
    expect(await roundTrip(lib, 'owner/repo/skills/pdf@main')).toEqual(['pdf']);
    expect(lib.lock().skills['pdf']).toMatchObject({ source: 'owner/repo#main:skills/pdf', kind: 'github', commit: first, path: 'skills/pdf', resolved: 'https://github.com/owner/repo.git' });
    expect(new Set(proxy.asked)).toEqual(new Set(['CONNECT github.com:443']));
  });

  it('from an npm package that ships skills', async () => {
    const tarball = await npmTarball(PACKAGE);
    const { version }: { version: string } = JSON.parse(fs.readFileSync(path.join(PACKAGE, 'package.json'), 'utf8'));
    const pages: Pages = { '/intent.tgz': tarball };
    const server = await site(pages);
    pages['/@tanstack/intent'] = JSON.stringify({ 'dist-tags': { latest: version }, versions: { [version]: { dist: { tarball: `${server.url}/intent.tgz`, integrity: sha512(tarball) } } } });
    const lib = testLibrary({ allow: [server.host], env: { npm_config_registry: server.url } });
    expect(await roundTrip(lib, 'npm:@tanstack/intent')).toEqual(['domain-discovery', 'generate-skill', 'skill-staleness-check', 'tree-generator']);
    expect(lib.lock().skills['generate-skill']).toMatchObject({ kind: 'npm', version, integrity: sha512(tarball), resolved: `${server.url}/intent.tgz`, path: 'meta/generate-skill' });
  });

  it('from an npm package that is a skill, and from an archive behind an address', async () => {
    const tarball = tgzOf([{ path: 'package/SKILL.md', data: '---\ndescription: Makes reports.\n---\nText.\n' }, { path: 'package/package.json', data: '{}' }]);
    const pages: Pages = { '/r.tgz': tarball, '/two.zip': await zipOf({ 'repo-main/skills/a/SKILL.md': skillMd('a'), 'repo-main/skills/b/SKILL.md': skillMd('b') }) };
    const server = await site(pages);
    pages['/my-report'] = JSON.stringify({ 'dist-tags': { latest: '1.0.0' }, versions: { '1.0.0': { dist: { tarball: `${server.url}/r.tgz`, integrity: sha512(tarball) } } } });
    const one = testLibrary({ allow: [server.host], env: { npm_config_registry: server.url } });
    expect(await roundTrip(one, 'npm:my-report')).toEqual(['my-report']);
    const two = testLibrary({ allow: [server.host] });
    expect(await roundTrip(two, `${server.url}/two.zip`)).toEqual(['a', 'b']);
  });

  it('from a well-known index, as one file and as an archive with its files at the root', async () => {
    const archive = await zipOf({ 'SKILL.md': skillMd('docx'), 'scripts/x.py': 'x' });
    const offers = [{ name: 'pdf', type: 'skill-md', url: '/pdf.md', data: skillMd('pdf') }, { name: 'docx', type: 'archive', url: '/docx.zip', data: archive }];
    const server = await site({ '/.well-known/agent-skills/index.json': wellKnown(offers), '/pdf.md': skillMd('pdf'), '/docx.zip': archive });
    const lib = testLibrary({ allow: [server.host] });
    expect(await roundTrip(lib, `${server.url}#pdf`)).toEqual(['pdf']);
    const other = testLibrary({ allow: [server.host] });
    expect(await roundTrip(other, `${server.url}#docx`)).toEqual(['docx']);
    expect(other.contents()).toContain('docx/scripts/x.py');
  });
});

describe('what the lock file says and the source no longer has', () => {
  it('other bytes behind the same address are refused, and so is a source that is gone; nothing changes', async () => {
    const pages: Pages = { '/a.zip': await zipOf({ 'a/SKILL.md': skillMd('a') }) };
    const server = await site(pages);
    const lib = testLibrary({ allow: [server.host] });
    await lib.install(`${server.url}/a.zip`);
    lib.write({ 'b/SKILL.md': skillMd('b') });
    await lib.install('./b');
    const lock = lib.lock();
    fs.rmSync(path.join(lib.skills, 'a'), { recursive: true });
    fs.rmSync(path.join(lib.skills, 'b'), { recursive: true });
    pages['/a.zip'] = await zipOf({ 'a/SKILL.md': skillMd('a', 'Something else.') });
    await expect(lib.restore()).rejects.toMatchObject({ code: 'install_refused' });
    delete pages['/a.zip'];
    await expect(lib.restore()).rejects.toMatchObject({ code: 'not_found' });
    expect([lib.contents(), lib.lock()]).toEqual([['skills.lock.json'], lock]);
    expect(await lib.restore({ names: ['b'] })).toMatchObject({ restored: ['b'] });
  });

  it('a folder that has changed is refused by its digest', async () => {
    const lib = testLibrary();
    lib.write({ 'a/SKILL.md': skillMd('a') });
    await lib.install('./a');
    fs.rmSync(path.join(lib.skills, 'a'), { recursive: true });
    lib.write({ 'a/new.txt': 'x' });
    await expect(lib.restore()).rejects.toMatchObject({ code: 'install_refused', message: expect.stringMatching(/no longer what the lock file says: its digest is sha256:\w+ instead of sha256:\w+.*skills update a/) });
    fs.rmSync(path.join(lib.root, 'a'), { recursive: true });
    await expect(lib.restore()).rejects.toMatchObject({ code: 'not_found' });
    expect(lib.contents()).toEqual(['skills.lock.json']);
  });

  it('a skill that was changed by hand is kept, unless the change is given up', async () => {
    const lib = testLibrary();
    lib.write({ 'a/SKILL.md': skillMd('a'), 'b/SKILL.md': skillMd('b') });
    await lib.install('./a');
    await lib.install('./b');
    const stamp = fs.statSync(path.join(lib.skills, 'b')).ino;
    lib.write({ 'data/skills/a/mine.txt': 'mine' });
    await expect(lib.restore()).rejects.toMatchObject({ code: 'install_refused', message: expect.stringContaining('was changed by hand') });
    expect(lib.contents()).toContain('a/mine.txt');
    expect(await lib.restore({ replace: true, dryRun: true })).toMatchObject({ restored: ['a'], kept: ['b'] });
    expect(lib.contents()).toContain('a/mine.txt');
    expect(await lib.restore({ replace: true })).toMatchObject({ restored: ['a'], kept: ['b'] });
    expect(lib.contents()).not.toContain('a/mine.txt');
    expect(fs.statSync(path.join(lib.skills, 'b')).ino).toBe(stamp);
  });
});
