import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { localFiles } from '../../src/host/local-files.ts';
import { stampOf } from '../../src/host/stamp.ts';
import { temporaryFolder } from './temporary-folder.ts';

const files = localFiles();

test('a write makes missing folders and keeps the mode of what was there', async () => {
  const folder = temporaryFolder();
  const file = path.join(folder, 'a/b/run.sh');
  await files.write(file, 'one');
  fs.chmodSync(file, 0o751);
  await files.write(file, 'two');
  expect(fs.readFileSync(file, 'utf8')).toBe('two');
  expect((await files.stat(file)).mode).toBe(0o751);
  await files.write(file, 'three', { mode: 0o600 });
  expect((await files.stat(file)).mode).toBe(0o600);
  expect(fs.readdirSync(path.dirname(file))).toEqual(['run.sh']);
});

test('a write replaces: another hard link keeps the old content', async () => {
  const folder = temporaryFolder();
  const file = path.join(folder, 'inside');
  fs.writeFileSync(path.join(folder, 'outside'), 'old');
  fs.linkSync(path.join(folder, 'outside'), file);
  await files.write(file, 'new');
  expect(fs.readFileSync(path.join(folder, 'outside'), 'utf8')).toBe('old');
  expect(fs.readFileSync(file, 'utf8')).toBe('new');
});

test('a reader never sees half a file', async () => {
  const file = path.join(temporaryFolder(), 'f');
  const versions = ['a'.repeat(300_000), 'b'.repeat(200_000)];
  await files.write(file, versions[0] ?? '');
  let done = false;
  const reader = (async () => {
    while (!done) expect(versions).toContain(Buffer.from(await files.read(file)).toString());
  })();
  for (let round = 0; round < 40; round++) await files.write(file, versions[round % 2] ?? '');
  done = true;
  await reader;
});

test('a write goes through a symlink, also to a file that does not exist yet', async () => {
  const folder = temporaryFolder();
  fs.mkdirSync(path.join(folder, 'there'));
  fs.symlinkSync('there/new', path.join(folder, 'link'));
  await files.write(path.join(folder, 'link'), 'x');
  expect(fs.readFileSync(path.join(folder, 'there/new'), 'utf8')).toBe('x');
  expect(fs.lstatSync(path.join(folder, 'link')).isSymbolicLink()).toBe(true);
});

test('folders, pipes and devices are refused and nothing is left behind', async () => {
  const folder = temporaryFolder();
  execFileSync('mkfifo', [path.join(folder, 'pipe')]);
  for (const bad of [folder, path.join(folder, 'pipe'), '/dev/null']) {
    await expect(files.write(bad, 'x'), bad).rejects.toThrow(/EISDIR|EINVAL/);
    await expect(files.read(bad), bad).rejects.toThrow(/EISDIR|EINVAL/);
    await expect(files.readRange(bad, 0, 10), bad).rejects.toThrow(/EISDIR|EINVAL/);
  }
  expect(fs.readdirSync(folder)).toEqual(['pipe']);
  await expect(files.read(path.join(folder, 'none'))).rejects.toMatchObject({ code: 'ENOENT' });
});

test('a range is read without the rest of a file of 1 GB', async () => {
  const file = path.join(temporaryFolder(), 'big');
  fs.writeFileSync(file, 'head');
  fs.truncateSync(file, 1e9);
  fs.appendFileSync(file, 'tail');
  const before = process.memoryUsage.rss();
  expect(Buffer.from(await files.readRange(file, 1e9 - 2, 100)).toString()).toBe('\0\0tail');
  expect(Buffer.from(await files.readRange(file, 0, 4)).toString()).toBe('head');
  expect(process.memoryUsage.rss() - before).toBeLessThan(50 << 20);
});

test('stamps differ after a change and are the same without one', async () => {
  const file = path.join(temporaryFolder(), 'f');
  await files.write(file, 'one');
  const first = stampOf(await files.stat(file));
  expect(stampOf(await files.stat(file))).toBe(first);
  await files.write(file, 'two');
  expect(stampOf(await files.stat(file))).not.toBe(first);
});
