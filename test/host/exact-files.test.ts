import { spawn, type ChildProcess } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { localFiles } from '../../src/host/local-files.ts';
import { path as useFile } from '../../src/testing/security-adapter.ts';
import { temporaryFolder } from './temporary-folder.ts';

const SWAPS = 10_000;

/** A workspace with a folder, and a folder outside of it. */
function makePlaces(): { readonly base: string; readonly ws: string; readonly outside: string; readonly skill: string } {
  const base = fs.realpathSync(temporaryFolder());
  const at = { base, ws: path.join(base, 'ws'), outside: path.join(base, 'outside'), skill: path.join(base, 'skill') };
  for (const folder of [path.join(at.ws, 'dir'), at.outside, at.skill]) fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(path.join(at.ws, 'dir/key'), 'inside');
  fs.writeFileSync(path.join(at.outside, 'key'), 'secret');
  return at;
}

/** Swaps `ws/dir` with a symlink to the outside and back, again and again; a folder that a write has made in its place meanwhile goes. */
function startSwapping({ ws, outside }: { readonly ws: string; readonly outside: string }): { readonly child: ChildProcess; readonly isDone: () => boolean } {
  const script = `const fs = require('fs'); process.chdir(${JSON.stringify(ws)}); const gone = () => { for (;;) { try { fs.rmSync('dir', { recursive: true, force: true }); return; } catch {} } }; const put = (work) => { for (;;) { try { work(); return; } catch { gone(); } } }; for (let i = 0; i < ${SWAPS}; i++) { fs.renameSync('dir', 'kept'); put(() => fs.symlinkSync(${JSON.stringify(outside)}, 'dir')); gone(); put(() => fs.renameSync('kept', 'dir')); }`;
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'ignore', 'inherit'] });
  return { child, isDone: () => child.exitCode !== null || child.signalCode !== null };
}

describe('a folder that is swapped with a symlink meanwhile (C-F4)', () => {
  it('lets no write of a file tool land outside', { timeout: 120_000 }, async () => {
    const at = makePlaces();
    const { child, isDone } = startSwapping(at);
    const answers = { allow: 0, ask: 0, block: 0 };
    for (let count = 0; !isDone(); await setImmediate(), count++) answers[await useFile(at, 'ws', 'write', `dir/${count % 50}/new`)] += 1;
    expect(child.exitCode).toBe(0);
    expect(fs.readdirSync(at.outside)).toEqual(['key']);
    expect(fs.readFileSync(path.join(at.outside, 'key'), 'utf8')).toBe('secret');
    expect(answers.allow).toBeGreaterThan(0);
  });

  it.skipIf(process.platform !== 'linux')('lets no read by real path show what lies outside', { timeout: 120_000 }, async () => {
    const at = makePlaces();
    const { exact } = localFiles();
    const { isDone } = startSwapping(at);
    const seen = new Set<string>();
    // Looks that fail at once leave the events of the child no turn of their own.
    for (; !isDone(); await setImmediate()) seen.add(await exact(path.join(at.ws, 'dir/key'), (file) => file.read()).then((bytes) => Buffer.from(bytes).toString(), () => 'failed'));
    seen.delete('failed');
    expect([...seen]).toEqual(['inside']);
  });
});

describe('files by their real paths', () => {
  const { exact } = localFiles();

  it('are read, listed and written as others are', async () => {
    const { ws } = makePlaces();
    await exact(path.join(ws, 'a/b/c.txt'), async (file) => {
      expect(await file.stat()).toBeUndefined();
      await expect(file.read()).rejects.toMatchObject({ code: 'ENOENT' });
      await file.write('new', { mode: 0o600, folderMode: 0o700 });
      expect(Buffer.from(await file.read()).toString()).toBe('new');
      expect((await file.stat())?.size).toBe(3);
      await file.write('newer');
      expect((await file.stat())?.mode).toBe(0o600);
    });
    expect(fs.readFileSync(path.join(ws, 'a/b/c.txt'), 'utf8')).toBe('newer');
    expect([fs.statSync(path.join(ws, 'a')).mode & 0o777, fs.statSync(path.join(ws, 'a/b')).mode & 0o777]).toEqual([0o700, 0o700]);
    const range = (offset: number, length: number): Promise<string> => exact(path.join(ws, 'dir/key'), async (file) => Buffer.from(await file.readRange(offset, length)).toString());
    expect([await range(2, 3), await range(4, 100), await range(9, 1)]).toEqual(['sid', 'de', '']);
    expect((await exact(ws, (file) => file.list())).map(({ name }) => name).sort()).toEqual(['a', 'dir']);
    expect((await exact('/', (file) => file.list())).length).toBeGreaterThan(1);
    for (const folder of [ws, '/']) expect((await exact(folder, (file) => file.stat()))?.kind).toBe('directory');
    for (const gone of ['gone', 'gone/deep', 'dir/key/below']) expect(await exact(path.join(ws, gone), (file) => file.stat())).toBeUndefined();
    await expect(exact(path.join(ws, 'dir'), (file) => file.read())).rejects.toMatchObject({ code: 'EISDIR' });
    await expect(exact(path.join(ws, 'dir/key/x'), (file) => file.write('y'))).rejects.toThrow('ENOTDIR');
  });

  it.skipIf(process.platform !== 'linux')('hold what the system makes while it is read, though it says that it is empty', async () => {
    expect(Buffer.from(await exact('/proc/version', (file) => file.readRange(0, 5))).toString()).toBe('Linux');
  });

  it('are refused where a symlink stands in the path', async () => {
    const { ws, outside } = makePlaces();
    fs.symlinkSync(outside, path.join(ws, 'link'));
    fs.symlinkSync('dir/key', path.join(ws, 'file-link'));
    const stale = { code: 'ESTALE' };
    await expect(exact(path.join(ws, 'link/key'), (file) => file.read())).rejects.toMatchObject(stale);
    await expect(exact(path.join(ws, 'file-link'), (file) => file.read())).rejects.toMatchObject(stale);
    await expect(exact(path.join(ws, 'file-link'), (file) => file.stat())).rejects.toMatchObject(stale);
    await expect(exact(path.join(ws, 'link'), (file) => file.list())).rejects.toMatchObject(stale);
    await expect(exact(path.join(ws, 'link/new'), (file) => file.write('x'))).rejects.toMatchObject(stale);
    await expect(exact(path.join(ws, 'link/deep/new'), (file) => file.write('x'))).rejects.toMatchObject(stale);
    await expect(exact(path.join(ws, 'file-link'), (file) => file.write('x'))).rejects.toMatchObject(stale);
    expect(fs.readdirSync(outside)).toEqual(['key']);
  });

  it.skipIf(process.platform !== 'linux')('stay those of the folder that was opened, whatever takes its place', async () => {
    const { ws, outside } = makePlaces();
    await exact(path.join(ws, 'dir/key'), async (file) => {
      fs.renameSync(path.join(ws, 'dir'), path.join(ws, 'moved'));
      fs.symlinkSync(outside, path.join(ws, 'dir'));
      expect(Buffer.from(await file.read()).toString()).toBe('inside');
      await file.write('changed');
    });
    expect(fs.readFileSync(path.join(ws, 'moved/key'), 'utf8')).toBe('changed');
    expect(fs.readFileSync(path.join(outside, 'key'), 'utf8')).toBe('secret');
  });

  it('keep what another name of a file holds (C-F6)', async () => {
    const { ws, outside } = makePlaces();
    fs.linkSync(path.join(outside, 'key'), path.join(ws, 'dir/hard'));
    await exact(path.join(ws, 'dir/hard'), (file) => file.write('changed'));
    expect(fs.readFileSync(path.join(outside, 'key'), 'utf8')).toBe('secret');
  });
});
