import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { SkillsClient } from '@modelcontextprotocol/client/ext/skills';
import { describe, expect, it, onTestFinished } from 'vitest';
import { processesWith } from '../helpers/processes-with.ts';
import { call, ERAS, listed, ofPerson, overHttp, overStdio, SERVE, startHttp, textOf, writeSkill } from '../mcp/serve-clients.ts';
import { isAlive, until } from '../mcp/servers.ts';
import { request } from '../server/open-server.ts';
import { makePlace, oneLineOf, run, withoutBubblewrap, writeSettings } from './program.ts';

/** Runs until it is ended; `mark` is in the command line of its process. */
const waiting = (mark: string): string => `#!/bin/sh\necho started\nsh -c 'sleep 600; exit' ${mark}\n`;

describe.each(ERAS)('skillmint mcp serve, for a client of the %s revision', (era) => {
  it('finds, loads and reads skills, and serves them as resources and through the extension', async () => {
    const place = makePlace();
    writeSkill(place, 'greeting', { files: { 'references/how.md': 'Politely.', 'evals/evals.json': '{}' } });
    writeSkill(place, 'secret', { head: 'disable-model-invocation: true\n' });
    writeSkill(place, 'foreign', { own: false, body: 'Today: !`date`' });
    const opened = await overStdio(place, { era });
    const { client } = opened;
    expect((await client.listTools()).tools.map(({ name, annotations }) => [name, annotations?.readOnlyHint])).toEqual([['find_skills', true], ['load_skill', true], ['read_skill_file', true], ['run_skill_script', false]]);
    expect(client.getInstructions()).toContain('find_skills');
    expect((await call(opened, 'find_skills', { query: 'greeting guests' })).text).toContain('user:greeting: Does the work of greeting');
    expect((await call(opened, 'find_skills', { query: 'secret' })).text).not.toContain('user:secret');
    expect(await call(opened, 'load_skill', { skill: 'greeting', arguments: 'Ada' })).toEqual({ isError: false, text: expect.stringMatching(/^<skill name="greeting"[^]*Say good day to Ada\.[^]*references\/how\.md/) });
    expect((await call(opened, 'read_skill_file', { skill: 'greeting', path: 'references/how.md' })).text).toBe('Politely.');
    expect((await call(opened, 'load_skill', { skill: 'foreign' })).text).toMatch(/^The person has not trusted this skill\.[^]*<skill name="foreign"/);
    for (const [name, input, says] of [
      ['load_skill', { skill: 'secret' }, /only for persons/],
      ['load_skill', { skill: 'none-of-these' }, /no skill/i],
      ['read_skill_file', { skill: 'greeting', path: '../../config.json' }, /leads upward/],
      ['read_skill_file', { skill: 'greeting', path: '/etc/passwd' }, /no relative path/],
      ['find_skills', { query: 'x', k: 0 }, /.+/],
    ] as const) expect(await call(opened, name, input), name).toEqual({ isError: true, text: expect.stringMatching(says) });
    expect(await listed(client)).toEqual(['skill://user/greeting/SKILL.md']);
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

  it('tells of skills that come later, and complains of nothing', async () => {
    const place = makePlace();
    writeSkill(place, 'greeting');
    let told = 0;
    const { client, stderr } = await overStdio(place, { era, onResources: () => { told++; } });
    expect(await listed(client)).toHaveLength(1);
    const before = told;
    writeSkill(place, 'farewell');
    await expect.poll(() => told, { timeout: 20_000 }).toBeGreaterThan(before);
    expect(await listed(client)).toContain('skill://user/farewell/SKILL.md');
    expect(stderr()).toBe('');
  }, 30_000);

  it.skipIf(withoutBubblewrap)('runs a script when the person agrees, and asks anew for other content', async () => {
    const place = makePlace();
    const folder = writeSkill(place, 'greeting', { files: { 'scripts/hello.sh': '#!/bin/sh\necho "hello $1"; cat; touch "$HOME/x" && ls /workspaces 2>&1; exit 3\n' } });
    const opened = await overStdio(place, { era, answer: { action: 'accept', content: { answer: 'always' } } });
    const wanted = { skill: 'greeting', script: 'scripts/hello.sh', args: ['Ada'], stdin: 'and more' };
    const first = await call(opened, 'run_skill_script', wanted);
    expect(first).toEqual({ isError: true, text: expect.stringMatching(/^exit code 3\n<stdout>\nhello Ada\nand more/) });
    expect(opened.asked).toEqual([{ message: expect.stringMatching(/user:greeting\?[^]*"scripts\/hello\.sh" "Ada"[^]*Standard input: "and more"[^]*sandbox/), answers: expect.anything() }]);
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
    const declined = await overStdio(place, { era, answer: { action: 'decline' } });
    expect(await call(declined, 'run_skill_script', { skill: 'greeting', script: 'scripts/hello.sh' })).toEqual({ isError: true, text: expect.stringMatching(/does not want this script to run/) });
    const once = await overStdio(place, { era, answer: { action: 'accept', content: { answer: 'once' } } });
    for (let i = 0; i < 2; i++) expect((await call(once, 'run_skill_script', { skill: 'greeting', script: 'scripts/hello.sh' })).text).toContain('ran');
    expect([once.asked.length, fs.existsSync(mark)]).toEqual([2, false]);
  });

  it('says so when it is sent no message, and goes on', async () => {
    const opened = await overStdio(makePlace(), { era });
    const { transport, client, stderr } = opened;
    for (const odd of ['[]', '42', '{"jsonrpc":"2.0","id":99}', 'text']) await transport.send(JSON.parse(JSON.stringify(odd)));
    expect((await client.listTools()).tools).toHaveLength(4);
    expect(await call(opened, 'run_skill_script', { skill: 'greeting' })).toEqual({ isError: true, text: expect.stringMatching(/^run_skill_script needs the argument "script"/) });
    expect(stderr()).toMatch(/^(skillmint: The client has sent something that is no message of the protocol; it was left out\.\n)+$/);
  });

  it.skipIf(withoutBubblewrap)('refuses where nobody can be asked, unless a rule allows it and the skill is trusted', async () => {
    const place = makePlace();
    const files = { 'scripts/hello.sh': '#!/bin/sh\necho ran\n' };
    writeSkill(place, 'greeting', { files });
    writeSkill(place, 'foreign', { files, own: false });
    const script = { script: 'scripts/hello.sh' };
    const bare = await overStdio(place, { era });
    expect(await call(bare, 'run_skill_script', { skill: 'greeting', ...script })).toEqual({ isError: true, text: expect.stringMatching(/cannot be asked here.*rule run_skill_script/) });
    writeSettings(place, { permissions: { allow: ['run_skill_script'] } });
    const allowed = await overStdio(place, { era });
    expect((await call(allowed, 'run_skill_script', { skill: 'greeting', ...script })).text).toContain('ran');
    expect(await call(allowed, 'run_skill_script', { skill: 'foreign', ...script })).toEqual({ isError: true, text: expect.stringMatching(/skills trust project:foreign/) });
    writeSettings(place, { permissions: { deny: ['run_skill_script'] } });
    const denied = await overStdio(place, { era, answer: { action: 'accept' } });
    expect(await call(denied, 'run_skill_script', { skill: 'greeting', ...script })).toEqual({ isError: true, text: expect.stringMatching(/may not run/) });
  });

  it.skipIf(withoutBubblewrap)('ends a script at its limit, when it is cancelled, and when the client goes', async () => {
    const place = makePlace();
    const mark = path.basename(place.root);
    writeSettings(place, { permissions: { allow: ['run_skill_script'] } });
    writeSkill(place, 'slow', { files: { 'scripts/wait.sh': waiting(mark) } });
    const runs = (): number => processesWith(`sleep 600; exit\0${mark}`).length;
    const opened = await overStdio(place, { era });
    const wanted = { skill: 'slow', script: 'scripts/wait.sh' };
    expect((await call(opened, 'run_skill_script', { ...wanted, timeout_ms: 500 })).text).toMatch(/ran longer than its 0\.5 s[^]*started/);
    expect(runs()).toBe(0);
    const told: string[] = [];
    const stop = new AbortController();
    const cancelled = opened.client.callTool({ name: 'run_skill_script', arguments: wanted }, { signal: stop.signal, onprogress: ({ message }) => void told.push(message ?? '') });
    cancelled.catch(() => undefined);
    await until(() => runs() > 0 && told.length > 0, 20_000);
    stop.abort();
    await expect(cancelled).rejects.toThrow(/abort/i);
    expect(told).toEqual(['started']);
    await until(() => runs() === 0, 20_000);
    const left = opened.client.callTool({ name: 'run_skill_script', arguments: wanted });
    left.catch(() => undefined);
    await until(() => runs() > 0, 20_000);
    const pid = opened.transport.pid ?? 0;
    process.kill(pid, 'SIGKILL');
    await until(() => runs() === 0 && !isAlive(pid), 20_000);
  }, 60_000);
});

it('skillmint mcp serve ends without a word when its client reads no more', async () => {
  const place = makePlace();
  const child = spawn(process.execPath, [...SERVE], { cwd: place.project, env: { ...place.env }, stdio: 'pipe' });
  onTestFinished(() => void child.kill('SIGKILL'));
  const send = (id: number, method: string, params: object): void => void child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => { stderr += chunk.toString(); });
  const ended = new Promise((resolve) => { child.on('close', (code) => resolve({ code, stderr })); });
  send(1, 'initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } });
  await once(child.stdout, 'data');
  child.stdout.destroy();
  send(2, 'tools/list', {});
  expect(await ended).toEqual({ code: 0, stderr: '' });
});

describe('skillmint mcp serve --http', () => {
  it.each(ERAS)('serves clients of the %s revision that have the token, and nobody else', async (era) => {
    const place = makePlace();
    writeSkill(place, 'greeting');
    const served = await startHttp(place);
    const ask = (headers: Record<string, string>): ReturnType<typeof request> => request(Number(served.url.port), 'POST', '/mcp', { headers, body: {} });
    const authorization = `Bearer ${served.token}`;
    expect((await ask({})).status).toBe(401);
    expect((await ask({ authorization: 'Bearer wrong-token-0123456789' })).status).toBe(401);
    expect((await ask({ authorization, host: 'evil.example' })).status).toBe(421);
    expect((await ask({ authorization, origin: 'https://evil.example' })).status).toBe(403);
    const opened = await overHttp(served, { era });
    expect((await call(opened, 'load_skill', { skill: 'greeting', arguments: 'Ada' })).text).toContain('Say good day to Ada.');
    expect(ofPerson((await new SkillsClient(opened.client).list()).skills)).toEqual(['skill://user/greeting/SKILL.md']);
  });

  it.skipIf(withoutBubblewrap)('asks clients of the modern revision, and runs what others may by a rule', async () => {
    const place = makePlace();
    writeSkill(place, 'greeting', { files: { 'scripts/hello.sh': '#!/bin/sh\necho hello\n' } });
    const wanted = { skill: 'greeting', script: 'scripts/hello.sh' };
    const served = await startHttp(place);
    const accepting = await overHttp(served, { era: 'modern', answer: { action: 'accept' } });
    expect((await call(accepting, 'run_skill_script', wanted)).text).toContain('hello');
    expect(accepting.asked).toHaveLength(1);
    const declining = await overHttp(served, { era: 'modern', answer: { action: 'decline' } });
    expect((await call(declining, 'run_skill_script', wanted)).text).toMatch(/does not want/);
    const older = await overHttp(served, { era: 'legacy', answer: { action: 'accept' } });
    expect((await call(older, 'run_skill_script', wanted)).text).toMatch(/cannot be asked here.*rule run_skill_script/);
    writeSettings(place, { permissions: { allow: ['run_skill_script'] } });
    await expect.poll(async () => (await call(older, 'run_skill_script', wanted)).text).toContain('hello');
  }, 20_000);

  it.skipIf(withoutBubblewrap)('takes an answer once: the same message again is asked for again', async () => {
    const place = makePlace();
    writeSkill(place, 'greeting', { files: { 'scripts/hello.sh': '#!/bin/sh\necho hello\n' } });
    const served = await startHttp(place);
    const sent: RequestInit[] = [];
    const { client } = await overHttp(served, { era: 'modern', answer: { action: 'accept', content: { answer: 'once' } }, fetch: (url, init) => (sent.push({ ...init }), fetch(url, init)) });
    const wanted = { name: 'run_skill_script', arguments: { skill: 'greeting', script: 'scripts/hello.sh' } };
    expect(textOf(await client.callTool(wanted))).toContain('hello');
    const { signal: _, ...answered } = sent.findLast(({ body }) => typeof body === 'string' && body.includes('requestState')) ?? {};
    const again = await (await fetch(served.url, answered)).text();
    expect(again).toContain('inputRequests');
    expect(again).not.toContain('<stdout>');
  });

  it.skipIf(withoutBubblewrap).each(ERAS)('ends a script when its client of the %s revision goes, and when it ends itself', async (era) => {
    const place = makePlace();
    const mark = path.basename(place.root);
    writeSettings(place, { permissions: { allow: ['run_skill_script'] } });
    writeSkill(place, 'slow', { files: { 'scripts/wait.sh': waiting(mark) } });
    const runs = (): number => processesWith(`sleep 600; exit\0${mark}`).length;
    const served = await startHttp(place);
    const begin = async (): Promise<Awaited<ReturnType<typeof overHttp>>> => {
      const opened = await overHttp(served, { era });
      opened.client.callTool({ name: 'run_skill_script', arguments: { skill: 'slow', script: 'scripts/wait.sh' } }).catch(() => undefined);
      await until(() => runs() > 0, 20_000);
      return opened;
    };
    await (await begin()).client.close();
    await until(() => runs() === 0, 20_000);
    await begin();
    served.child.kill('SIGTERM');
    expect((await served.ended).code).toBe(0);
    expect(runs()).toBe(0);
  }, 60_000);

  it.each([
    [['--http', '--host', '0.0.0.0', '--port', '0'], /--token-file/],
    [['--json'], /are for --http/],
    [['--http', '--port', 'x'], /whole number/],
  ])('says what is wrong with %j', async (args, says) => {
    expect(oneLineOf(await run(makePlace(), ['mcp', 'serve', ...args]))).toMatch(says);
  });
});

describe('our own client', () => {
  const added = ['mcp', 'add', 'skills'] as const;

  it.each(['stdio', 'HTTP'] as const)('takes skills over from a server over %s', async (transport) => {
    const [place, theirs] = [makePlace(), makePlace()];
    writeSkill(theirs, 'greeting', { files: { 'references/how.md': 'Politely.' } });
    if (transport === 'stdio') {
      expect((await run(place, [...added, '--env', `SKILLMINT_HOME=${theirs.data}`, '--', process.execPath, ...SERVE])).code).toBe(0);
    } else {
      const { url, token } = await startHttp(theirs);
      writeSettings(place, { network: { allow: [url.host] } });
      expect((await run(place, [...added, '--header', `Authorization: Bearer ${token}`, '--', url.href])).code).toBe(0);
    }
    expect((await run(place, ['mcp', 'test', 'skills'])).stdout).toContain('mcp__skills__find_skills');
    expect(await run(place, ['skills', 'install', 'mcp:skills#greeting', '--yes'])).toMatchObject({ code: 0 });
    const folder = path.join(place.data, 'skills/greeting');
    expect(fs.readFileSync(path.join(folder, 'references/how.md'), 'utf8')).toBe('Politely.');
    expect(fs.readFileSync(path.join(folder, 'SKILL.md'), 'utf8')).toBe(fs.readFileSync(path.join(theirs.data, 'skills/greeting/SKILL.md'), 'utf8'));
  }, 30_000);
});
