import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { loadSettings } from '../../src/config/load-settings.ts';
import { editMcpFile, readMcpFile } from '../../src/config/mcp-file.ts';
import type { McpServerForm } from '../../src/protocol/mcp.ts';
import { approveServer, serverDigest } from '../../src/runtime/mcp/approvals.ts';
import { listServers, type ListedServer } from '../../src/runtime/mcp/server-list.ts';
import { realFiles, realTree } from './real-files.ts';

let root: string;
let home: string;
let data: string;
let cwd: string;

beforeEach(() => {
  root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'mcp-file-')));
  onTestFinished(() => fs.rmSync(root, { recursive: true, force: true }));
  [home, data, cwd] = [path.join(root, 'home'), path.join(root, 'home/.skillmint'), path.join(root, 'project/sub')];
  for (const folder of [data, cwd, path.join(root, 'project/.git')]) fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
});

const mcpFile = (): string => path.join(root, 'project/.mcp.json');
const project = (text: unknown): void => fs.writeFileSync(mcpFile(), typeof text === 'string' ? text : JSON.stringify(text, null, 2));
const user = (settings: unknown): void => fs.writeFileSync(path.join(data, 'config.json'), JSON.stringify(settings), { mode: 0o600 });
const editing = () => ({ tree: realTree, files: realFiles, dataFolder: data, now: () => 0 });

async function list(env: Readonly<Record<string, string>> = {}): Promise<{ readonly servers: readonly ListedServer[]; readonly problems: readonly string[] }> {
  return listServers({ tree: realTree, env, home, dataFolder: data, cwd, settings: await loadSettings({ tree: realTree, env, home, data, cwd }) });
}

const approve = (name: string, form: McpServerForm): Promise<void> => approveServer(editing(), { name, folder: path.join(root, 'project'), digest: serverDigest(name, form) });

describe('.mcp.json', () => {
  it('is that of the nearest folder up to the root of the repository', async () => {
    expect(await readMcpFile(realTree, cwd)).toBeUndefined();
    fs.writeFileSync(path.join(root, '.mcp.json'), '{"mcpServers":{}}');
    expect(await readMcpFile(realTree, cwd)).toBeUndefined();
    project({ mcpServers: { a: { command: 'x' } } });
    expect(await readMcpFile(realTree, cwd)).toMatchObject({ file: mcpFile(), servers: [{ name: 'a', form: { command: 'x' } }] });
  });

  it.each([
    ['{"mcpServers": {', /\.mcp\.json:1: not valid JSON/],
    ['[]', /\.mcp\.json:1: the object "mcpServers" with the servers is missing/],
    ['', /\.mcp\.json:1: the file is empty/],
  ])('that cannot be read at all is told with its line: %s', async (text, problem) => {
    project(text);
    expect((await list()).problems).toEqual([expect.stringMatching(problem)]);
  });

  it.each([
    ['{ "command": 5 }', 4, 'mcpServers.broken.command must be a text in double quotes that is not empty, not 5'],
    ['{ "command": "x", "args": "y" }', 4, 'mcpServers.broken.args must be a list in [ ], not "y"'],
    ['{ "args": [] }', 3, 'mcpServers.broken lacks "command" (a program) or "url" (an address)'],
    ['{ "command": "x", "url": "https://a" }', 3, 'mcpServers.broken has both "command" and "url"'],
    ['{ "url": "file:///etc" }', 4, 'mcpServers.broken.url must be a URL that begins with http:// or https://'],
    ['{ "type": "stdio", "url": "https://a" }', 3, 'has a "url" and the type "stdio"'],
    ['7', 3, 'mcpServers.broken must be an object'],
  ])('names file, line and key of a broken server and keeps the others: %s', async (text, line, says) => {
    project(`{ "mcpServers": {\n"good": { "command": "x", "alwaysAllow": ["of another program"] },\n"broken":\n${text} } }`);
    const { servers } = await list();
    expect(servers.map(({ name, standing }) => [name, standing.kind])).toEqual([['good', 'unapproved'], ['broken', 'invalid']]);
    expect(servers[1]?.standing).toMatchObject({ reason: expect.stringContaining(says) });
    expect(servers[1]?.standing).toMatchObject({ reason: expect.stringMatching(new RegExp(`\\.mcp\\.json:(?:${line}|4): `)) });
  });

  it('is not read when it is too large or no file', async () => {
    project(`{"mcpServers":{}}${' '.repeat(1_100_000)}`);
    expect((await list()).problems).toEqual([expect.stringContaining('larger than 1024 KiB')]);
    fs.rmSync(mcpFile());
    fs.mkdirSync(path.join(mcpFile(), 'sub'), { recursive: true });
    expect((await list()).problems).toEqual([expect.stringContaining('is no file')]);
  });

  it('is not what stands in for one while a command runs: the one above holds', async () => {
    project({ mcpServers: { a: { command: 'x' } } });
    fs.mkdirSync(path.join(cwd, '.mcp.json'));
    expect(await readMcpFile(realTree, cwd)).toMatchObject({ file: mcpFile(), servers: [{ name: 'a' }] });
  });

  it('keeps comments, format and keys of others when it is changed', async () => {
    project('{\n  // ours\n  "mcpServers": { "a": { "command": "x" } },\n  "other": true\n}\n');
    await editMcpFile(realFiles, realTree, { file: mcpFile(), name: 'b', form: { url: 'https://b.example' } });
    await editMcpFile(realFiles, realTree, { file: mcpFile(), name: 'a', form: undefined });
    const text = fs.readFileSync(mcpFile(), 'utf8');
    expect(text).toContain('// ours');
    expect(text).toContain('"other": true');
    expect((await readMcpFile(realTree, cwd))?.servers).toEqual([{ name: 'b', form: { url: 'https://b.example' } }]);
  });
});

describe('approval', () => {
  const form = { command: 'server', args: ['--port', '1'], env: { A: 'x' } };

  it('is needed for what a project names, and holds for exactly this definition', async () => {
    project({ mcpServers: { db: form } });
    expect((await list()).servers[0]?.standing).toEqual({ kind: 'unapproved', changed: false });
    await approve('db', form);
    expect((await list()).servers[0]?.standing.kind).toBe('usable');
    for (const changed of [{ ...form, args: ['--port', '2'] }, { ...form, command: 'evil' }, { ...form, env: { A: 'y' } }, { ...form, env: { A: 'x', NODE_OPTIONS: '-r ./evil.js' } }, { ...form, cwd: '/tmp' }]) {
      project({ mcpServers: { db: changed } });
      expect((await list()).servers[0]?.standing).toEqual({ kind: 'unapproved', changed: true });
    }
    project({ mcpServers: { db: { env: form.env, args: form.args, command: form.command } } });
    expect((await list()).servers[0]?.standing.kind).toBe('usable');
  });

  it('holds in no other folder, and is kept where only the person can write', async () => {
    project({ mcpServers: { db: form } });
    await approveServer(editing(), { name: 'db', folder: '/somewhere/else', digest: serverDigest('db', form) });
    expect((await list()).servers[0]?.standing.kind).toBe('unapproved');
    const file = path.join(data, 'mcp-servers.json');
    expect(fs.statSync(file).mode & 0o777).toBe(0o600);
    fs.chmodSync(file, 0o666);
    for (const folder of [root, home, data]) fs.chmodSync(folder, 0o777);
    await expect(list()).rejects.toThrow(/mcp-servers.json can be changed by other users/);
  });

  it('is not needed for the person\'s own servers, which win over those of a project', async () => {
    user({ mcpServers: { db: { command: 'mine' } } });
    project({ mcpServers: { db: form, 'd.b': form } });
    await approve('db', form);
    expect((await list()).servers.map(({ source, standing }) => [source, standing.kind])).toEqual([['user', 'usable'], ['project', 'shadowed'], ['project', 'unapproved']]);
  });

  it('is needed for servers in the settings of a trusted folder, which do not count at all in another', async () => {
    fs.mkdirSync(path.join(root, 'project/.skillmint'));
    fs.writeFileSync(path.join(root, 'project/.skillmint/config.json'), JSON.stringify({ mcpServers: { db: form } }));
    expect((await list()).servers).toEqual([]);
    user({ trustedFolders: [path.join(root, 'project')] });
    expect((await list()).servers).toMatchObject([{ source: 'project', standing: { kind: 'unapproved' } }]);
  });
});

describe('variables', () => {
  const form = { command: '${HOME}/bin/${TOOL:-server}', args: ['${NONE:-}', '${A}${A}'], env: { KEY: '${SECRET_TOKEN}' } };

  it('of a project\'s server are harmless ones and those that a rule gives; of the person\'s own all', async () => {
    project({ mcpServers: { db: form } });
    await approve('db', form);
    const env = { HOME: '/home/me', A: '${HOME}', SECRET_TOKEN: 'secret', TOOL: 'evil' };
    expect((await list(env)).servers[0]?.standing).toMatchObject({ kind: 'invalid', reason: expect.stringContaining('${A} and ${SECRET_TOKEN}') });
    user({ permissions: { allow: ['Env(SECRET_TOKEN)', 'Env(A)'] } });
    expect((await list(env)).servers[0]?.standing).toMatchObject({ kind: 'usable', definition: { argv: ['/home/me/bin/server', '', '${HOME}${HOME}'], env: { KEY: 'secret' }, cwd: path.join(root, 'project') } });
    user({ mcpServers: { own: form } });
    expect((await list(env)).servers[0]?.standing).toMatchObject({ kind: 'usable', definition: { argv: ['/home/me/bin/evil', '', '${HOME}${HOME}'], env: { KEY: 'secret' }, cwd: home } });
  });

  it('name the folder of the session', async () => {
    user({ mcpServers: { own: { command: 'x', cwd: '${CLAUDE_PROJECT_DIR}' } } });
    expect((await list()).servers[0]?.standing).toMatchObject({ definition: { cwd } });
  });

  it('give an address only where it is one', async () => {
    user({ mcpServers: { own: { url: '${ADDRESS}' } } });
    expect((await list({ ADDRESS: 'file:///etc/passwd' })).servers[0]?.standing).toMatchObject({ kind: 'invalid', reason: 'own has an address that is no http or https address' });
  });
});
