import fs from 'node:fs';
import path from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { SkillsClient } from '@modelcontextprotocol/client/ext/skills';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { describe, expect, it, onTestFinished } from 'vitest';
import { isAlive, pidsIn, until } from '../mcp/servers.ts';
import { request } from '../server/open-server.ts';
import { makePlace, oneLineOf, run, start, withoutBubblewrap, writeSettings, type Place } from './program.ts';

const PROGRAM = path.resolve('dist/cli.js');
/** How a client speaks: as those of the newest revision, or as those of before. */
const ERAS = ['modern', 'legacy'] as const;
type Era = (typeof ERAS)[number];

function writeSkill({ data, project }: Place, name: string, { head = '', body = 'Say good day to $ARGUMENTS.', files = {}, own = true }: { readonly head?: string; readonly body?: string; readonly files?: Readonly<Record<string, string>>; readonly own?: boolean } = {}): string {
  const folder = path.join(own ? data : path.join(project, '.skillmint'), 'skills', name);
  const all: Readonly<Record<string, string>> = { 'SKILL.md': `---\nname: ${name}\ndescription: Does the work of ${name} for guests.\n${head}---\n${body}\n`, ...files };
  for (const [file, text] of Object.entries(all)) {
    fs.mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    fs.writeFileSync(path.join(folder, file), text, { mode: 0o755 });
  }
  return folder;
}

interface Asked {
  readonly message: string;
  readonly answers: unknown;
}

interface Opened {
  readonly client: Client;
  readonly transport: StdioClientTransport;
  readonly asked: Asked[];
}

/** Makes a client; `answer` is what its person says to forms, and without it the client knows no forms. */
function makeClient(era: Era, asked: Asked[], answer?: { readonly action: 'accept' | 'decline'; readonly content?: { readonly answer: string } }): Client {
  const client = new Client({ name: 'test', version: '1' }, { capabilities: answer ? { elicitation: { form: {} } } : {}, versionNegotiation: { mode: era === 'modern' ? { pin: '2026-07-28' } : 'legacy' } });
  if (answer) {
    client.setRequestHandler('elicitation/create', async ({ params }) => {
      asked.push({ message: params.message, answers: 'requestedSchema' in params ? params.requestedSchema.properties : undefined });
      return { action: answer.action, ...(answer.content ? { content: { ...answer.content } } : {}) };
    });
  }
  return client;
}

async function overStdio(place: Place, era: Era, answer?: Parameters<typeof makeClient>[2]): Promise<Opened> {
  const asked: Asked[] = [];
  const client = makeClient(era, asked, answer);
  const transport = new StdioClientTransport({ command: process.execPath, args: [PROGRAM, 'mcp', 'serve'], env: { ...place.env }, cwd: place.project, stderr: 'ignore' });
  await client.connect(transport);
  onTestFinished(() => client.close());
  return { client, transport, asked };
}

const textOf = (result: { readonly content?: unknown }): string => (Array.isArray(result.content) ? result.content.map((part: { readonly text?: string }) => part.text ?? '').join('') : '');

async function call({ client }: Pick<Opened, 'client'>, name: string, input: Record<string, unknown>): Promise<{ readonly text: string; readonly isError: boolean }> {
  const result = await client.callTool({ name, arguments: input });
  return { text: textOf(result), isError: result.isError === true };
}

const ofPerson = (all: readonly { readonly uri: string }[]): readonly string[] => all.map(({ uri }) => uri).filter((uri) => uri.startsWith('skill://user/'));
const listed = async (client: Client): Promise<readonly string[]> => ofPerson((await client.listResources()).resources);

describe.each(ERAS)('skillmint mcp serve, for a client of the %s revision', (era) => {
  it('finds, loads and reads skills, and serves them as resources and through the extension', async () => {
    const place = makePlace();
    writeSkill(place, 'greeting', { files: { 'references/how.md': 'Politely.', 'evals/evals.json': '{}' } });
    writeSkill(place, 'secret', { head: 'disable-model-invocation: true\n' });
    const opened = await overStdio(place, era);
    const { client } = opened;
    expect((await client.listTools()).tools.map(({ name, annotations }) => [name, annotations?.readOnlyHint])).toEqual([['find_skills', true], ['load_skill', true], ['read_skill_file', true], ['run_skill_script', false]]);
    expect(client.getInstructions()).toContain('find_skills');
    expect((await call(opened, 'find_skills', { query: 'greeting guests' })).text).toContain('user:greeting: Does the work of greeting');
    expect((await call(opened, 'find_skills', { query: 'secret' })).text).not.toContain('user:secret');
    expect(await call(opened, 'load_skill', { skill: 'greeting', arguments: 'Ada' })).toEqual({ isError: false, text: expect.stringMatching(/^<skill name="greeting"[^]*Say good day to Ada\.[^]*references\/how\.md/) });
    expect((await call(opened, 'read_skill_file', { skill: 'greeting', path: 'references/how.md' })).text).toBe('Politely.');
    for (const [name, input, says] of [
      ['load_skill', { skill: 'secret' }, /only for persons/],
      ['load_skill', { skill: 'none-of-these' }, /no skill/i],
      ['read_skill_file', { skill: 'greeting', path: '../../config.json' }, /leads upward/],
      ['read_skill_file', { skill: 'greeting', path: '/etc/passwd' }, /no relative path/],
      ['find_skills', { query: 'x', k: 0 }, /.+/],
    ] as const) expect(await call(opened, name, input), name).toEqual({ isError: true, text: expect.stringMatching(says) });
    await expect.poll(() => listed(client)).toContain('skill://user/greeting/SKILL.md');
    const skills = new SkillsClient(client);
    expect(skills.supported).toBe(true);
    const { skills: all } = await skills.list();
    expect(ofPerson(all)).toEqual(['skill://user/greeting/SKILL.md']);
    const greeting = all.find(({ uri }) => uri.startsWith('skill://user/'));
    if (!greeting) throw new Error('it is not listed');
    expect(new TextDecoder().decode((await skills.read(greeting, 'references/how.md')).bytes)).toBe('Politely.');
    expect((await skills.readDirectory('skill://user/greeting')).resources.map(({ name }) => name).sort()).toEqual(['SKILL.md', 'references']);
    expect(textOf({ content: (await client.readResource({ uri: 'skill://user/greeting/SKILL.md' })).contents })).toContain('name: greeting');
    await expect(client.readResource({ uri: 'skill://user/secret/SKILL.md' })).rejects.toThrow(/secret|not found/i);
  });

  it('tells of skills that come later', async () => {
    const place = makePlace();
    writeSkill(place, 'greeting');
    const { client } = await overStdio(place, era);
    await expect.poll(() => listed(client)).toHaveLength(1);
    writeSkill(place, 'farewell');
    await expect.poll(() => listed(client), { timeout: 20_000 }).toContain('skill://user/farewell/SKILL.md');
  }, 30_000);

  it.skipIf(withoutBubblewrap)('runs a script when the person agrees, and asks anew for other content', async () => {
    const place = makePlace();
    const folder = writeSkill(place, 'greeting', { files: { 'scripts/hello.sh': '#!/bin/sh\necho "hello $1"; cat; touch "$HOME/x" && ls /workspaces 2>&1; exit 3\n' } });
    const opened = await overStdio(place, era, { action: 'accept', content: { answer: 'always' } });
    const wanted = { skill: 'greeting', script: 'scripts/hello.sh', args: ['Ada'], stdin: 'and more' };
    const first = await call(opened, 'run_skill_script', wanted);
    expect(first).toEqual({ isError: true, text: expect.stringMatching(/^exit code 3\n<stdout>\nhello Ada\nand more/) });
    expect(opened.asked).toEqual([{ message: expect.stringMatching(/user:greeting\?[^]*"scripts\/hello\.sh" "Ada"[^]*Standard input: 8 characters[^]*sandbox/), answers: expect.anything() }]);
    await call(opened, 'run_skill_script', { ...wanted, args: ['Bert'] });
    expect(opened.asked).toHaveLength(1);
    fs.appendFileSync(path.join(folder, 'SKILL.md'), 'More.\n');
    await call(opened, 'run_skill_script', wanted);
    expect(opened.asked).toHaveLength(2);
  });

  it.skipIf(withoutBubblewrap)('does not run it when the person declines, and asks each time for once', async () => {
    const place = makePlace();
    const mark = path.join(place.project, 'ran');
    writeSkill(place, 'greeting', { files: { 'scripts/hello.sh': `#!/bin/sh\necho ran\n` } });
    const declined = await overStdio(place, era, { action: 'decline' });
    expect(await call(declined, 'run_skill_script', { skill: 'greeting', script: 'scripts/hello.sh' })).toEqual({ isError: true, text: expect.stringMatching(/does not want this script to run/) });
    const once = await overStdio(place, era, { action: 'accept', content: { answer: 'once' } });
    for (let i = 0; i < 2; i++) expect((await call(once, 'run_skill_script', { skill: 'greeting', script: 'scripts/hello.sh' })).text).toContain('ran');
    expect([once.asked.length, fs.existsSync(mark)]).toEqual([2, false]);
  });

  it.skipIf(withoutBubblewrap)('refuses where nobody can be asked, unless a rule allows it and the skill is trusted', async () => {
    const place = makePlace();
    const files = { 'scripts/hello.sh': '#!/bin/sh\necho ran\n' };
    writeSkill(place, 'greeting', { files });
    writeSkill(place, 'foreign', { files, own: false });
    const script = { script: 'scripts/hello.sh' };
    const bare = await overStdio(place, era);
    expect(await call(bare, 'run_skill_script', { skill: 'greeting', ...script })).toEqual({ isError: true, text: expect.stringMatching(/cannot be asked here.*rule run_skill_script/) });
    writeSettings(place, { permissions: { allow: ['run_skill_script'] } });
    const allowed = await overStdio(place, era);
    expect((await call(allowed, 'run_skill_script', { skill: 'greeting', ...script })).text).toContain('ran');
    expect(await call(allowed, 'run_skill_script', { skill: 'foreign', ...script })).toEqual({ isError: true, text: expect.stringMatching(/skills trust project:foreign/) });
    writeSettings(place, { permissions: { deny: ['run_skill_script'] } });
    const denied = await overStdio(place, era, { action: 'accept' });
    expect(await call(denied, 'run_skill_script', { skill: 'greeting', ...script })).toEqual({ isError: true, text: expect.stringMatching(/may not run/) });
  });

  it.skipIf(withoutBubblewrap)('ends a script at its limit, when it is cancelled, and when the client goes', async () => {
    const place = makePlace();
    const pids = path.join(place.project, 'pids');
    writeSettings(place, { permissions: { allow: ['run_skill_script'] } });
    writeSkill(place, 'slow', { files: { 'scripts/wait.sh': '#!/bin/sh\necho started\nsleep 600\n' } });
    const opened = await overStdio(place, era);
    const wanted = { skill: 'slow', script: 'scripts/wait.sh' };
    expect((await call(opened, 'run_skill_script', { ...wanted, timeout_ms: 500 })).text).toMatch(/ran longer than its 0\.5 s[^]*started/);
    const told: string[] = [];
    const stop = new AbortController();
    const cancelled = opened.client.callTool({ name: 'run_skill_script', arguments: wanted }, { signal: stop.signal, onprogress: ({ message }) => { told.push(message ?? ''); stop.abort(); } });
    await expect(cancelled).rejects.toThrow(/abort/i);
    expect(told).toEqual(['started']);
    const left = opened.client.callTool({ name: 'run_skill_script', arguments: wanted }, { onprogress: () => void opened.client.close() });
    left.catch(() => undefined);
    const pid = opened.transport.pid ?? 0;
    await until(() => !isAlive(pid), 20_000);
    expect(pidsIn(pids)).toEqual([]);
  }, 40_000);
});

describe('skillmint mcp serve --http', () => {
  it.each(ERAS)('serves clients of the %s revision that have the token, and nobody else', async (era) => {
    const place = makePlace();
    writeSkill(place, 'greeting');
    const url = await new Promise<{ readonly url: string; readonly token: string }>((resolve, reject) => {
      let printed = '';
      const running = start(place, ['mcp', 'serve', '--http', '--port', '0', '--json'], { onLine: (line) => {
        printed += line;
        if (line === '}') resolve(JSON.parse(printed));
      } });
      running.ended.then(({ stderr }) => reject(new Error(stderr)), reject);
    });
    const at = new URL(url.url);
    const ask = (headers: Record<string, string>): ReturnType<typeof request> => request(Number(at.port), 'POST', '/mcp', { headers, body: {} });
    expect((await ask({})).status).toBe(401);
    expect((await ask({ authorization: 'Bearer wrong-token-0123456789' })).status).toBe(401);
    expect((await ask({ authorization: `Bearer ${url.token}`, host: 'evil.example' })).status).toBe(421);
    expect((await ask({ authorization: `Bearer ${url.token}`, origin: 'https://evil.example' })).status).toBe(403);
    const client = makeClient(era, [], { action: 'accept' });
    await client.connect(new StreamableHTTPClientTransport(at, { requestInit: { headers: { authorization: `Bearer ${url.token}` } } }));
    onTestFinished(() => client.close());
    expect((await call({ client }, 'load_skill', { skill: 'greeting', arguments: 'Ada' })).text).toContain('Say good day to Ada.');
    await expect.poll(async () => ofPerson((await new SkillsClient(client).list()).skills)).toEqual(['skill://user/greeting/SKILL.md']);
  });

  it.each([
    [['--http', '--host', '0.0.0.0', '--port', '0'], /--token-file/],
    [['--json'], /are for --http/],
    [['--http', '--port', 'x'], /whole number/],
  ])('says what is wrong with %j', async (args, says) => {
    expect(oneLineOf(await run(makePlace(), ['mcp', 'serve', ...args]))).toMatch(says);
  });
});
