import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import type { FakeProvider } from '../../src/testing/fake-provider/server.ts';
import { makePlace, withoutBubblewrap, withProvider, type Place } from './program.ts';
import { startServer } from './served.ts';

const EVERYTHING = path.resolve('node_modules/@modelcontextprotocol/server-everything/dist/index.js');

let place: Place;
beforeEach(() => {
  place = makePlace();
  // As npm install leaves it: the package in node_modules, its program on the PATH.
  fs.mkdirSync(path.join(place.project, 'node_modules'));
  fs.symlinkSync(path.resolve('.'), path.join(place.project, 'node_modules/skillmint'));
  fs.mkdirSync(path.join(place.root, 'bin'));
  fs.symlinkSync(path.resolve('dist/cli.js'), path.join(place.root, 'bin/skillmint'));
});

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly said: string;
}

/** Copies an example into a project that has the package, and runs it there with node alone. */
function runExample(name: string, args: readonly string[] = [], env: Readonly<Record<string, string>> = {}): Promise<Ended> {
  const file = path.join(place.project, name);
  fs.copyFileSync(path.resolve('docs/examples', name), file);
  const child = spawn(process.execPath, [file, ...args], { cwd: place.project, env: { ...place.env, PATH: `${path.join(place.root, 'bin')}:${place.env['PATH'] ?? ''}`, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  const texts = { out: '', said: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => { texts.out += text; });
  child.stderr.setEncoding('utf8').on('data', (text: string) => { texts.said += text; });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, ...texts }));
  });
}

const writing = (file: string) => ({ text: 'I write.', calls: [{ name: 'Write', input: { file_path: file, content: 'hello\n' } }] });

it('library.mjs says what a model says', async () => {
  await withProvider(place, { steps: [{ text: 'A project.', usage: { input: 10, output: 5 } }] });
  expect(await runExample('library.mjs', ['fake/m'])).toEqual({ code: 0, out: 'A project.\ndone, 5 tokens of output\n', said: '' });
});

it('library-answers.mjs allows what it may and denies the rest with a reason', async () => {
  const provider = await withProvider(place, { steps: [writing('hello.txt'), writing('../outside.txt'), 'That was all.'], settings: { sandbox: 'off' } });
  const { code, out } = await runExample('library-answers.mjs', ['Write two files', 'fake/m']);
  expect(out).toMatch(/\[Write: allow\][^]*\[Write: deny\][^]*That was all\.\ndone\n$/);
  expect(code).toBe(0);
  expect(fs.readFileSync(path.join(place.project, 'hello.txt'), 'utf8')).toBe('hello\n');
  expect(fs.existsSync(path.join(place.root, 'outside.txt'))).toBe(false);
  expect(JSON.stringify(provider.requests.at(-1)?.body)).toContain('Only new files in this folder may be written.');
});

it('testing.mjs needs neither a model nor a network', async () => {
  expect(await runExample('testing.mjs')).toEqual({ code: 0, out: 'ok\n', said: '' });
});

it('http-client.mjs speaks with a server, across a permission', async () => {
  await withProvider(place, { steps: [writing('hello.txt'), 'It is written.'], settings: { model: 'fake/m', sandbox: 'off' } });
  const served = await startServer(place);
  const { code, out } = await runExample('http-client.mjs', ['Write hello.txt'], { SKILLMINT_URL: `http://127.0.0.1:${served.port}`, SKILLMINT_TOKEN: served.token });
  expect(out).toMatch(/\[Write is allowed once\][^]*It is written\.\n1 turns today\n$/);
  expect(code).toBe(0);
  expect(fs.readFileSync(path.join(place.project, 'hello.txt'), 'utf8')).toBe('hello\n');
});

it('sidecar-host.mjs starts the sidecar, uses a real MCP server and ends it', async () => {
  const { code, out } = await runExample('sidecar-host.mjs', [process.execPath, EVERYTHING]);
  expect(out).toMatch(/^ok\n\d+ tools, among them \S+\n[^]*hello/);
  expect(code).toBe(0);
});

it('own-parts.mjs lends a turn its tools and its skill, and answers in place of a person', async () => {
  const provider = await withProvider(place, { steps: [
    { calls: [{ name: 'Skill', input: { skill: 'restock' } }] },
    { calls: [{ name: 'stock', input: { product: 'pears' } }] },
    { calls: [{ name: 'order', input: { product: 'pears', pieces: 20 } }] },
    { calls: [{ name: 'order', input: { product: 'pears', pieces: 500 } }] },
    'Twenty pears are on their way.',
  ] });
  const { code, out, said } = await runExample('own-parts.mjs', ['The pears have run out.', 'fake/m']);
  expect([code, said]).toEqual([0, '']);
  expect(out).toMatch(/\[skill memory:restock\][^]*\[call ok\]\n\[call ok\]\n\[call denied\]\nTwenty pears are on their way\.\n\[.*"apples".*12.*"pears".*20.*\]\n$/);
  expect(provider.requests[2]?.text).toContain('pieces\\\":0');
});

/** A skill that the person trusts, with a script; and the packages of others beside ours. */
function prepareLoop(...packages: readonly string[]): void {
  const folder = path.join(place.data, 'skills/greeting/scripts');
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(path.join(folder, '../SKILL.md'), '---\nname: greeting\ndescription: Greets people politely.\n---\nSay good day. Run scripts/hello.sh.\n');
  fs.writeFileSync(path.join(folder, 'hello.sh'), '#!/bin/sh\necho "hello $1"\n', { mode: 0o755 });
  for (const name of packages) {
    fs.mkdirSync(path.dirname(path.join(place.project, 'node_modules', name)), { recursive: true });
    fs.symlinkSync(path.resolve('node_modules', name), path.join(place.project, 'node_modules', name));
  }
}

const LOADING = { text: 'I load it. ', calls: [{ name: 'load_skill', input: { skill: 'greeting' } }] };
const RUNNING = { calls: [{ name: 'run_skill_script', input: { skill: 'greeting', script: 'scripts/hello.sh', args: ['Ada'] } }, { name: 'order_pizza', input: {} }] };

/** What the model was told: instructions, tools, the skill, the script's output, and that there is no such tool. */
function expectTold({ requests }: FakeProvider): void {
  expect(requests).toHaveLength(3);
  expect(requests[0]?.text).toMatch(/look for one with find_skills[^]*run_skill_script|run_skill_script[^]*look for one with find_skills/);
  expect(requests[1]?.text).toContain('Say good day.');
  expect(requests[2]?.text).toContain('hello Ada');
  expect(requests[2]?.text).toMatch(/no tool \\"order_pizza|unavailable tool 'order_pizza'/);
}

it.skipIf(withoutBubblewrap)('ai-sdk.mjs works with skills in a loop of the AI SDK', async () => {
  prepareLoop('ai', '@ai-sdk/openai-compatible');
  const provider = await withProvider(place, { steps: [LOADING, RUNNING, 'Good day, Ada.'] });
  const { code, out, said } = await runExample('ai-sdk.mjs', ['Greet Ada'], { BASE_URL: provider.url, API_KEY: 'sk-x', MODEL: 'm' });
  expect([code, out, said]).toEqual([0, 'I load it. Good day, Ada.\n', '']);
  expectTold(provider);
});

it.skipIf(withoutBubblewrap).each(['chat', 'responses'])('openai.mjs works with skills in a loop of the OpenAI library through %s', async (API) => {
  prepareLoop('openai');
  const provider = await withProvider(place, { steps: [LOADING, RUNNING, 'Good day, Ada.'] });
  const { code, out, said } = await runExample('openai.mjs', ['Greet Ada'], { OPENAI_BASE_URL: provider.url, OPENAI_API_KEY: 'sk-x', MODEL: 'm', API });
  expect([code, out, said]).toEqual([0, 'Good day, Ada.\n', '']);
  expectTold(provider);
});

it.skipIf(withoutBubblewrap)('anthropic.mjs works with skills in a loop of the Anthropic library', async () => {
  prepareLoop('@anthropic-ai/sdk');
  const provider = await withProvider(place, { steps: [LOADING, RUNNING, 'Good day, Ada.'] });
  const { code, out, said } = await runExample('anthropic.mjs', ['Greet Ada'], { ANTHROPIC_BASE_URL: provider.url.replace(/\/v1$/, ''), ANTHROPIC_API_KEY: 'sk-x', MODEL: 'm' });
  expect([code, out, said]).toEqual([0, 'I load it. Good day, Ada.\n', '']);
  expectTold(provider);
});

it('every example is run here', () => {
  const text = fs.readFileSync('test/e2e/docs-examples.test.ts', 'utf8');
  expect(fs.readdirSync('docs/examples').filter((name) => !text.includes(`runExample('${name}'`))).toEqual([]);
});
