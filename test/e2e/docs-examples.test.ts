import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { makePlace, withProvider, type Place } from './program.ts';
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

it('every example is run here', () => {
  const text = fs.readFileSync('test/e2e/docs-examples.test.ts', 'utf8');
  expect(fs.readdirSync('docs/examples').filter((name) => !text.includes(`runExample('${name}'`))).toEqual([]);
});
