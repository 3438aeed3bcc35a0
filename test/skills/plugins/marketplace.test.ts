import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { localTree } from '../../../src/host/local-tree.ts';
import { parseSource } from '../../../src/skills/library/parse-source.ts';
import { readMarketplace } from '../../../src/skills/plugins/marketplace.ts';
import { pluginToInstall, type PluginInstall } from '../../../src/skills/plugins/plugins-of.ts';
import { makePlace, type Place } from '../place.ts';

let place: Place;
beforeEach(() => {
  place = makePlace();
});
afterEach(() => place.remove());

const tree = localTree();
const shop = (): string => path.join(place.root, 'shop');

function offer(plugins: readonly unknown[], more: object = {}): void {
  place.write('shop/.claude-plugin/marketplace.json', JSON.stringify({ name: 'shop', owner: { name: 'Ann' }, plugins, ...more }));
}

/** Folders to install, relative to the marketplace, or where the plugin lies else. */
function install(name: string): unknown {
  const found: PluginInstall = pluginToInstall(tree, shop(), name);
  return found.kind === 'folders' ? found.folders.map((folder) => path.relative(shop(), folder)) : found;
}

describe('plugins in the tree of their marketplace', () => {
  it('give the folders of their skills, by the rules of a plugin', () => {
    offer([{ name: 'one', source: './plugins/one' }, { name: 'two', source: 'two' }, { name: 'all', source: './' }], { metadata: { pluginRoot: './plugins' } });
    for (const at of ['plugins/one/skills/a', 'plugins/one/extra/b', 'plugins/one/docs/none', 'plugins/two/skills/c', 'skills/d']) place.skill(`shop/${at}`);
    place.write('shop/plugins/one/.claude-plugin/plugin.json', JSON.stringify({ name: 'one', skills: ['./extra'] }));
    place.write('shop/plugins/one/commands/go.md', 'Go.');
    expect([install('one'), install('two'), install('all')]).toEqual([['plugins/one/skills/a', 'plugins/one/extra/b'], ['plugins/two/skills/c'], ['skills/d']]);
  });

  it('that the entry describes as a whole give the skills that it names; else it adds to them', () => {
    for (const name of ['a', 'b', 'c']) place.skill(`shop/skills/${name}`);
    place.skill('shop/more/d');
    offer([{ name: 'docs', source: './', strict: false, skills: ['./skills/a', './skills/c'] }, { name: 'more', source: './', skills: './more/d' }]);
    expect(install('docs')).toEqual(['skills/a', 'skills/c']);
    expect(install('more')).toEqual(['skills/a', 'skills/b', 'skills/c', 'more/d']);
  });

  it('stay in it', () => {
    fs.mkdirSync(shop());
    fs.symlinkSync(place.skill('away/evil'), path.join(shop(), 'link'));
    place.skill('shop/skills/a');
    offer([{ name: 'up', source: '../away' }, { name: 'root', source: '/etc' }, { name: 'link', source: './link' }, { name: 'gone', source: './gone' }, { name: 'mixed', source: './', skills: ['../away/evil'] }, { name: 'none', source: './.claude-plugin' }]);
    for (const name of ['up', 'root', 'link', 'gone', 'none']) expect(() => install(name), name).toThrow(expect.objectContaining({ code: 'plugin_refused', message: expect.stringContaining(`The plugin ${name} cannot be installed`) }));
    expect(pluginToInstall(tree, shop(), 'mixed')).toMatchObject({ folders: [path.join(shop(), 'skills/a')], problems: [{ message: expect.stringContaining('leads upward') }] });
  });
});

describe('plugins elsewhere', () => {
  it.each([
    [{ source: 'github', repo: 'ann/tools' }, 'ann/tools'],
    [{ source: 'github', repo: 'ann/tools', ref: 'v1' }, 'ann/tools#v1'],
    [{ source: 'github', repo: 'ann/tools', ref: 'v1', sha: 'abc123' }, 'ann/tools#abc123'],
    [{ source: 'url', url: 'https://git.example.com/x.git' }, 'git+https://git.example.com/x.git'],
    [{ source: 'git-subdir', url: 'https://git.example.com/x', path: './plugins/a', ref: 'main' }, 'git+https://git.example.com/x#main:plugins/a'],
    [{ source: 'git-subdir', url: 'ann/tools', path: 'plugins/a' }, 'ann/tools#:plugins/a'],
    [{ source: 'npm', package: '@ann/tools', version: '^1.2.0' }, 'npm:@ann/tools@^1.2.0'],
    [{ source: 'npm', package: 'tools', registry: 'https://registry.npmjs.org/' }, 'npm:tools'],
    [{ source: 'archive', url: 'https://example.com/a.zip' }, 'https://example.com/a.zip'],
  ])('%j is the source %j', (source, text) => {
    offer([{ name: 'x', source }]);
    expect(install('x')).toEqual({ kind: 'elsewhere', plugin: 'x', source: text });
    expect(() => parseSource(text, '/')).not.toThrow();
  });

  it('an archive with its digest', () => {
    offer([{ name: 'x', source: { source: 'archive', url: 'https://example.com/a.zip', sha256: 'ff'.repeat(32) } }]);
    expect(install('x')).toEqual({ kind: 'elsewhere', plugin: 'x', source: 'https://example.com/a.zip', integrity: `sha256-${Buffer.alloc(32, 0xff).toString('base64')}` });
  });

  it.each([
    [{ source: 'command', command: 'curl evil | sh' }, 'installing runs nothing'],
    [{ source: 'carrier-pigeon' }, 'of the kind "carrier-pigeon", which skillmint does not know'],
    [{ source: 'github', repo: '../..' }, 'no https address of a repository'],
    [{ source: 'github', repo: 'a/b', ref: '--upload-pack=x' }, 'no name of a branch'],
    [{ source: 'url', url: 'ext::sh -c id' }, 'no https address'],
    [{ source: 'url', url: 'file:///etc' }, 'no https address'],
    [{ source: 'url', url: 'https://a:b@example.com/x.git' }, 'no https address'],
    [{ source: 'git-subdir', url: 'a/b', path: '../x' }, 'leads out of the repository'],
    [{ source: 'git-subdir', url: 'a/b' }, 'has no "path"'],
    [{ source: 'npm', package: 'x', registry: 'https://evil.test' }, 'another npm registry'],
    [{ source: 'npm', package: 'x', version: 'git+ssh://x' }, 'no version of a package'],
    [{ source: 'npm', package: '../x' }, 'names no npm package'],
    [{ source: 'archive', url: 'https://example.com/a.zip', sha256: 'zz' }, 'no digest'],
    [undefined, 'it has no "source"'],
    [7, 'it has no "source"'],
  ])('%j is refused', (source, why) => {
    offer([{ name: 'x', source }]);
    expect(() => install('x')).toThrow(expect.objectContaining({ code: 'plugin_refused', message: expect.stringContaining(why) }));
  });
});

describe('a marketplace', () => {
  it('names its plugins, and the entries that cannot be used', () => {
    offer([{ name: 'good', source: './a', description: 'Good.', version: '1.0.0' }, { source: './b' }, 'text', { name: 'odd/name', source: './c' }, { name: 'bad-skills', source: './d', skills: [1] }]);
    const { name, plugins, problems } = readMarketplace(tree, shop()) ?? {};
    expect([name, plugins]).toEqual(['shop', [{ name: 'good', description: 'Good.', version: '1.0.0', source: { kind: 'inside', path: 'a' }, skills: [], complete: false }]]);
    expect(problems?.map(({ message }) => message)).toEqual(['plugin 2: it has no usable "name"', 'plugin 3: this is no object', 'plugin 4: it has no usable "name"', 'plugin 5: the "skills" of bad-skills are no paths']);
  });

  it('says what there is when a name is not', () => {
    offer([{ name: 'formatter', source: './a' }, { name: 'linter', source: './b' }]);
    expect(() => install('formater')).toThrow(expect.objectContaining({ code: 'not_found', message: 'There is no plugin "formater" here. Did you mean formatter?' }));
    expect(() => install('zzz')).toThrow('There are: formatter, linter.');
  });

  it.each([['{', 'not valid JSON'], ['[]', 'no JSON object'], ['{"owner":{},"plugins":[]}', 'no usable "name"'], ['{"name":"x","plugins":[]}', 'no "owner"'], ['{"name":"x","owner":{}}', 'no list "plugins"'], ['{"name":"x","owner":{},"plugins":[{"name":"a","source":"./a"},{"name":"a","source":"./b"}]}', 'two plugins called "a"']])('%s is refused', (text, why) => {
    place.write('shop/.claude-plugin/marketplace.json', text);
    expect(() => install('a')).toThrow(expect.objectContaining({ code: 'plugin_refused', message: expect.stringContaining(why) }));
  });

  it('is also a plugin by itself; a tree that is none has no plugins', () => {
    place.write('shop/.claude-plugin/plugin.json', '{"name":"tool","version":"2.0.0"}');
    place.skill('shop/skills/a');
    expect([readMarketplace(tree, shop()), install('tool')]).toEqual([undefined, ['skills/a']]);
    place.skill('plain/skills/a');
    expect(() => pluginToInstall(tree, path.join(place.root, 'plain'), 'plain')).toThrow(expect.objectContaining({ code: 'not_found' }));
    place.write('shop/.claude-plugin/plugin.json', '{"name":7}');
    expect(() => install('tool')).toThrow(expect.objectContaining({ code: 'plugin_refused' }));
  });
});
