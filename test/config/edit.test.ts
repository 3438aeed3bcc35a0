import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { editSetting } from '../../src/config/edit-settings.ts';
import { parseText } from '../../src/config/setting-text.ts';
import { realFiles } from './real-files.ts';

let root: string;
let file: string;

beforeEach(() => {
  root = fs.mkdtempSync(path.join(os.tmpdir(), 'config-edit-'));
  file = path.join(root, 'data', 'config.json');
});

afterEach(() => fs.rmSync(root, { recursive: true, force: true }));

function start(text: string): void {
  fs.mkdirSync(path.dirname(file));
  fs.writeFileSync(file, text, { mode: 0o600 });
}

const text = (): string => fs.readFileSync(file, 'utf8');

it('makes a private file in a private folder', async () => {
  await editSetting(realFiles, { file, key: 'model', value: 'a/b' });
  expect(JSON.parse(text())).toEqual({ model: 'a/b' });
  expect([file, path.dirname(file)].map((name) => fs.statSync(name).mode & 0o777)).toEqual([0o600, 0o700]);
});

it('keeps comments, order and format', async () => {
  start('{\n    // my model\n    "model": "a/b",\n    "permissions": { "deny": ["A"] }, // never\n}\n');
  await editSetting(realFiles, { file, key: 'permissions.mode', value: 'plan' });
  await editSetting(realFiles, { file, key: 'model', value: 'c/d' });
  await editSetting(realFiles, { file, key: 'skills.enabled.user:a.b', value: false });
  expect(text()).toContain('    // my model\n    "model": "c/d",\n');
  expect(text()).toContain('// never');
  expect(text()).toMatch(/\n {4}"skills": \{\n {8}"enabled": \{\n {12}"user:a\.b": false/);
  expect(fs.statSync(file).mode & 0o777).toBe(0o600);
});

it('takes out what is not there without a change', async () => {
  start('{ "model": "a/b" }\n');
  for (const key of ['permissions.mode', 'skills.enabled.user:none', 'smallModel']) await editSetting(realFiles, { file, key, value: undefined });
  expect(text()).toBe('{ "model": "a/b" }\n');
});

it('reads a text as the type of its setting', async () => {
  await editSetting(realFiles, { file, key: 'maxTurns', value: '5' });
  await editSetting(realFiles, { file, key: 'permissions.deny', value: 'Read,Write' });
  await editSetting(realFiles, { file, key: 'systemPrompt', value: '5' });
  expect(JSON.parse(text())).toEqual({ maxTurns: 5, permissions: { deny: ['Read', 'Write'] }, systemPrompt: '5' });
});

it('is not kept from changing one by a rule that stands elsewhere and cannot be used', async () => {
  start('{ "permissions": { "deny": ["Bash("] } }');
  await editSetting(realFiles, { file, key: 'permissions.mode', value: 'plan' });
  await editSetting(realFiles, { file, key: 'permissions.deny', value: ['Bash'] });
  expect(JSON.parse(text())).toEqual({ permissions: { deny: ['Bash'], mode: 'plan' } });
});

it('changes the limits and the word of sandbox apart from each other', async () => {
  start('{ "sandbox": "ask" }');
  await editSetting(realFiles, { file, key: 'sandbox.limits.memoryMb', value: '2048' });
  expect(JSON.parse(text())).toEqual({ sandbox: { mode: 'ask', limits: { memoryMb: 2048 } } });
  await editSetting(realFiles, { file, key: 'sandbox', value: 'required' });
  expect(JSON.parse(text())).toEqual({ sandbox: { mode: 'required', limits: { memoryMb: 2048 } } });
  await expect(editSetting(realFiles, { file, key: 'sandbox.limits.processes', value: '3' })).rejects.toThrow('sandbox.limits.processes must be a whole number of at least 16');
});

it('removes a setting', async () => {
  start('{ "model": "a/b", "effort": "low" }');
  await editSetting(realFiles, { file, key: 'model', value: undefined });
  expect(JSON.parse(text())).toEqual({ effort: 'low' });
});

it.each([
  ['permissions.mode', 'yolo', 'config_invalid', 'cannot set permissions.mode to "yolo": permissions.mode must be one of'],
  ['maxTurns', 'x', 'config_invalid', 'maxTurns must be a whole number'],
  ['permissions.deny', 'Bash(rm:*),Bash(', 'config_invalid', 'permissions.deny[1]: the permission rule "Bash(" cannot be used'],
  ['permissions.allow', ['Bash(node:*)'], 'config_invalid', 'permissions.allow[0]: the permission rule "Bash(node:*)" cannot be used: it names only a program that runs others'],
  ['permissions', { ask: ['Read'], deny: ['WebFetch(x y)'] }, 'config_invalid', 'permissions.deny[0]: the permission rule "WebFetch(x y)"'],
  ['nothing', 1, 'usage', 'unknown setting "nothing"'],
  ['providers.mine.apiKey', 5, 'config_invalid', 'cannot set providers.mine.apiKey: '],
  ['providers.my provider.baseUrl', 'http://a', 'config_invalid', 'may only have letters'],
])('refuses %s = %j and writes nothing', async (key, value, code, says) => {
  start('{ "model": "a/b" }');
  await expect(editSetting(realFiles, { file, key, value })).rejects.toMatchObject({ code, message: expect.stringContaining(says) });
  expect(text()).toBe('{ "model": "a/b" }');
});

it('never overwrites a broken file', async () => {
  start('{ "model": oops }');
  await expect(editSetting(realFiles, { file, key: 'model', value: 'a/b' })).rejects.toMatchObject({ code: 'config_invalid', message: expect.stringContaining(`${file}:1: `) });
  expect(text()).toBe('{ "model": oops }');
});

it.each([
  [['model'], 'a/b', 'a/b'],
  [['maxTurns'], '5', 5],
  [['maxTurns'], 'many', 'many'],
  [['browser', 'headless'], 'false', false],
  [['permissions', 'deny'], 'Read, Bash(git:*)', ['Read', 'Bash(git:*)']],
  [['permissions', 'deny'], '["a,b"]', ['a,b']],
  [['providers', 'x'], '{"baseUrl":"http://a"}', { baseUrl: 'http://a' }],
  [['providers', 'x', 'apiKey'], '12345', '12345'],
  [['providers', 'x', 'apiKey'], '{"env":"A"}', { env: 'A' }],
])('reads the text for %j as its type: %s', (key, given, value) => {
  expect(parseText(key, given)).toEqual(value);
});
