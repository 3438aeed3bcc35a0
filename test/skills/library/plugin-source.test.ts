import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { serve } from '../../egress/servers.ts';
import { skillMd, zipOf } from './archives.ts';
import { gitBackend, testRepository } from './git-server.ts';
import { testLibrary, type TestLibrary } from './library.ts';

function marketplace(plugins: readonly unknown[]): string {
  return JSON.stringify({ name: 'shop', owner: { name: 'Ann' }, plugins });
}

/** Wipes all skills and brings them back from the lock file. */
async function restored(lib: TestLibrary): Promise<readonly string[]> {
  for (const name of Object.keys(lib.lock().skills)) fs.rmSync(path.join(lib.skills, name), { recursive: true });
  return (await lib.restore()).restored;
}

const SHOP = {
  'shop/.claude-plugin/marketplace.json': marketplace([{ name: 'one', source: './plugins/one' }, { name: 'two', source: './plugins/two', skills: './odd/place' }, { name: 'cmd', source: { source: 'command', command: 'touch ran' } }, { name: 'empty', source: './plugins/empty' }]),
  'shop/plugins/one/skills/alpha/SKILL.md': skillMd('alpha'),
  'shop/plugins/one/skills/beta/SKILL.md': skillMd('beta'),
  'shop/plugins/two/SKILL.md': skillMd('two'),
  'shop/plugins/two/odd/place/gamma/SKILL.md': skillMd('gamma'),
  'shop/plugins/empty/README.md': 'Nothing.',
  'shop/skills/other/SKILL.md': skillMd('other'),
};

describe('a plugin of a marketplace', () => {
  it('in its own tree gives its skills alone, and the lock file brings those back', async () => {
    const lib = testLibrary();
    lib.write(SHOP);
    expect(await lib.install('./shop', { plugin: 'one' })).toMatchObject({ installed: [{ name: 'alpha' }, { name: 'beta' }], provenance: { kind: 'folder', plugin: 'one' } });
    expect((await lib.install('./shop', { plugin: 'two' })).installed.map(({ name }) => name).toSorted()).toEqual(['gamma', 'two']);
    expect(lib.lock().skills['gamma']).toMatchObject({ plugin: 'two', path: 'plugins/two/odd/place/gamma', source: path.join(lib.root, 'shop') });
    const lock = lib.lock();
    expect((await restored(lib)).toSorted()).toEqual(['alpha', 'beta', 'gamma', 'two']);
    expect(lib.lock()).toEqual(lock);
    fs.appendFileSync(path.join(lib.root, 'shop/plugins/two/odd/place/gamma/SKILL.md'), 'More.\n');
    expect(await lib.update({ names: ['gamma', 'alpha'] })).toMatchObject([{ name: 'gamma', updated: true }, { name: 'alpha', status: 'current' }]);
    expect(lib.lock().skills['gamma']).toMatchObject({ plugin: 'two' });
  });

  it('in a packed marketplace gives one of its skills', async () => {
    const lib = testLibrary();
    lib.write({ 'shop.zip': await zipOf(Object.fromEntries(Object.entries(SHOP).map(([name, text]) => [name.replace('shop/', 'shop-main/'), text]))) });
    expect(await lib.install('./shop.zip', { plugin: 'one', pick: [{ name: 'beta' }] })).toMatchObject({ installed: [{ name: 'beta' }] });
    expect(await restored(lib)).toEqual(['beta']);
  });

  it('that cannot be used is refused, and nothing of it runs', async () => {
    const lib = testLibrary();
    lib.write(SHOP);
    await expect(lib.install('./shop', { plugin: 'cmd' })).rejects.toMatchObject({ code: 'plugin_refused', message: expect.stringContaining('its source is a command') });
    await expect(lib.install('./shop', { plugin: 'empty' })).rejects.toMatchObject({ code: 'plugin_refused', message: expect.stringContaining('holds no skill') });
    await expect(lib.install('./shop', { plugin: 'on' })).rejects.toMatchObject({ code: 'not_found', message: expect.stringContaining('Did you mean one?') });
    lib.write({ 'shop/.claude-plugin/marketplace.json': '{' });
    const broken = lib.install('./shop', { plugin: 'one' });
    await expect(broken).rejects.toMatchObject({ code: 'plugin_refused', message: expect.stringContaining('.claude-plugin/marketplace.json is not valid JSON') });
    expect([lib.contents(), fs.existsSync(path.join(lib.root, 'ran'))]).toEqual([[], false]);
  });

  it('must not lead to files of this machine, nor promise a digest of what has none', async () => {
    const lib = testLibrary();
    lib.write({ 'evil/x.zip': await zipOf({ 'x/SKILL.md': skillMd('x') }), 'shop/.claude-plugin/marketplace.json': marketplace([{ name: 'local', source: { source: 'github', repo: 'evil/x.zip' } }, { name: 'digest', source: { source: 'archive', url: 'https://example.com/x.git', sha256: '0'.repeat(64) } }]) });
    await expect(lib.install('./shop', { plugin: 'local' })).rejects.toMatchObject({ code: 'install_refused', message: expect.stringContaining('is on this machine') });
    await expect(lib.install('./shop', { plugin: 'digest' })).rejects.toMatchObject({ code: 'install_refused', message: expect.stringContaining('is no archive') });
  });

  it('is named where a source has plugins and no skills', async () => {
    const lib = testLibrary();
    lib.write({ 'shop/.claude-plugin/marketplace.json': marketplace([{ name: 'far', source: { source: 'github', repo: 'o/r' } }, { name: 'near', source: './none' }]), 'shop/README.md': 'x' });
    await expect(lib.install('./shop')).rejects.toMatchObject({ code: 'install_refused', message: expect.stringMatching(/holds no SKILL\.md\. It offers plugins, which are installed with --plugin NAME: far, near\./) });
  });
});

describe('a plugin that lies elsewhere', () => {
  it('is fetched from its repository, at the commit that is locked', async () => {
    const root = testLibrary().root;
    const [shop, plugin] = [testRepository(path.join(root, 'shop.git')), testRepository(path.join(root, 'plugin.git'))];
    const server = await serve(gitBackend(root));
    const lib = testLibrary({ allow: [server.host], env: { PATH: process.env['PATH'] ?? '' } });
    const first = plugin.commit({ 'tool/skills/delta/SKILL.md': skillMd('delta') });
    shop.commit({ '.claude-plugin/marketplace.json': marketplace([{ name: 'delta', source: { source: 'git-subdir', url: `${server.url}/plugin.git`, path: 'tool' } }]) });
    const source = `git+${server.url}/shop.git`;
    expect(await lib.install(source, { plugin: 'delta' })).toMatchObject({ installed: [{ name: 'delta' }], provenance: { kind: 'git', commit: first, source: `git+${server.url}/plugin.git#:tool` } });
    plugin.commit({ 'tool/skills/delta/SKILL.md': skillMd('delta', 'Newer.') });
    expect(await restored(lib)).toEqual(['delta']);
    expect(lib.lock().skills['delta']).toMatchObject({ commit: first });
    expect(await lib.update()).toMatchObject([{ name: 'delta', updated: true }]);
  });

  it('is fetched once more and not further, and must have the digest that the marketplace gives', async () => {
    const zip = await zipOf({ 'eps/SKILL.md': skillMd('eps') });
    const again = await zipOf({ 'p/.claude-plugin/marketplace.json': marketplace([{ name: 'eps', source: { source: 'github', repo: 'o/r' } }]) });
    const server = await serve((request, response) => response.end(request.url === '/eps.zip' ? zip : again));
    const lib = testLibrary({ allow: [server.host] });
    const sha256 = (data: Buffer): string => createHash('sha256').update(data).digest('hex');
    const offer = (file: string, digest: string) => lib.write({ 'shop/.claude-plugin/marketplace.json': marketplace([{ name: 'eps', source: { source: 'archive', url: `${server.url}/${file}`, sha256: digest } }]) });
    offer('eps.zip', sha256(again));
    await expect(lib.install('./shop', { plugin: 'eps' })).rejects.toMatchObject({ code: 'install_refused' });
    offer('again.zip', sha256(again));
    await expect(lib.install('./shop', { plugin: 'eps' })).rejects.toMatchObject({ code: 'install_refused', message: expect.stringContaining('holds no SKILL.md') });
    offer('eps.zip', sha256(zip));
    expect(await lib.install('./shop', { plugin: 'eps' })).toMatchObject({ installed: [{ name: 'eps' }], provenance: { kind: 'archive', source: `${server.url}/eps.zip` } });
    expect(await restored(lib)).toEqual(['eps']);
  });
});
