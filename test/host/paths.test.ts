import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { localFiles } from '../../src/host/local-files.ts';
import { absolutePath, isInside, locate } from '../../src/host/paths.ts';
import { path as useFile } from '../../src/testing/security-adapter.ts';
import { temporaryFolder } from './temporary-folder.ts';

const files = localFiles();

test('a path is inside by segment (CVE-2025-53109, CVE-2025-53110)', () => {
  expect(isInside('/w/s', '/w/s')).toBe(true);
  expect(isInside('/w/s', '/w/s/..a/b')).toBe(true);
  expect(isInside('/w/s', '/w/s-evil/key')).toBe(false);
  expect(isInside('/w/s', '/w')).toBe(false);
  expect(isInside('/', '/etc')).toBe(true);
});

test('impossible paths are refused in one sentence', () => {
  const problem = (given: string): string => {
    const answer = absolutePath(given, '/w');
    return 'problem' in answer ? answer.problem : '';
  };
  expect(problem('')).toContain('empty');
  expect(problem('a\0b')).toContain('NUL');
  expect(problem('~/.bashrc')).toContain('not expanded');
  expect(problem('file:///etc/passwd')).toContain('URL');
  expect(problem('a'.repeat(256))).toContain('255 bytes');
  expect(problem('a/'.repeat(3_000))).toContain('4095 bytes');
  expect(absolutePath('~x', '/w')).toEqual({ path: '/w/~x' });
  expect(absolutePath('$HOME/x', '/w')).toEqual({ path: '/w/$HOME/x' });
});

test('new files lie where their deepest existing folder really is', async () => {
  const base = temporaryFolder();
  fs.mkdirSync(path.join(base, 'real/sub'), { recursive: true });
  fs.symlinkSync('real', path.join(base, 'link'));
  fs.symlinkSync('../outside/new', path.join(base, 'real/dangling'));
  fs.symlinkSync('loop', path.join(base, 'loop'));
  expect(await locate(files, path.join(base, 'link/x/y.txt'))).toEqual({ realPath: path.join(base, 'real/x/y.txt'), exists: false });
  expect(await locate(files, path.join(base, 'link/sub'))).toEqual({ realPath: path.join(base, 'real/sub'), exists: true });
  expect(await locate(files, path.join(base, 'link/dangling'))).toEqual({ realPath: path.join(base, 'outside/new'), exists: false });
  await expect(locate(files, path.join(base, 'loop/x'))).rejects.toMatchObject({ code: 'path_refused' });
});

const data = path.join(process.env['SKILLMINT_SHARED'] ?? path.resolve(import.meta.dirname, '../../../shared'), 'security');

describe.skipIf(!fs.existsSync(data))('the path cases of the shared security data', () => {
  interface Row { readonly id: string; readonly root: 'ws' | 'skill'; readonly op: 'read' | 'write' | 'list'; readonly path: string; readonly expect: 'allow' | 'block' | 'ask'; readonly why: string }
  interface Tree { readonly dirs: readonly string[]; readonly files: readonly string[]; readonly symlinks: Record<string, string>; readonly fifos: readonly string[] }
  const load = (name: string): string => fs.readFileSync(path.join(data, name), 'utf8');

  function build(base: string): void {
    const tree: Tree = JSON.parse(load('path-tree.json'));
    for (const dir of tree.dirs) fs.mkdirSync(path.join(base, dir), { recursive: true });
    for (const file of tree.files) fs.writeFileSync(path.join(base, file), file);
    for (const [link, target] of Object.entries(tree.symlinks)) fs.symlinkSync(target.replaceAll('{BASE}', base), path.join(base, link));
    for (const fifo of tree.fifos) execFileSync('mkfifo', [path.join(base, fifo)]);
  }

  /** All below a folder; symlinks are not followed. */
  const below = (folder: string): readonly string[] => fs.readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const place = path.join(folder, entry.name);
    return entry.isDirectory() ? [place, ...below(place)] : [place];
  });

  /** Everything around the workspace, with what it holds. */
  const around = (base: string): readonly string[] => fs.readdirSync(base).filter((name) => name !== 'ws').flatMap((name) => below(path.join(base, name)))
    .map((place) => `${place} ${fs.lstatSync(place).isFile() ? fs.readFileSync(place, 'utf8') : ''}`);

  test('the file tools do all that is expected and nothing else, and change nothing outside (C-F1)', async () => {
    const wrong: string[] = [];
    for (const row of load('paths.jsonl').trim().split('\n').map((line): Row => JSON.parse(line))) {
      const base = path.join(temporaryFolder(), 't');
      build(base);
      const before = around(base);
      const at = { base, ws: path.join(base, 'ws'), skill: path.join(base, 'skills/pdf') };
      const got = await useFile(at, row.root, row.op, row.path.replaceAll('{WS}', at.ws).replaceAll('{SK}', at.skill).replaceAll('{BASE}', base));
      if (got !== row.expect) wrong.push(`${row.id}: ${got}, must be ${row.expect} (${row.why})`);
      if (around(base).join('\n') !== before.join('\n')) wrong.push(`${row.id}: changed something outside`);
    }
    expect(wrong).toEqual([]);
  });

  test('what is decided on real paths never leaves the root, and what should work does (C-F1)', async () => {
    const base = temporaryFolder();
    build(base);
    const roots = { ws: path.join(base, 'ws'), skill: path.join(base, 'skills/pdf') };
    const rows: Row[] = load('paths.jsonl').trim().split('\n').map((line) => JSON.parse(line));
    expect(rows.length).toBeGreaterThan(50);
    for (const row of rows) {
      const given = row.path.replaceAll('{WS}', roots.ws).replaceAll('{SK}', roots.skill).replaceAll('{BASE}', base);
      const works = await permittedAndWorks(row.op, given, roots[row.root]);
      // Rows that ask, and skills being read-only, are the permission rules' part: here they lie inside.
      if (row.expect === 'allow') expect(works, `${row.id} ${row.why}`).toBe(true);
      else if (row.expect === 'block' && !row.why.includes('read-only')) expect(works, `${row.id} ${row.why}`).toBe(false);
    }
  });

  async function permittedAndWorks(op: Row['op'], given: string, root: string): Promise<boolean> {
    const answer = absolutePath(given, root);
    if ('problem' in answer) return false;
    try {
      const { realPath } = await locate(files, answer.path);
      if (!isInside(root, realPath)) return false;
      if (op === 'read') await files.read(realPath);
      else if (op === 'list') await files.list(realPath);
      else await files.write(realPath, 'written');
      return true;
    } catch {
      return false;
    }
  }
});
