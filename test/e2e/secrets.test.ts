import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import type { FakeStep } from '../../src/testing/fake-provider/script.ts';
import { makePlace, MODEL, run, withProvider, writeSettings } from './program.ts';

const KEY = 'sentinel-8f3a-key-of-the-settings-0123456789';
const HEADER = 'sentinel-51c2-of-a-header-9876543210';

/** Every file below a folder that holds the text. */
function filesWith(folder: string, text: string): readonly string[] {
  return fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => {
    const file = path.join(folder, name);
    return fs.statSync(file).isFile() && fs.readFileSync(file).includes(text);
  });
}

it.each(['anthropic', 'openai-chat', 'openai-responses'] as const)('a key leaves in its header and appears nowhere else, not even when the provider echoes it (%s)', async (api) => {
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
