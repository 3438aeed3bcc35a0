import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import type { ServerResponse } from 'node:http';
import path from 'node:path';
import zlib from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { fetchSource } from '../../../src/skills/library/fetch-source.ts';
import type { FetchedSource } from '../../../src/skills/library/fetched-source.ts';
import { parseSource } from '../../../src/skills/library/parse-source.ts';
import { pinSource, type SkillSource } from '../../../src/skills/library/skill-source.ts';
import { guardFor, serve, type TestServer } from '../../egress/servers.ts';
import { temporaryFolder } from '../../host/temporary-folder.ts';
import { noPacks } from './no-packs.ts';

const MIB = 1024 * 1024;
const SKILL = '---\nname: pdf\ndescription: Reads PDF files.\n---\nText.\n';
const SCHEMA = 'https://schemas.agentskills.io/discovery/0.2.0/schema.json';
const TGZ = zlib.gzipSync('a tar');
/** The smallest zip there is: one without files. */
const ZIP = Buffer.from(`PK\x05\x06${'\0'.repeat(18)}`, 'latin1');

const hash = (algorithm: string, data: string | Buffer, encoding: 'hex' | 'base64'): string => createHash(algorithm).update(data).digest(encoding);

interface GetOptions {
  readonly env?: Record<string, string>;
  readonly temporary?: string;
  readonly signal?: AbortSignal;
}

function get(source: string | SkillSource, allow: readonly string[], options: GetOptions = {}): Promise<FetchedSource> {
  const parsed = typeof source === 'string' ? parseSource(source, '/') : source;
  return fetchSource(parsed, { egress: guardFor(allow), temporary: temporaryFolder(), env: {}, openPack: noPacks, ...options });
}

/** Answers by path; a function for what is no plain text. */
function site(pages: Readonly<Record<string, string | Buffer | ((response: ServerResponse) => void)>>): Promise<TestServer> {
  return serve((request, response) => {
    const page = pages[decodeURIComponent(request.url ?? '')];
    if (page === undefined) response.writeHead(404).end();
    else if (typeof page === 'function') page(response);
    else response.end(page);
  });
}

describe('a folder or an archive of this machine', () => {
  it('is taken as it is', async () => {
    const folder = temporaryFolder();
    fs.writeFileSync(path.join(folder, 'a.zip'), ZIP);
    fs.writeFileSync(path.join(folder, 'a.tgz'), TGZ);
    expect(await get(folder, [])).toEqual({ folder, provenance: { source: folder, kind: 'folder' } });
    expect(await get(`${folder}/a.zip`, [])).toEqual({ archive: `${folder}/a.zip`, provenance: { source: `${folder}/a.zip`, kind: 'zip' } });
    expect(await get(`${folder}/a.tgz`, [])).toMatchObject({ archive: `${folder}/a.tgz` });
  });

  it('must be one', async () => {
    const folder = temporaryFolder();
    fs.writeFileSync(path.join(folder, 'a.zip'), 'text');
    fs.writeFileSync(path.join(folder, 'a'), 'text');
    await expect(get(`${folder}/a.zip`, [])).rejects.toMatchObject({ code: 'install_refused', message: expect.stringContaining('neither a zip nor') });
    await expect(get(`${folder}/a`, [])).rejects.toMatchObject({ code: 'install_refused' });
    await expect(get(`${folder}/b`, [])).rejects.toMatchObject({ code: 'not_found' });
    await expect(get(`${folder}/b.zip`, [])).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('an archive behind an address', () => {
  it('is fetched byte for byte, even when it is called packed twice, and is tied to its digest', async () => {
    const server = await site({ '/a.tgz': (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(TGZ), '/b': ZIP, '/c.zip': 'changed' });
    const { archive = '', provenance } = await get(`${server.url}/a.tgz`, [server.host]);
    expect(fs.readFileSync(archive).equals(TGZ)).toBe(true);
    expect(provenance).toEqual({ source: `${server.url}/a.tgz`, kind: 'archive', integrity: `sha512-${hash('sha512', TGZ, 'base64')}`, resolved: `${server.url}/a.tgz` });
    expect(await get(pinSource(parseSource(provenance.source, '/'), provenance), [server.host])).toMatchObject({ provenance });
    expect(await get(`${server.url}/b`, [server.host])).toMatchObject({ archive: expect.any(String) });
    const temporary = temporaryFolder();
    await expect(get({ kind: 'archive', url: `${server.url}/c.zip`, integrity: provenance.integrity ?? '' }, [server.host], { temporary })).rejects.toMatchObject({ code: 'install_refused', message: expect.stringContaining('changed or damaged') });
    expect(fs.readdirSync(temporary)).toEqual([]);
  });

  it('is refused where it leads to this machine, is a page, or does not exist (C-A9)', async () => {
    const inner = await site({ '/a.zip': ZIP });
    const server = await site({ '/a.zip': (response) => response.writeHead(302, { location: `${inner.url}/a.zip` }).end(), '/page': '<html>' });
    await expect(get(`${server.url}/a.zip`, [server.host])).rejects.toMatchObject({ code: 'egress_refused', message: expect.stringContaining(inner.host) });
    await expect(get(`${server.url}/page`, [server.host])).rejects.toMatchObject({ code: 'install_refused', message: expect.stringContaining('neither a zip nor') });
    await expect(get(`${server.url}/none.zip`, [server.host])).rejects.toMatchObject({ code: 'not_found' });
    await expect(get('http://203.0.113.5/a.zip', [])).rejects.toMatchObject({ code: 'egress_refused' });
  });

  it('ends at 50 MiB, announced or not, and when it is cut off or stopped, with nothing left (C-A9)', async () => {
    const server = await site({
      '/announced.zip': (response) => response.writeHead(200, { 'content-length': 60 * MIB }).flushHeaders(),
      '/large.zip': (response) => {
        const more = (): void => { while (!response.destroyed && response.write(Buffer.alloc(MIB))); };
        response.on('drain', more);
        more();
      },
      '/cut.zip': (response) => {
        response.writeHead(200, { 'content-length': 100 }).write(ZIP);
        setTimeout(() => response.destroy(), 50);
      },
      '/slow.zip': (response) => response.write('PK'),
    });
    const temporary = temporaryFolder();
    for (const [name, says] of [['announced', 'larger than 50 MiB'], ['large', 'larger than 50 MiB'], ['cut', 'was not received whole']] as const) {
      await expect(get(`${server.url}/${name}.zip`, [server.host], { temporary }), name).rejects.toMatchObject({ code: 'network_failed', message: expect.stringContaining(says) });
    }
    await expect(get(`${server.url}/slow.zip`, [server.host], { temporary, signal: AbortSignal.timeout(300) })).rejects.toMatchObject({ code: 'interrupted' });
    expect(fs.readdirSync(temporary)).toEqual([]);
  });

  it('may take 60 s, and no longer (C-A9)', async () => {
    const server = await site({ '/drip.zip': (response) => { const timer = setInterval(() => response.write('P'), 20); response.on('close', () => clearInterval(timer)); } });
    const guard = guardFor([server.host]);
    const asked: unknown[] = [];
    const hasty: typeof guard = { ...guard, fetch: (url, request = {}) => { asked.push(request.limits); return guard.fetch(url, { ...request, limits: { ...request.limits, totalMs: 300 } }); } };
    const fetched = fetchSource(parseSource(`${server.url}/drip.zip`, '/'), { egress: hasty, temporary: temporaryFolder(), env: {}, openPack: noPacks });
    await expect(fetched).rejects.toMatchObject({ code: 'network_failed', message: expect.stringContaining('was not complete after 0.3 s') });
    expect(asked).toEqual([{ bodyBytes: 50 * MIB, totalMs: 60_000 }]);
  });
});

describe('an npm package', () => {
  /** A real package that ships skills, packed as its registry does. */
  function packed(): { readonly tarball: Buffer; readonly version: string } {
    const folder = temporaryFolder();
    execFileSync('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder, path.resolve('node_modules/@tanstack/intent')], { stdio: 'pipe', env: { ...process.env, npm_config_cache: folder } });
    const [name = ''] = fs.readdirSync(folder).filter((file) => file.endsWith('.tgz'));
    return { tarball: fs.readFileSync(path.join(folder, name)), version: /-(\d+\.\d+\.\d+)\.tgz$/.exec(name)?.[1] ?? '' };
  }

  function registry(versions: Readonly<Record<string, object>>, tarball: Buffer, tags: object = {}): Promise<TestServer> {
    return site({ '/@tanstack/intent': JSON.stringify({ 'dist-tags': tags, versions }), '/intent.tgz': tarball });
  }

  const dist = (tarball: Buffer, more: object = {}): object => ({ dist: { tarball: '/intent.tgz', integrity: `sha512-${hash('sha512', tarball, 'base64')}`, ...more } });

  it('is fetched from the registry that is set, and checked; it ships skills', async () => {
    const { tarball, version } = packed();
    const server = await registry({ [version]: dist(tarball), '9.0.0-beta.1': dist(tarball) }, tarball, { latest: version });
    const env = { npm_config_registry: server.url };
    await expect(get('npm:@tanstack/intent', [], { env })).rejects.toMatchObject({ code: 'egress_refused', message: expect.stringContaining('network.allow') });
    const { archive = '', provenance } = await get('npm:@tanstack/intent', [server.host], { env });
    expect(provenance).toEqual({ source: 'npm:@tanstack/intent', kind: 'npm', version, integrity: `sha512-${hash('sha512', tarball, 'base64')}`, resolved: `${server.url}/intent.tgz` });
    expect(execFileSync('tar', ['-tzf', archive], { encoding: 'utf8' })).toContain('package/meta/generate-skill/SKILL.md');
    expect(await get(pinSource(parseSource(provenance.source, '/'), provenance), [server.host], { env })).toMatchObject({ provenance: { version, integrity: provenance.integrity } });
  });

  it('is chosen by tag, version and range as npm does', async () => {
    const versions = Object.fromEntries(['1.0.0', '1.2.0', '1.3.0', '2.0.0', '3.0.0-rc.1'].map((version) => [version, dist(TGZ)]));
    const server = await registry(versions, TGZ, { latest: '1.2.0', next: '3.0.0-rc.1' });
    const version = async (spec: string): Promise<string | undefined> => (await get(`npm:@tanstack/intent${spec}`, [server.host], { env: { NPM_CONFIG_REGISTRY: `${server.url}/` } })).provenance.version;
    expect([await version(''), await version('@next'), await version('@1.0.0'), await version('@^1.0.0'), await version('@^2'), await version('@v2.0.0')]).toEqual(['1.2.0', '3.0.0-rc.1', '1.0.0', '1.2.0', '2.0.0', '2.0.0']);
    await expect(version('@^7')).rejects.toMatchObject({ code: 'not_found', message: 'The package @tanstack/intent has no version "^7"; the latest is 1.2.0.' });
    await expect(version('@toString')).rejects.toMatchObject({ code: 'not_found' });
  });

  it('is refused when its bytes are others, or cannot be checked', async () => {
    const server = await registry({ '1.0.0': dist(Buffer.from('else')), '1.1.0': dist(TGZ, { integrity: undefined, shasum: hash('sha1', TGZ, 'hex') }), '1.2.0': dist(TGZ, { integrity: undefined }) }, TGZ);
    const from = (version: string): Promise<FetchedSource> => get(`npm:@tanstack/intent@${version}`, [server.host], { env: { npm_config_registry: server.url } });
    await expect(from('1.0.0')).rejects.toMatchObject({ code: 'install_refused', message: expect.stringContaining('hash to') });
    expect((await from('1.1.0')).provenance.integrity).toBe(`sha1-${hash('sha1', TGZ, 'base64')}`);
    await expect(from('1.2.0')).rejects.toMatchObject({ code: 'install_refused', message: expect.stringContaining('no digest') });
    await expect(get('npm:absent', [server.host], { env: { npm_config_registry: server.url } })).rejects.toMatchObject({ code: 'not_found' });
    const page = await site({ '/x': '<html>', '/y': '{}' });
    for (const name of ['x', 'y']) await expect(get(`npm:${name}`, [page.host], { env: { npm_config_registry: page.url } })).rejects.toMatchObject({ code: 'network_failed' });
  });
});

describe('a well-known index', () => {
  const WELL_KNOWN = '/.well-known/agent-skills';

  function entry(name: string, file: string, data: string | Buffer, more: object = {}): object {
    return { name, type: file.endsWith('.md') ? 'skill-md' : 'archive', description: 'x', url: file, digest: `sha256:${hash('sha256', data, 'hex')}`, ...more };
  }

  function index(skills: readonly unknown[], schema: unknown = SCHEMA): string {
    return JSON.stringify({ $schema: schema, skills });
  }

  it('gives a skill that is one file, and one that is an archive', async () => {
    const server = await site({ [`${WELL_KNOWN}/index.json`]: index([entry('pdf', 'pdf/SKILL.md', SKILL), entry('all', '/all.tgz', TGZ), { name: 'new', type: 'future' }]), [`${WELL_KNOWN}/pdf/SKILL.md`]: SKILL, '/all.tgz': TGZ });
    const one = await get(`${server.url}#pdf`, [server.host]);
    expect([one.skill, path.basename(one.folder ?? ''), fs.readFileSync(path.join(one.folder ?? '', 'SKILL.md'), 'utf8')]).toEqual(['pdf', 'pdf', SKILL]);
    expect(one.provenance).toEqual({ source: `${server.url}${WELL_KNOWN}/index.json#pdf`, kind: 'well-known', integrity: `sha256-${hash('sha256', SKILL, 'base64')}`, resolved: `${server.url}${WELL_KNOWN}/pdf/SKILL.md` });
    expect(await get(pinSource(parseSource(one.provenance.source, '/'), one.provenance), [server.host])).toMatchObject({ provenance: one.provenance });
    const all = await get(`${server.url}${WELL_KNOWN}/index.json#all`, [server.host]);
    expect([all.skill, all.folder, fs.readFileSync(all.archive ?? '').equals(TGZ)]).toEqual(['all', undefined, true]);
    await expect(get(server.url, [server.host])).rejects.toMatchObject({ code: 'install_refused', message: expect.stringContaining('offers 2 skills: pdf, all. Name one: ') });
    await expect(get(`${server.url}#doc`, [server.host])).rejects.toMatchObject({ code: 'not_found', message: expect.stringContaining('it offers pdf, all') });
    await expect(get({ kind: 'well-known', url: `${server.url}${WELL_KNOWN}/index.json`, skill: 'pdf', integrity: 'sha256-old' }, [server.host])).rejects.toMatchObject({ code: 'install_refused', message: expect.stringContaining('another version of pdf') });
  });

  it('needs no choice where there is one skill', async () => {
    const server = await site({ [`${WELL_KNOWN}/index.json`]: index([entry('pdf', '/p.md', SKILL)]), '/p.md': SKILL });
    expect((await get(server.url, [server.host])).provenance.source).toBe(`${server.url}${WELL_KNOWN}/index.json#pdf`);
  });

  it('is refused when a file is another than announced, lies on this machine, or the index is faulty', async () => {
    const secret = await site({ '/SKILL.md': SKILL });
    const good = entry('pdf', '/SKILL.md', SKILL);
    const faults: readonly (readonly [string, string])[] = [
      [index([good], 'https://schemas.agentskills.io/discovery/9.0.0/schema.json'), 'only version 0.2.0'],
      [index([{ ...good, name: '../up' }]), 'none of a skill'],
      [index([{ ...good, digest: 'md5:0' }]), 'no digest'],
      [index([{ ...good, url: 7 }]), 'no url'],
      [index([good, good]), 'offers 2 skills'],
      [index([]), 'offers no skills'],
      [index([7]), 'no fields'],
      ['[]', 'no index of skills'],
      ['<html>', 'did not answer with JSON'],
      [index([{ ...good, url: `${secret.url}/SKILL.md` }]), 'network.allow'],
      [index([entry('pdf', '/SKILL.md', 'else')]), 'hash to'],
      [index([entry('pdf', '/text.zip', 'text')]), 'neither a zip nor'],
    ];
    for (const [text, says] of faults) {
      const server = await site({ [`${WELL_KNOWN}/index.json`]: text, '/SKILL.md': SKILL, '/text.zip': 'text' });
      await expect(get(server.url, [server.host]), says).rejects.toMatchObject({ message: expect.stringContaining(says) });
    }
  });
});
