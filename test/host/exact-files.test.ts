import { spawn, type ChildProcess } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
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
    for (let count = 0; !isDone(); count++) answers[await useFile(at, 'ws', 'write', `dir/${count % 50}/new`)] += 1;
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
    while (!isDone()) seen.add(await exact.read(path.join(at.ws, 'dir/key')).then((bytes) => Buffer.from(bytes).toString(), () => 'failed'));
    seen.delete('failed');
    expect([...seen]).toEqual(['inside']);
  });
});

describe('files by their real paths', () => {
  it('are read, listed, written and removed as others are', async () => {
    const { ws } = makePlaces();
    const { exact } = localFiles();
    await exact.write(path.join(ws, 'a/b/c.txt'), 'new', { mode: 0o600, folderMode: 0o700 });
    expect(fs.readFileSync(path.join(ws, 'a/b/c.txt'), 'utf8')).toBe('new');
    expect([fs.statSync(path.join(ws, 'a/b/c.txt')).mode & 0o777, fs.statSync(path.join(ws, 'a/b')).mode & 0o777]).toEqual([0o600, 0o700]);
    expect(Buffer.from(await exact.readRange(path.join(ws, 'dir/key'), 2, 3)).toString()).toBe('sid');
    expect((await exact.list(ws)).map(({ name }) => name).sort()).toEqual(['a', 'dir']);
    expect((await exact.list('/')).length).toBeGreaterThan(1);
    expect((await exact.stat(ws)).kind).toBe('directory');
    await exact.remove(path.join(ws, 'a'));
    await expect(exact.stat(path.join(ws, 'a'))).rejects.toMatchObject({ code: 'ENOENT' });
    await expect(exact.read(path.join(ws, 'dir'))).rejects.toMatchObject({ code: 'EISDIR' });
    await expect(exact.write(path.join(ws, 'dir/key/x'), 'y')).rejects.toThrow('ENOTDIR');
  });

  it('are refused where a symlink stands in the path', async () => {
    const { ws, outside } = makePlaces();
    const { exact } = localFiles();
    fs.symlinkSync(outside, path.join(ws, 'link'));
    fs.symlinkSync('dir/key', path.join(ws, 'file-link'));
    const stale = { code: 'ESTALE' };
    await expect(exact.read(path.join(ws, 'link/key'))).rejects.toMatchObject(stale);
    await expect(exact.read(path.join(ws, 'file-link'))).rejects.toMatchObject(stale);
    await expect(exact.stat(path.join(ws, 'file-link'))).rejects.toMatchObject(stale);
    await expect(exact.list(path.join(ws, 'link'))).rejects.toMatchObject(stale);
    await expect(exact.write(path.join(ws, 'link/new'), 'x')).rejects.toMatchObject(stale);
    await expect(exact.write(path.join(ws, 'link/deep/new'), 'x')).rejects.toMatchObject(stale);
    await expect(exact.write(path.join(ws, 'file-link'), 'x')).rejects.toMatchObject(stale);
    expect(fs.readdirSync(outside)).toEqual(['key']);
  });

  it('keep what another name of a file holds (C-F6)', async () => {
    const { ws, outside } = makePlaces();
    fs.linkSync(path.join(outside, 'key'), path.join(ws, 'dir/hard'));
    await localFiles().exact.write(path.join(ws, 'dir/hard'), 'changed');
    expect(fs.readFileSync(path.join(outside, 'key'), 'utf8')).toBe('secret');
  });
});
