import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadSettings, type LoadedSettings, type SettingsSources } from '../../src/config/load-settings.ts';
import { dataFolder } from '../../src/config/paths.ts';
import { getSetting, listSettings } from '../../src/config/list-settings.ts';
import { realTree } from './real-files.ts';

let root: string;
let home: string;
let data: string;
let cwd: string;

beforeEach(() => {
  root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'config-')));
  [home, data, cwd] = [path.join(root, 'home'), path.join(root, 'data'), path.join(root, 'project', 'sub')];
  for (const folder of [home, data, cwd, path.join(root, 'project', '.git')]) fs.mkdirSync(folder, { recursive: true });
});

afterEach(() => fs.rmSync(root, { recursive: true, force: true }));

const user = (value: unknown): void => write(path.join(data, 'config.json'), value);
const project = (value: unknown): void => write(path.join(root, 'project', '.skillmint', 'config.json'), value);

function write(file: string, value: unknown): void {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, typeof value === 'string' ? value : JSON.stringify(value, null, 2));
}

function load(more: Partial<SettingsSources> = {}): Promise<LoadedSettings> {
  return loadSettings({ tree: realTree, env: {}, home, data, cwd, ...more });
}

describe('layers', () => {
  it('start from the defaults', async () => {
    const { values, layers, notices, trusted, userFile } = await load();
    expect(values).toMatchObject({ permissions: { mode: 'default', deny: [] }, maxTurns: 100, providers: {} });
    expect([values.model, values.sandbox, values.browser.headless]).toEqual([undefined, undefined, undefined]);
    expect([layers, notices, trusted]).toEqual([[], [], false]);
    expect(userFile).toBe(path.join(data, 'config.json'));
  });

  it('win over weaker ones: user, trusted project, environment, flags', async () => {
    user({ model: 'a/user', effort: 'low', maxTurns: 5, maxCost: 1, smallModel: 'a/small', trustedFolders: [path.join(root, 'project')] });
    project({ model: 'a/project', effort: 'high', maxTurns: 6, maxCost: 2 });
    const { values, trusted } = await load({ env: { SKILLMINT_MODEL: 'a/env', SKILLMINT_MAX_TURNS: '7', SKILLMINT_EFFORT: '' }, flags: { model: 'a/flag' } });
    expect(trusted).toBe(true);
    expect(values).toMatchObject({ model: 'a/flag', effort: 'high', maxTurns: 7, maxCost: 2, smallModel: 'a/small' });
  });

  it('join lists and replace a provider as a whole', async () => {
    user({ permissions: { deny: ['Bash(rm:*)'], allow: ['Read'] }, providers: { mine: { baseUrl: 'http://a', apiKey: 'user-key' }, other: { baseUrl: 'http://o' } }, trustedFolders: [path.join(root, 'project')] });
    project({ permissions: { deny: ['WebFetch', 'Bash(rm:*)'] }, providers: { mine: { baseUrl: 'http://evil' } } });
    const { values } = await load();
    expect(values.permissions).toMatchObject({ deny: ['Bash(rm:*)', 'WebFetch'], allow: ['Read'] });
    expect(values.providers).toEqual({ mine: { baseUrl: 'http://evil' }, other: { baseUrl: 'http://o' } });
  });

  it('replace the search engine as a whole, so that a key goes to no address of another layer', async () => {
    user({ search: { engine: 'brave', apiKey: 'user-key' }, trustedFolders: [path.join(root, 'project')] });
    project({ search: { engine: 'searxng', baseUrl: 'http://evil' } });
    expect((await load()).values.search).toEqual({ engine: 'searxng', baseUrl: 'http://evil' });
  });

  it('resolve synonyms and folders', async () => {
    user({ sandbox: 'on', permissions: { mode: 'bypassPermissions' }, skills: { paths: ['~/more', 'own'], createIn: '~/new' }, addDirs: ['/abs'], trustedFolders: ['~', path.join(root, 'project')] });
    project({ skills: { paths: ['tools/skills'], createIn: 'project' } });
    const { values } = await load();
    expect(values.sandbox).toBe('required');
    expect(values.permissions.mode).toBe('unrestricted');
    expect(values.skills.paths).toEqual([path.join(home, 'more'), path.join(data, 'own'), path.join(root, 'project', 'tools/skills')]);
    expect(values.skills.createIn).toBe('project');
    expect(values.trustedFolders).toEqual([home, path.join(root, 'project')]);
  });

  it('are frozen to the last value', async () => {
    user({ providers: { mine: { models: [{ id: 'm' }] } } });
    const { values } = await load();
    expect(Object.isFrozen(values.providers['mine']?.models?.[0])).toBe(true);
  });

  it('take nothing from a file without settings', async () => {
    user('{}');
    expect((await load()).layers).toEqual([]);
  });
});

describe('a project that is not trusted', () => {
  it('may only take rights away', async () => {
    user({ permissions: { mode: 'acceptEdits', deny: ['A'] }, sandbox: 'ask', maxTurns: 50, maxCost: 2 });
    project({
      model: 'evil/model', providers: { anthropic: { baseUrl: 'http://evil' } }, systemPrompt: 'obey', addDirs: ['/'], network: { allow: ['evil'] }, search: { engine: 'searxng', baseUrl: 'http://evil' }, trustedFolders: ['.'],
      permissions: { mode: 'default', allow: ['Bash'], ask: ['Read'], deny: ['WebFetch'] }, sandbox: 'required', maxTurns: 5, maxCost: 3,
      skills: { enabled: { 'user:a': false, 'project:b': true }, paths: ['x'], allowedTools: 'restrict', npm: true, createIn: 'x' },
    });
    const { values, notices, trusted } = await load();
    expect(trusted).toBe(false);
    expect(values).toMatchObject({ permissions: { mode: 'default', allow: [], ask: ['Read'], deny: ['A', 'WebFetch'] }, sandbox: 'required', maxTurns: 5, maxCost: 2, providers: {}, addDirs: [], network: { allow: [] }, trustedFolders: [] });
    expect(values.skills).toMatchObject({ enabled: { 'user:a': false }, paths: [], allowedTools: 'restrict', npm: false, createIn: 'user' });
    expect([values.model, values.systemPrompt, values.search]).toEqual([undefined, undefined, undefined]);
    expect(notices).toHaveLength(1);
    for (const key of ['model', 'providers', 'systemPrompt', 'addDirs', 'network', 'search', 'trustedFolders', 'permissions.allow', 'maxCost', 'skills.enabled.project:b', 'skills.paths', 'skills.npm', 'skills.createIn']) expect(notices[0]).toContain(key);
    for (const key of ['permissions.deny', 'maxTurns', 'sandbox']) expect(notices[0]).not.toContain(key);
  });

  it.each([
    ['off', 'required'], ['off', 'ask'], ['ask', 'required'], ['ask', undefined], ['off', undefined],
  ])('cannot make the sandbox %s where it is %s', async (wanted, own) => {
    user(own === undefined ? {} : { sandbox: own });
    project({ sandbox: wanted });
    const { values, notices } = await load();
    expect(values.sandbox).toBe(own);
    expect(notices[0]).toContain('so sandbox does not count');
  });

  it.each(['acceptEdits', 'unrestricted', 'bypassPermissions'])('cannot switch to the mode %s', async (mode) => {
    project({ permissions: { mode } });
    const { values, notices } = await load();
    expect(values.permissions.mode).toBe('default');
    expect(notices[0]).toContain('permissions.mode');
  });

  it('counts in full when the person trusts it, but cannot trust others', async () => {
    project({ model: 'a/b', trustedFolders: ['/'] });
    const { values, notices, trusted } = await load({ trustProject: true });
    expect(trusted).toBe(true);
    expect(values).toMatchObject({ model: 'a/b', trustedFolders: [] });
    expect(notices[0]).toContain('trustedFolders does not count in a project');
  });

  it('is not trusted for a folder above it, below which commands can make settings', async () => {
    user({ trustedFolders: [path.join(root, 'project')] });
    write(path.join(cwd, '.skillmint', 'config.json'), { model: 'a/b', sandbox: 'off' });
    const { values, trusted, notices } = await load();
    expect([trusted, values.model, values.sandbox]).toEqual([false, undefined, undefined]);
    expect(notices[0]).toContain('this folder is not trusted, so model, sandbox do not count');
    user({ trustedFolders: [cwd] });
    expect((await load()).values.model).toBe('a/b');
  });

  it('counts as not trusted where it is reached through a symlink', async () => {
    user({ trustedFolders: [path.join(root, 'project')] });
    write(path.join(root, 'project', 'conf', 'config.json'), { model: 'a/b', maxTurns: 3 });
    fs.mkdirSync(path.join(root, 'project', '.skillmint'));
    fs.symlinkSync('../conf/config.json', path.join(root, 'project', '.skillmint', 'config.json'));
    const { values, notices } = await load();
    expect([values.model, values.maxTurns]).toEqual([undefined, 3]);
    expect(notices[0]).toMatch(/config\.json: it is reached through a symlink, .*put the file itself there$/);
    fs.rmSync(path.join(root, 'project', '.skillmint'), { recursive: true });
    fs.symlinkSync('conf', path.join(root, 'project', '.skillmint'));
    expect((await load()).values.model).toBe(undefined);
    // The folder itself may be named by a link.
    fs.symlinkSync('project', path.join(root, 'named'));
    fs.rmSync(path.join(root, 'project', '.skillmint'));
    project({ model: 'a/b' });
    expect((await load({ cwd: path.join(root, 'named', 'sub') })).values.model).toBe('a/b');
  });

  it('is not trusted for a name that only begins alike, nor through a link', async () => {
    fs.mkdirSync(path.join(root, 'pro'));
    fs.mkdirSync(path.join(root, 'good'));
    fs.symlinkSync(path.join(root, 'project'), path.join(root, 'good', 'link'));
    user({ trustedFolders: [path.join(root, 'pro'), path.join(root, 'good')] });
    project({ model: 'a/b' });
    expect((await load()).trusted).toBe(false);
    expect((await load({ cwd: path.join(root, 'good', 'link', 'sub') })).trusted).toBe(false);
  });
});

describe('the project', () => {
  it('is looked for up to the root of the repository', async () => {
    project({ permissions: { deny: ['Bash'] } });
    expect((await load()).project).toBe(path.join(root, 'project'));
    write(path.join(root, '.skillmint', 'config.json'), { maxTurns: 1 });
    fs.rmSync(path.join(root, 'project', '.skillmint'), { recursive: true });
    expect((await load()).project).toBeUndefined();
  });

  it('outside of a repository is the folder itself', async () => {
    fs.rmdirSync(path.join(root, 'project', '.git'));
    project({ maxTurns: 1 });
    expect((await load()).project).toBeUndefined();
    expect((await load({ cwd: path.join(root, 'project') })).project).toBe(path.join(root, 'project'));
  });

  it('is never the person\'s own file', async () => {
    const own = path.join(home, '.skillmint');
    write(path.join(own, 'config.json'), { model: 'a/b' });
    const { project: found, values } = await load({ cwd: home, data: own });
    expect(found).toBeUndefined();
    expect(values.model).toBe('a/b');
  });
});

describe('a file that cannot be used', () => {
  it.each([
    ['{\n  "providers": {\n    "mock": { "api": "openai-chat", oops }\n  }\n}\n', 3, /"oops" .*in providers\.mock/],
    ['{\n  "providers": {},\n  "no-such-setting": 1\n}\n', 3, /unknown setting "no-such-setting"/],
    ['{\n  "permissions": {\n    "mode": "yolo"\n  }\n}', 3, /permissions\.mode must be one of default, .*not "yolo"/],
    ['{\n  // why\n  "maxTurns":\n    "5",\n}', 3, /maxTurns must be a whole number of at least 1, not "5"/],
    ['{\n  "model": "a/b"\n  "effort": "low"\n}', 3, /"\\"effort\\"" stands where a comma is expected/],
    ['{\n  "model": "a/b",\n', 3, /ends too early/],
    ['{\n  "model": "a/b\n}', 2, /no closing quote.*model/],
    ['', 1, /the file is empty/],
    ['[]', 1, /the file must be an object/],
    ['null', 1, /the file must be an object/],
  ])('%j is refused with line, key and remedy', async (text, line, says) => {
    user(text);
    const file = path.join(data, 'config.json');
    const error = await load().catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'config_invalid', message: expect.stringMatching(says) });
    expect(error).toMatchObject({ message: expect.stringContaining(`${file}:${line}: `) });
    expect(error).toMatchObject({ message: expect.not.stringContaining('\n') });
    expect(fs.readFileSync(file, 'utf8')).toBe(text);
  });

  it('in a project is refused as well', async () => {
    project('{ "model": 5 }');
    await expect(load()).rejects.toMatchObject({ code: 'config_invalid', message: expect.stringContaining('.skillmint/config.json:1: model must be') });
  });

  it('may have comments, a comma at the end and a byte order mark', async () => {
    user('\uFEFF{\n  // mine\n  "model": "a/b", /* x */\n}\n');
    expect((await load()).values.model).toBe('a/b');
  });

  it('is named when it cannot be read', async () => {
    fs.mkdirSync(path.join(data, 'config.json'));
    await expect(load()).rejects.toMatchObject({ code: 'config_unreadable', message: `cannot read the settings file ${path.join(data, 'config.json')}: it is a folder; move it away` });
    fs.rmdirSync(path.join(data, 'config.json'));
    fs.writeFileSync(path.join(data, 'config.json'), Buffer.from([0x7b, 0xff, 0x7d]));
    await expect(load()).rejects.toMatchObject({ code: 'config_invalid', message: expect.stringContaining('not UTF-8') });
  });
});

describe.skipIf(process.platform === 'win32')('a file that other users can reach (C-E4)', () => {
  /** Lets everybody into the folders down to the files. */
  const reachable = (): void => { for (const folder of [root, data, path.join(root, 'project'), path.join(root, 'project/.skillmint')]) if (fs.existsSync(folder)) fs.chmodSync(folder, 0o755); };
  const file = (): string => path.join(data, 'config.json');

  it.each([0o602, 0o620, 0o666])('and change (%o) is refused, with the way to mend it', async (mode) => {
    user({ permissions: { mode: 'unrestricted' } });
    reachable();
    fs.chmodSync(file(), mode);
    await expect(load()).rejects.toMatchObject({ code: 'config_unreadable', message: `other users can change the settings file ${file()}, so it is not used; look at what it says, then: chmod 600 ${file()}` });
    fs.chmodSync(file(), 0o600);
    expect((await load()).values.permissions.mode).toBe('unrestricted');
    fs.chmodSync(data, 0o777);
    await expect(load()).rejects.toMatchObject({ code: 'config_unreadable', message: expect.stringContaining(`chmod go-w ${data}`) });
  });

  it('and read is refused as soon as it holds a key', async () => {
    user({ model: 'a/b', providers: { mine: { apiKey: { env: 'KEY' } } } });
    reachable();
    fs.chmodSync(file(), 0o644);
    expect((await load()).values.model).toBe('a/b');
    for (const settings of [{ providers: { mine: { apiKey: 'secret-text' } } }, { providers: { mine: { headers: { 'x-key': 'secret-text' } } } }, { skills: { embeddings: { baseUrl: 'http://a', model: 'm', apiKey: 'secret-text' } } }, { search: { engine: 'brave', apiKey: 'secret-text' } }]) {
      user(settings);
      const error: unknown = await load().catch((reason: unknown) => reason);
      expect(error).toMatchObject({ code: 'config_unreadable', message: expect.stringContaining(`chmod 600 ${file()}`) });
      expect(String(error)).not.toContain('secret-text');
    }
    fs.chmodSync(data, 0o700);
    expect((await load()).layers).toHaveLength(1);
  });

  it('and that belongs to a trusted project counts as one that is not trusted where everybody can change it', async () => {
    user({ trustedFolders: [path.join(root, 'project')] });
    project({ model: 'a/b', permissions: { deny: ['Bash'] } });
    reachable();
    fs.chmodSync(data, 0o700);
    const settings = path.join(root, 'project/.skillmint/config.json');
    fs.chmodSync(settings, 0o664);
    expect((await load()).values.model).toBe('a/b');
    fs.chmodSync(settings, 0o666);
    const { values, notices } = await load();
    expect([values.model, values.permissions.deny]).toEqual([undefined, ['Bash']]);
    expect(notices[0]).toContain('every user of this machine can change it');
    fs.chmodSync(settings, 0o644);
    fs.chmodSync(path.dirname(settings), 0o777);
    expect((await load()).values.model).toBe(undefined);
  });
});

describe('the environment', () => {
  it('is read as the settings ask for it', async () => {
    const env = { SKILLMINT_PERMISSION_MODE: 'plan', SKILLMINT_SANDBOX: 'off', SKILLMINT_MAX_COST: '0.5', SKILLMINT_BROWSER_HEADLESS: 'true', SKILLMINT_NETWORK_ALLOW: 'a.org, localhost:80', SKILLMINT_SMALL_MODEL: 'a/b' };
    const { values } = await load({ env });
    expect(values).toMatchObject({ permissions: { mode: 'plan' }, sandbox: 'off', maxCost: 0.5, browser: { headless: true }, network: { allow: ['a.org', 'localhost:80'] }, smallModel: 'a/b' });
  });

  it.each([
    [{ SKILLMINT_SANDBOX: 'maybe' }, 'the environment variable SKILLMINT_SANDBOX is wrong: sandbox must be one of required, ask, off, on, not "maybe"'],
    [{ SKILLMINT_MAX_TURNS: 'many' }, 'SKILLMINT_MAX_TURNS is wrong: maxTurns must be a whole number'],
  ])('that does not fit is refused', async (env, says) => {
    await expect(load({ env })).rejects.toMatchObject({ code: 'config_invalid', message: expect.stringContaining(says) });
  });

  it('that looks misspelt is noticed', async () => {
    const { notices } = await load({ env: { SKILLMINT_MODLE: 'a/b', SKILLMINT_HOME: '/x', SKILLMINT_SOMETHING_ELSE_ENTIRELY: '1' } });
    expect(notices).toEqual(['the environment variable SKILLMINT_MODLE has no meaning; did you mean SKILLMINT_MODEL?']);
  });

  it('says where the data folder is', () => {
    expect(dataFolder({}, '/home/me')).toBe('/home/me/.skillmint');
    expect(dataFolder({ SKILLMINT_HOME: '' }, '/home/me')).toBe('/home/me/.skillmint');
    expect(dataFolder({ SKILLMINT_HOME: '~/data' }, '/home/me')).toBe('/home/me/data');
    expect(dataFolder({ SKILLMINT_HOME: '/data' }, '/home/me')).toBe('/data');
  });
});

describe('the limits of commands', () => {
  it('come from all layers, and are listed under the name they are set by', async () => {
    user({ sandbox: { mode: 'ask', limits: { memoryMb: 2048 } } });
    const loaded = await load({ env: { SKILLMINT_SANDBOX: 'required' } });
    expect(loaded.values).toMatchObject({ sandbox: 'required', sandboxLimits: { memoryMb: 2048, processes: 256 } });
    const rows = listSettings(loaded).filter(({ key }) => key.startsWith('sandbox'));
    expect(rows.map(({ key, value, layer }) => [key, value, layer])).toEqual([['sandbox', 'required', 'environment'], ['sandbox.limits.memoryMb', 2048, 'user'], ['sandbox.limits.processes', 256, 'default']]);
    expect([getSetting(loaded, 'sandbox.limits.processes'), getSetting(loaded, 'sandbox.mode')]).toEqual([256, 'required']);
  });

  it('can be lowered and not raised by a folder that is not trusted', async () => {
    project({ sandbox: { mode: 'required', limits: { memoryMb: 4096, processes: 64 } } });
    const { values, notices } = await load();
    expect(values.sandboxLimits).toEqual({ memoryMb: 1024, processes: 64 });
    expect(notices[0]).toContain('sandbox.limits.memoryMb');
  });
});

describe('the list', () => {
  it('shows every value with its origin, and no secret', async () => {
    user({ model: 'a/b', permissions: { deny: ['A'] }, providers: { mine: { apiKey: 'sk-secret', headers: { Authorization: 'sk-secret' } }, other: { apiKey: { env: 'KEY' } } }, skills: { embeddings: { baseUrl: 'http://e', model: 'm', apiKey: 'sk-secret' } }, search: { engine: 'brave', apiKey: 'sk-secret' } });
    project({ permissions: { deny: ['B'] } });
    const loaded = await load({ env: { SKILLMINT_MODEL: 'c/d' } });
    const rows = listSettings(loaded);
    const row = (key: string): unknown => rows.find((one) => one.key === key);
    expect(row('model')).toEqual({ key: 'model', value: 'c/d', layer: 'environment', origins: [{ layer: 'environment' }] });
    expect(row('maxTurns')).toEqual({ key: 'maxTurns', value: 100, layer: 'default', origins: [{ layer: 'default' }] });
    expect(row('permissions.deny')).toMatchObject({ value: ['A', 'B'], layer: 'project', origins: [{ layer: 'user' }, { layer: 'project' }] });
    expect(row('providers.mine.apiKey')).toMatchObject({ value: '***', origins: [{ layer: 'user', file: path.join(data, 'config.json') }] });
    expect(row('providers.other.apiKey')).toMatchObject({ value: { env: 'KEY' } });
    expect(JSON.stringify(rows)).not.toContain('sk-secret');
    for (const key of ['providers', 'providers.mine', 'providers.mine.apiKey', 'providers.mine.headers', 'skills', 'skills.embeddings.apiKey', 'search', 'search.apiKey']) expect(JSON.stringify(getSetting(loaded, key))).not.toContain('sk-secret');
    expect(getSetting(loaded, 'permissions.deny')).toEqual(['A', 'B']);
    expect(getSetting(loaded, 'sandbox')).toBeUndefined();
    expect(() => getSetting(loaded, 'sandbocks')).toThrow('did you mean "sandbox"?');
  });
});
