import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { isAlive, newestServer, ownServer, pidsIn, realServer, until } from '../mcp/servers.ts';
import { eventsOf, FREE, makePlace, oneLineOf, run, start, withProvider, writeSettings, type Ended, type Place } from './program.ts';

async function ok(place: Place, ...args: readonly string[]): Promise<Ended> {
  const ended = await run(place, args);
  if (ended.code !== 0) throw new Error(`${args.join(' ')} ended with ${ended.code}: ${ended.stderr}`);
  return ended;
}

async function json<T>(place: Place, ...args: readonly string[]): Promise<T> {
  return JSON.parse((await run(place, [...args, '--json'])).stdout);
}

interface Listed {
  readonly servers: readonly { readonly name: string; readonly scope: string; readonly status: string; readonly reason?: string; readonly tools?: number; readonly protocol?: string }[];
  readonly problems: readonly string[];
}

const projectFile = (place: Place, servers: unknown): void => fs.writeFileSync(path.join(place.project, '.mcp.json'), JSON.stringify({ mcpServers: servers }, null, 2));

describe('skillmint mcp', () => {
  it('adds, lists, tests and removes a server of the person', async () => {
    const place = makePlace();
    const { command = '', args = [] } = realServer('filesystem', place.project);
    expect((await ok(place, 'mcp', 'add', 'files', '--env', 'TOKEN=${MY_TOKEN:-none}', '--timeout', '5000', '--', command, ...args)).stderr).toContain('files was added to');
    expect(JSON.parse(fs.readFileSync(path.join(place.data, 'config.json'), 'utf8'))).toEqual({ mcpServers: { files: { command, args, env: { TOKEN: '${MY_TOKEN:-none}' }, timeout: 5000 } } });
    expect(fs.statSync(path.join(place.data, 'config.json')).mode & 0o777).toBe(0o600);
    expect(await json<Listed>(place, 'mcp', 'list')).toMatchObject({ servers: [{ name: 'files', scope: 'user', status: 'ready', tools: 14 }], problems: [] });
    expect((await json<Listed>(place, 'mcp', 'list', '--no-connect')).servers[0]?.status).toBe('usable');
    expect((await ok(place, 'mcp', 'list')).stdout).toMatch(/files {2}ready {2}14 tools/);
    expect((await ok(place, 'mcp', 'test', 'files')).stdout).toContain('mcp__files__read_text_file');
    expect((await ok(place, 'doctor')).stdout).toMatch(/mcp.*files ready.*outside the sandbox/);
    expect(oneLineOf(await run(place, ['mcp', 'add', 'files', '--', 'x']))).toContain('--replace');
    await ok(place, 'mcp', 'remove', 'files');
    expect(await json(place, 'mcp', 'list')).toEqual({ servers: [], problems: [] });
  }, 40_000);

  it('lists a server that starts slowly as starting, and tests it when it is ready', async () => {
    const place = makePlace();
    const { command = '', args = [] } = ownServer(place.root, { head: "process.stderr.write('fetching\\n'); Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 12_000);" });
    await ok(place, 'mcp', 'add', 'slow', '--', command, ...args);
    expect((await json<Listed>(place, 'mcp', 'list')).servers).toMatchObject([{ name: 'slow', status: 'starting', reason: 'it was not ready within 10 s; it printed: fetching; to wait for it longer: skillmint mcp test slow' }]);
    const tested = await ok(place, 'mcp', 'test', 'slow');
    expect(tested.stdout).toContain('mcp__slow__work');
    expect(tested.stderr).toMatch(/^skillmint: slow is still starting \(0 of at most 120 s\) …\nskillmint: slow is still starting; so far it printed: fetching \(10 of at most 120 s\) …\n$/);
  }, 60_000);

  it('writes addresses with headers, and shows no values of them', async () => {
    const place = makePlace();
    await ok(place, 'mcp', 'add', '--header', 'Authorization: Bearer ${TOKEN}', '--header', 'X-Key: secret-value', 'docs', 'https://mcp.example.com/mcp');
    expect(JSON.parse(fs.readFileSync(path.join(place.data, 'config.json'), 'utf8'))).toEqual({ mcpServers: { docs: { type: 'http', url: 'https://mcp.example.com/mcp', headers: { Authorization: 'Bearer ${TOKEN}', 'X-Key': 'secret-value' } } } });
    for (const args of [['mcp', 'list', '--no-connect', '--json'], ['config', 'list', '--json'], ['config', 'get', 'mcpServers.docs.headers']]) expect((await ok(place, ...args)).stdout).not.toContain('secret-value');
  });

  it.each([
    [['mcp', 'add', 'a b', '--', 'x'], 2, 'may only have letters'],
    [['mcp', 'add', 'a__b', '--', 'x'], 2, '"a_b" would do'],
    [['mcp', 'add', 'web', 'https://x.example', '--env', 'A=b'], 2, 'An address takes no'],
    [['mcp', 'add', '--header', 'A: b', 'x', '--', 'x'], 2, '--header is for addresses'],
    [['mcp', 'add', '--env', 'nothing', 'x', '--', 'x'], 2, '--env takes NAME=VALUE'],
    [['mcp', 'test', 'nothing'], 5, 'There is no MCP server "nothing" here'],
    [['mcp', 'remove', 'nothing'], 5, 'There is no MCP server "nothing" here'],
    [['mcp', 'approve', 'nothing', '--yes'], 5, 'There is no MCP server'],
  ])('refuses what makes no sense with one line: %j', async (args, code, says) => {
    const ended = await run(makePlace(), args);
    expect(ended.code).toBe(code);
    expect(oneLineOf(ended)).toContain(says);
  });

  it('asks for a project\'s servers, again after a change, and never without a person or --yes', async () => {
    const place = makePlace();
    const pids = path.join(place.root, 'pids');
    const server = ownServer(place.root, { head: `fs.appendFileSync('${pids}', process.pid + '\\n');` });
    projectFile(place, { own: server });
    expect((await json<Listed>(place, 'mcp', 'list')).servers[0]).toMatchObject({ name: 'own', scope: 'project', status: 'unapproved', reason: expect.stringContaining('skillmint mcp approve own') });
    expect((await run(place, ['mcp', 'test', 'own'])).code).toBe(6);
    const refused = await run(place, ['mcp', 'approve', 'own']);
    expect([refused.code, pidsIn(pids)]).toEqual([6, []]);
    const approved = await ok(place, 'mcp', 'approve', 'own', '--yes');
    expect(approved.stdout).toContain('runs, outside the sandbox and with your rights');
    await ok(place, 'mcp', 'test', 'own');
    expect(pidsIn(pids)).toHaveLength(1);
    projectFile(place, { own: { ...server, env: { NODE_OPTIONS: '--require=./evil.cjs' } } });
    expect((await json<Listed>(place, 'mcp', 'list')).servers[0]).toMatchObject({ status: 'unapproved', reason: expect.stringContaining('has changed since you approved it') });
    expect(pidsIn(pids)).toHaveLength(1);
    await ok(place, 'mcp', 'approve', 'own', '--yes');
    await ok(place, 'mcp', 'approve', 'own', '--revoke');
    expect((await json<Listed>(place, 'mcp', 'list')).servers[0]?.status).toBe('unapproved');
  }, 40_000);

  it('takes the short flags that servers name in their instructions, and shows the prompts that a person can call', async () => {
    const place = makePlace();
    const { command = '', args = [] } = realServer('everything');
    await ok(place, 'mcp', 'add', '-t', 'stdio', '-s', 'project', 'everything', '-e', 'LEVEL=low', '--', command, ...args);
    expect(JSON.parse(fs.readFileSync(path.join(place.project, '.mcp.json'), 'utf8'))).toEqual({ mcpServers: { everything: { command, args, env: { LEVEL: 'low' } } } });
    expect((await ok(place, 'mcp', 'list')).stdout).toMatch(/prompts of yours to call: .*\/mcp__everything__args-prompt CITY \[STATE\]/);
    expect(oneLineOf(await run(place, ['mcp', 'add', '-t', 'stdio', '-H', 'A: b', 'x', '--', 'x']))).toContain('--header is for addresses');
  }, 20_000);

  it('shows nothing of a server that a terminal would act on, whatever part of the program says it', async () => {
    const place = makePlace();
    const about = { supportedVersions: ['2026-07-28'], capabilities: { tools: {} }, _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'own', version: '1' } } };
    const evil = { name: '\u001b[31mred', description: '\u001b]0;title\u0007', inputSchema: { type: 'object', properties: { a: { type: 'string', 'x-mcp-header': '\u001b[2J' } } } };
    const web = http.createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        if (request.method !== 'POST') return void response.writeHead(405).end();
        const { id, method } = JSON.parse(Buffer.concat(chunks).toString());
        const result = { ...(method === 'server/discover' ? about : { tools: [evil, { name: 'plain', inputSchema: { type: 'object' } }] }), resultType: 'complete', ttlMs: 0, cacheScope: 'private' };
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ jsonrpc: '2.0', id, result }));
      });
    });
    await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void web.close());
    const address = web.address();
    await ok(place, 'mcp', 'add', 'own', `http://127.0.0.1:${address !== null && typeof address === 'object' ? address.port : 0}/mcp`);
    const { stdout, stderr } = await ok(place, 'mcp', 'test', 'own');
    expect(stdout).toContain('mcp__own__plain');
    expect(stderr).toContain('excluding tool');
    expect(['\u001b', '\u0007'].filter((sign) => `${stdout}${stderr}`.includes(sign))).toEqual([]);
  }, 20_000);

  it('writes a server into the project, approved as it was typed', async () => {
    const place = makePlace();
    const { command = '', args = [] } = ownServer(place.root, {});
    await ok(place, 'mcp', 'add', '--scope', 'project', 'own', '--', command, ...args);
    expect(JSON.parse(fs.readFileSync(path.join(place.project, '.mcp.json'), 'utf8'))).toEqual({ mcpServers: { own: { command, args } } });
    await ok(place, 'mcp', 'test', 'own');
    await ok(place, 'mcp', 'remove', 'own');
    expect(JSON.parse(fs.readFileSync(path.join(place.project, '.mcp.json'), 'utf8'))).toEqual({ mcpServers: {} });
  }, 20_000);
});

it('skills that a server offers are installed, locked, and updated when they change', async () => {
  const place = makePlace();
  const tea = (text: string) => ({ 'tea/SKILL.md': `---\nname: tea\ndescription: Makes tea.\n---\n\n${text}\n`, 'tea/references/leaves.md': 'Green, black.\n' });
  const { command = '', args = [] } = newestServer(place.root, tea('Boil water.'));
  await ok(place, 'mcp', 'add', 'kitchen', '--', command, ...args);
  await ok(place, 'skills', 'install', 'mcp:kitchen', '--yes');
  expect(fs.readFileSync(path.join(place.data, 'skills/tea/SKILL.md'), 'utf8')).toContain('Boil water.');
  expect(fs.existsSync(path.join(place.data, 'skills/tea/references/leaves.md'))).toBe(true);
  newestServer(place.root, tea('Boil fresh water.'));
  await ok(place, 'skills', 'update', 'tea', '--yes');
  expect(fs.readFileSync(path.join(place.data, 'skills/tea/SKILL.md'), 'utf8')).toContain('Boil fresh water.');
  expect((await run(place, ['skills', 'install', 'mcp:nobody'])).code).toBe(5);
}, 40_000);

describe('a turn', () => {
  it('tells of servers that are not approved or broken, starts none of them, and goes on', async () => {
    const place = makePlace();
    const pids = path.join(place.root, 'pids');
    await withProvider(place, { steps: [{ text: 'fine' }] });
    projectFile(place, { own: ownServer(place.root, { head: `fs.appendFileSync('${pids}', 'x');` }), broken: { command: 5 } });
    const { code, stdout } = await run(place, ['run', ...FREE, '--output', 'stream-json', 'go']);
    expect(code).toBe(0);
    const warnings = eventsOf(stdout).filter(({ type, code: kind }) => type === 'warning' && kind === 'mcp').map(({ message }) => String(message));
    expect(warnings).toEqual([expect.stringMatching(/own is not approved yet and is not started.*skillmint mcp approve own/), expect.stringMatching(/broken is not used: .*\.mcp\.json:\d+: mcpServers\.broken\.command must be/)]);
    expect(fs.existsSync(pids)).toBe(false);
  }, 20_000);

  it('that is killed leaves no process of a server behind for longer than 2 s', async () => {
    const place = makePlace();
    const pids = path.join(place.root, 'pids');
    const stubborn = ownServer(place.root, {
      head: `import { spawn } from 'node:child_process'; for (const signal of ['SIGTERM', 'SIGHUP', 'SIGINT']) process.on(signal, () => {}); setInterval(() => {}, 1000); const options = { stdio: 'ignore' }; for (const child of [spawn('sleep', ['300'], options), spawn('sleep', ['300'], { ...options, detached: true })]) fs.appendFileSync('${pids}', child.pid + '\\n'); fs.appendFileSync('${pids}', process.pid + '\\n');`,
      call: `fs.writeFileSync('${pids}.called', ''); await new Promise(() => {});`,
    });
    await withProvider(place, { steps: [{ calls: [{ name: 'CallTool', input: { tool: 'mcp__own__work', input: {} } }] }], settings: { mcpServers: { own: stubborn } } });
    const running = start(place, ['run', ...FREE, 'go']);
    await until(() => fs.existsSync(`${pids}.called`), 10_000);
    expect(pidsIn(pids).filter(isAlive)).toHaveLength(3);
    running.child.kill('SIGKILL');
    await running.ended;
    await until(() => pidsIn(pids).filter(isAlive).length === 0, 2_000);
  }, 30_000);

  it('without servers loads nothing of the protocol', async () => {
    const place = makePlace();
    await withProvider(place, { steps: [{ text: 'fine' }] });
    const coverage = path.join(place.root, 'coverage');
    expect((await run(place, ['run', ...FREE, 'go'], { env: { NODE_V8_COVERAGE: coverage } })).code).toBe(0);
    const loaded = fs.readdirSync(coverage).flatMap((file) => fs.readFileSync(path.join(coverage, file), 'utf8').match(/chunks\/[\w.-]+\.js/g) ?? []);
    expect(loaded.length).toBeGreaterThan(0);
    expect(loaded.filter((chunk) => /StreamableHTTPClientTransport|superviseServer|readMcpFile/.test(fs.readFileSync(path.join('dist', chunk), 'utf8')))).toEqual([]);
  }, 20_000);
});

it('settings with values for servers that others can read are refused', async () => {
  const place = makePlace();
  const file = writeSettings(place, { mcpServers: { a: { command: 'x', env: { TOKEN: 'secret' } } } });
  for (const folder of [place.root, place.home, place.data]) fs.chmodSync(folder, 0o755);
  fs.chmodSync(file, 0o644);
  expect(oneLineOf(await run(place, ['mcp', 'list']))).toMatch(/other users can read the key/);
});
