import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { localHost } from '../../src/host/local-host.ts';
import { memoryFolder } from '../../src/memory/memory-folder.ts';
import { openMemory, type Memory } from '../../src/memory/memory.ts';

function makeMemory(): { readonly memory: Memory; readonly folder: string } {
  const root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'skillmint-memory-')));
  onTestFinished(() => fs.rmSync(root, { recursive: true, force: true }));
  const folder = path.join(root, 'data/memory/projects/x');
  return { memory: openMemory(localHost({ env: {} }).files, folder), folder };
}

describe('a memory', () => {
  it('keeps texts as files that only the person can read, and gives them back', async () => {
    const { memory, folder } = makeMemory();
    expect(await memory.list()).toEqual([]);
    await memory.write('MEMORY', 'first');
    await memory.write('MEMORY', 'second: ä');
    await memory.write('build.commands', 'npm test');
    expect(await memory.read('MEMORY')).toEqual({ key: 'MEMORY', text: 'second: ä', cut: false });
    expect((await memory.list()).map(({ key, size }) => [key, size])).toEqual([['MEMORY', 10], ['build.commands', 8]]);
    expect(fs.statSync(path.join(folder, 'MEMORY.md')).mode & 0o777).toBe(0o600);
    expect(fs.statSync(folder).mode & 0o777).toBe(0o700);
    await memory.remove('memory.md');
    expect(fs.readdirSync(folder)).toEqual(['build.commands.md']);
    await expect(memory.read('MEMORY')).rejects.toMatchObject({ code: 'not_found' });
    await expect(memory.remove('MEMORY')).rejects.toMatchObject({ code: 'not_found' });
  });

  it('takes a key with or without .md and in any letters for the same entry', async () => {
    const { memory, folder } = makeMemory();
    await memory.write('Notes', 'a');
    await memory.write('NOTES.MD', 'b');
    await memory.write('caf\u00e9', 'c');
    await memory.write('cafe\u0301', 'd');
    expect(fs.readdirSync(folder).toSorted()).toEqual(['Notes.md', 'café.md']);
    expect((await memory.read('notes.md')).text).toBe('b');
    expect((await memory.read('café')).text).toBe('d');
  });

  it.each([
    '../secret', '..', '.', '../../config.json', '/etc/passwd', 'a/b', String.raw`a\b`, String.raw`C:\x`, '.hidden', 'x.', '', ' ', '.md', 'a\0b', 'a\nb', 'nul', 'COM1.txt', 'x'.repeat(65), '..md', '~', 'a b', '%2e%2e%2f', 'a\u202eb',
  ])('refuses the key %j and touches nothing', async (key) => {
    const { memory, folder } = makeMemory();
    for (const work of [() => memory.write(key, 'x'), () => memory.read(key), () => memory.remove(key)]) await expect(work()).rejects.toMatchObject({ code: 'invalid_argument' });
    expect(fs.existsSync(folder)).toBe(false);
  });

  it('is bounded: in one entry, in their number and in all together', async () => {
    const { memory, folder } = makeMemory();
    await expect(memory.write('big', 'x'.repeat(65_537))).rejects.toMatchObject({ code: 'invalid_argument', message: expect.stringContaining('65536') });
    await expect(memory.write('nul', 'a')).rejects.toMatchObject({ code: 'invalid_argument' });
    await expect(memory.write('binary', 'a\0b')).rejects.toMatchObject({ code: 'invalid_argument' });
    for (let i = 0; i < 16; i += 1) await memory.write(`big${i}`, 'x'.repeat(65_536));
    await expect(memory.write('one-more', 'x')).rejects.toMatchObject({ code: 'invalid_argument', message: expect.stringContaining('1048576') });
    await memory.write('big3', 'shorter');
    await memory.write('one-more', 'x');
    for (const name of fs.readdirSync(folder)) fs.rmSync(path.join(folder, name));
    for (let i = 0; i < 200; i += 1) fs.writeFileSync(path.join(folder, `e${i}.md`), '');
    await expect(memory.write('one-more', 'x')).rejects.toMatchObject({ message: expect.stringContaining('200') });
    await memory.write('e7', 'it may change');
  });

  it('never follows a link in the place of an entry, and leaves other files alone', async () => {
    const { memory, folder } = makeMemory();
    fs.mkdirSync(folder, { recursive: true });
    const secret = path.join(path.dirname(folder), 'secret.txt');
    fs.writeFileSync(secret, 'SECRET');
    fs.symlinkSync(secret, path.join(folder, 'linked.md'));
    fs.writeFileSync(path.join(folder, 'other.txt'), 'x');
    fs.mkdirSync(path.join(folder, 'folder.md'));
    expect(await memory.list()).toEqual([]);
    await expect(memory.read('linked')).rejects.toMatchObject({ code: 'not_found' });
    await expect(memory.write('linked', 'x')).rejects.toMatchObject({ code: 'io' });
    await expect(memory.write('folder', 'x')).rejects.toMatchObject({ code: 'io' });
    expect(fs.readFileSync(secret, 'utf8')).toBe('SECRET');
  });

  it('says what is wrong with its folder', async () => {
    const { memory, folder } = makeMemory();
    fs.mkdirSync(path.dirname(folder), { recursive: true });
    fs.writeFileSync(folder, 'a file');
    await expect(memory.list()).rejects.toMatchObject({ code: 'io', message: expect.stringContaining(folder) });
  });

  it('gives an entry that a person has made too long from its beginning', async () => {
    const { memory, folder } = makeMemory();
    fs.mkdirSync(folder, { recursive: true });
    fs.writeFileSync(path.join(folder, 'long.md'), 'y'.repeat(70_000));
    const { text, cut } = await memory.read('long');
    expect([text.length, cut]).toEqual([65_536, true]);
  });
});

describe('the folder of a memory', () => {
  it('has a name for people and is another one for each owner', () => {
    const of = (root: string): string => memoryFolder('/d', { scope: 'project', root });
    expect(of('/home/me/tea shop')).toMatch(/^\/d\/memory\/projects\/tea-shop-[0-9a-f]{16}$/);
    expect(of('/')).toMatch(/^\/d\/memory\/projects\/memory-[0-9a-f]{16}$/);
    const skill = (id: string, root?: string): string => memoryFolder('/d', { scope: 'skill', id, ...(root === undefined ? {} : { root }) });
    expect(skill('user:../../x')).toMatch(/^\/d\/memory\/skills\/user-x-[0-9a-f]{16}$/);
    const all = [of('/a/x'), of('/b/x'), skill('project:x', '/a/x'), skill('project:x', '/b/x'), skill('user:x')];
    expect(new Set(all).size).toBe(all.length);
  });
});
