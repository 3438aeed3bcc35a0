import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import type { FakeStep } from '../../src/testing/fake-provider/script.ts';
import { makePlace, MODEL, run, withoutBubblewrap, withProvider, writeSettings, writeSkill } from './program.ts';

const KEY = 'sentinel-8f3a-key-of-the-settings-0123456789';
const HEADER = 'sentinel-51c2-of-a-header-9876543210';

/** Every file below a folder that holds the text. */
function filesWith(folder: string, text: string): readonly string[] {
  return fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => {
    const file = path.join(folder, name);
    return fs.statSync(file).isFile() && fs.readFileSync(file).includes(text);
  });
}

it.each(['anthropic', 'openai-chat', 'openai-responses'] as const)('a key leaves in its header and appears nowhere else, not even when the provider echoes it (C-E2, %s)', async (api) => {
  const place = makePlace();
  const echo = (status: number): FakeStep => ({ status, body: { error: { type: 'x', message: `wrong key ${KEY} or ${HEADER}, bearer ${KEY.slice(0, 40)}` } } });
  const provider = await withProvider(place, { api, steps: [
    { calls: [{ name: 'Bash', input: { command: 'env; cat /proc/self/environ' } }] }, 'done',
    echo(401), echo(400), { status: 502, body: `<html>${KEY}</html>` }, echo(403), 'again',
  ] });
  writeSettings(place, { providers: { fake: { api, baseUrl: provider.url, apiKey: { env: 'MY_MODEL_KEY' }, headers: { 'x-extra': HEADER }, models: [{ id: 'm', contextWindow: 100_000, maxOutput: 4_000 }] } } });
  const env = { MY_MODEL_KEY: KEY, SKILLMINT_DEBUG: '1' };
  const texts: string[] = [];
  const say = async (args: readonly string[]): Promise<number | null> => {
    const { code, stdout, stderr } = await run(place, args, { env });
    texts.push(stdout, stderr);
    return code;
  };
  const flags = [...MODEL, '--permission-mode', 'unrestricted', '--sandbox', 'off', '--output', 'stream-json'];
  expect(await say(['run', 'x', ...flags])).toBe(0);
  for (let i = 0; i < 3; i += 1) expect(await say(['run', 'x', ...flags, '--verbose'])).toBe(1);
  for (const args of [['sessions', 'list', '--json'], ['config', 'list', '--json'], ['config', 'list'], ['config', 'get', 'providers'], ['models', 'list', '--json'], ['doctor', '--json']]) await say(args);
  const { sessions } = JSON.parse((await run(place, ['sessions', 'list', '--json'], { env })).stdout);
  for (const { session_id } of sessions) await say(['sessions', 'export', session_id]);
  for (const secret of [KEY, HEADER, KEY.slice(0, 40)]) {
    expect(texts.filter((text) => text.includes(secret))).toEqual([]);
    expect(filesWith(place.root, secret).filter((name) => name !== 'home/.skillmint/config.json')).toEqual([]);
    expect(provider.requests.filter((request) => request.text.includes(secret))).toEqual([]);
  }
  expect(provider.requests.every((request) => JSON.stringify(request.headers).includes(KEY) && request.headers['x-extra'] === HEADER)).toBe(true);
});

it.skipIf(withoutBubblewrap)('a key of the settings and a key of the environment are in no log, database, export, stream, error, request or child (C-E1, needs bubblewrap)', async () => {
  const place = makePlace();
  const inEnvironment = 'sentinel-c0de-of-the-environment-5566778899';
  const look = 'env; cat /proc/self/environ /proc/1/environ /proc/$PPID/environ 2>/dev/null | tr "\\0" "\\n"; true';
  const bash = (command: string, more: object = {}): FakeStep => ({ calls: [{ name: 'Bash', input: { command, ...more } }] });
  const provider = await withProvider(place, { steps: [
    bash(look), bash(`${look}; sleep 0.2`, { run_in_background: true }), { calls: [{ name: 'BashOutput', input: { bash_id: 'bash_1' } }] }, 'sandboxed',
    // Without a sandbox a command has the person's rights and could read the settings, too; its own environment holds no key.
    bash('env'), 'bare', { status: 401, body: { error: { message: `no key ${KEY}` } } }, bash('touch waits.txt'), 'answered', { calls: [{ name: 'Skill', input: { skill: 'teller' } }] }, 'loaded',
  ] });
  const seen = (name: string): string => path.join(place.project, name);
  const hook = (file: string) => [{ hooks: [{ type: 'command' as const, command: `env > ${seen(file)}` }] }];
  writeSkill(path.join(place.home, '.agents/skills'), { name: 'teller', frontmatter: 'allowed-tools: Bash(env:*)\n', body: '!`env`\n' });
  writeSettings(place, {
    model: 'fake/m',
    network: { allow: [new URL(provider.url).host] },
    providers: { fake: { api: 'openai-chat', baseUrl: provider.url, apiKey: KEY, headers: { 'x-extra': HEADER }, models: [{ id: 'm', contextWindow: 100_000, maxOutput: 4_000 }] } },
    hooks: { PreToolUse: hook('hook-tool.txt'), UserPromptSubmit: hook('hook-prompt.txt') },
  });
  // A git that tells what it was given.
  const git = path.join(place.root, 'bin/git');
  fs.mkdirSync(path.dirname(git));
  fs.writeFileSync(git, `#!/bin/sh\nenv > ${seen('git.txt')}\nexit 1\n`, { mode: 0o755 });
  const env = { ANTHROPIC_API_KEY: inEnvironment, OPENAI_API_KEY: inEnvironment, GITHUB_TOKEN: inEnvironment, AWS_SECRET_ACCESS_KEY: inEnvironment, HTTPS_PROXY: '', MY_PASSWORD: inEnvironment, SKILLMINT_DEBUG: '1', PATH: `${path.dirname(git)}:${place.env.PATH}` };
  const texts: string[] = [];
  const say = async (...args: readonly string[]): Promise<{ readonly code: number | null; readonly stdout: string }> => {
    const { code, stdout, stderr } = await run(place, args, { env });
    texts.push(stdout, stderr);
    return { code, stdout };
  };
  const free = ['--permission-mode', 'unrestricted', '--output', 'stream-json', '--verbose'];
  expect((await say('run', 'x', ...free, '--sandbox', 'required')).code).toBe(0);
  expect((await say('run', 'x', ...free, '--sandbox', 'off')).code).toBe(0);
  expect((await say('run', 'x', ...free, '--sandbox', 'off')).code).toBe(1);
  const waiting = await say('run', 'x', '--sandbox', 'off', '--output', 'json');
  expect(waiting.code).toBe(3);
  const { session_id: session } = JSON.parse(waiting.stdout);
  await say('sessions', 'show', session, '--json');
  expect((await say('answer', session, '--allow')).code).toBe(0);
  expect((await say('run', 'x', ...free, '--sandbox', 'off')).code).toBe(0);
  expect((await say('skills', 'install', `git+${provider.url}/x.git`)).code).not.toBe(0);
  for (const args of [['skills', 'list', '--json'], ['skills', 'show', 'teller', '--json'], ['skills', 'trust', '--list', '--json'], ['models', 'list'], ['config', 'list', '--json'], ['doctor'], ['doctor', '--json'], ['run', 'x', '--model', 'fake/none'], ['run', '--nonsense']]) await say(...args);
  const { sessions } = JSON.parse((await say('sessions', 'list', '--json')).stdout);
  expect(sessions).toHaveLength(5);
  for (const { session_id } of sessions) await say('sessions', 'export', session_id);
  // What is looked into is really there.
  for (const name of ['hook-tool.txt', 'hook-prompt.txt', 'git.txt']) expect(fs.readFileSync(seen(name), 'utf8')).toContain('PATH=');
  expect(provider.requests.filter(({ text }) => text.includes('PATH=/')).length).toBeGreaterThan(2);
  for (const secret of [KEY, HEADER, inEnvironment]) {
    expect(texts.filter((text) => text.includes(secret))).toEqual([]);
    expect(filesWith(place.root, secret).filter((name) => name !== 'home/.skillmint/config.json')).toEqual([]);
    expect(provider.requests.filter((request) => request.text.includes(secret) || request.path.includes(secret))).toEqual([]);
  }
  const headers = provider.requests.map((request) => JSON.stringify(request.headers));
  expect(headers.filter((text) => text.split(KEY).length !== 2 || text.includes(inEnvironment))).toEqual([]);
}, 120_000);
