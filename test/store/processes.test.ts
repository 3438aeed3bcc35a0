import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Migration } from '../../src/store/migrations.ts';
import { openSqlite } from '../../src/store/sqlite.ts';
import { NOBODY, withoutAnotherUser } from '../helpers/another-user.ts';
import { run, storeForChildren } from './child.ts';

const SCHEMA: readonly Migration[] = [{ version: 1, name: 'lines', sql: 'CREATE TABLE lines (id INTEGER PRIMARY KEY, who INTEGER, text TEXT)' }];
const SECOND: Migration = { version: 2, name: 'more', sql: 'CREATE TABLE more (x); INSERT INTO more VALUES (1)' };

let folder: string;
let script: (text: string) => string;

beforeAll(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'store-processes-'));
  script = (await storeForChildren(folder)).script;
});

afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

const newFile = (name: string): string => path.join(folder, name, 'skillmint.db');
const node = (text: string): ReturnType<typeof run> => run(process.execPath, [script(text)]);

describe('eight processes', () => {
  it.each([1, 2, 3])('open a database that is not there yet, and write to it (round %i)', async (round) => {
    const file = newFile(`first-${round}`);
    const child = (who: number): string => `
      const db = openSqlite(${JSON.stringify(file)}, ${JSON.stringify(SCHEMA)});
      for (let i = 0; i < 20; i += 1) db.transaction(() => db.run('INSERT INTO lines (who, text) VALUES (?, ?)', [${who}, 'x']), { durable: i % 5 === 0 });
      console.log(db.get('SELECT count(*) AS mine FROM lines WHERE who = ?', [${who}]).mine);`;
    const ended = await Promise.all(Array.from({ length: 8 }, (_, who) => node(child(who))));
    expect(ended).toEqual(Array.from({ length: 8 }, () => ({ code: 0, stdout: '20\n', stderr: '' })));
    const db = openSqlite(file, SCHEMA);
    expect(db.get('SELECT count(*) AS lines FROM lines')).toEqual({ lines: 160 });
    db.close();
    expect(fs.readdirSync(path.dirname(file)).filter((name) => name.includes('.new'))).toEqual([]);
  });

  it('bring one database up to date together', async () => {
    const file = newFile('migrate');
    openSqlite(file, SCHEMA).close();
    const text = `const db = openSqlite(${JSON.stringify(file)}, ${JSON.stringify([...SCHEMA, SECOND])}); console.log(db.all('SELECT x FROM more').length);`;
    const ended = await Promise.all(Array.from({ length: 8 }, () => node(text)));
    expect(ended).toEqual(Array.from({ length: 8 }, () => ({ code: 0, stdout: '1\n', stderr: '' })));
  });
});

it('waits for another process that holds the lock longer than one time-out', async () => {
  const file = newFile('busy');
  const db = openSqlite(file, SCHEMA);
  const holder = node(`
    const db = openSqlite(${JSON.stringify(file)}, ${JSON.stringify(SCHEMA)});
    const { mkdirSync } = await import('node:fs');
    db.transaction(() => { mkdirSync(${JSON.stringify(`${file}.held`)}); Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5500); });`);
  while (!fs.existsSync(`${file}.held`)) await new Promise((resolve) => setTimeout(resolve, 20));
  const before = performance.now();
  db.run('INSERT INTO lines (who) VALUES (?)', [1]);
  expect(performance.now() - before).toBeGreaterThan(5000);
  expect(db.get('SELECT count(*) AS lines FROM lines')).toEqual({ lines: 1 });
  db.close();
  expect(await holder).toMatchObject({ code: 0 });
});

it('keeps what was acknowledged when the process is killed, and loses what was not', async () => {
  const file = newFile('killed');
  const ended = await node(`
    const db = openSqlite(${JSON.stringify(file)}, ${JSON.stringify(SCHEMA)});
    for (let i = 0; i < 50; i += 1) db.transaction(() => db.run('INSERT INTO lines (who) VALUES (?)', [1]));
    db.transaction(() => { db.run('INSERT INTO lines (who) VALUES (?)', [2]); process.kill(process.pid, 'SIGKILL'); });`);
  expect(ended.code).toBeNull();
  const db = openSqlite(file, SCHEMA);
  expect(db.all('SELECT who, count(*) AS lines FROM lines GROUP BY who')).toEqual([{ who: 1, lines: 50 }]);
  db.close();
});

it.each(['closes', 'ends'])('opens after one process was killed while another one went on and %s: nothing is missing', async (how) => {
  const file = newFile(`outlived-${how}`);
  const other = node(`
    const db = openSqlite(${JSON.stringify(file)}, ${JSON.stringify(SCHEMA)});
    const { existsSync, writeFileSync } = await import('node:fs');
    writeFileSync(${JSON.stringify(`${file}.open`)}, '');
    while (!existsSync(${JSON.stringify(`${file}.killed`)})) await new Promise((resolve) => setTimeout(resolve, 20));
    ${how === 'closes' ? 'db.close();' : ''}`);
  while (!fs.existsSync(`${file}.open`)) await new Promise((resolve) => setTimeout(resolve, 20));
  const ended = await node(`
    const db = openSqlite(${JSON.stringify(file)}, ${JSON.stringify(SCHEMA)});
    db.transaction(() => db.run('INSERT INTO lines (who) VALUES (?)', [1]));
    process.kill(process.pid, 'SIGKILL');`);
  expect(ended.code).toBeNull();
  fs.writeFileSync(`${file}.killed`, '');
  expect(await other).toMatchObject({ code: 0, stderr: '' });
  const db = openSqlite(file, SCHEMA);
  expect(db.get('SELECT count(*) AS lines FROM lines')).toEqual({ lines: 1 });
  db.close();
});

describe('migrations', () => {
  it('run once, in order, all or none', () => {
    const file = newFile('order');
    const broken: Migration = { version: 3, name: 'broken', sql: 'CREATE TABLE good (x); CREATE TABLE lines (x)' };
    openSqlite(file, SCHEMA).close();
    expect(() => openSqlite(file, [...SCHEMA, SECOND, broken])).toThrow('already exists');
    const db = openSqlite(file, [...SCHEMA, SECOND]);
    expect(db.all('SELECT x FROM more')).toEqual([{ x: 1 }]);
    expect(db.all('SELECT version, name FROM schema_migrations')).toEqual([{ version: 1, name: 'lines' }, { version: 2, name: 'more' }]);
    db.close();
    expect(() => openSqlite(file, [SECOND, ...SCHEMA])).toThrow('migration 1 (lines) must come after 2');
  });

  it('refuse a database of a newer program and one of another program', () => {
    const file = newFile('newer');
    openSqlite(file, [...SCHEMA, SECOND]).close();
    expect(() => openSqlite(file, SCHEMA)).toThrow(`the database ${file} was written by a newer skillmint (schema 2, this one knows 1): update skillmint`);
    const other = newFile('other');
    openSqlite(other, SCHEMA).close();
    const db = openSqlite(other, SCHEMA);
    db.run('ALTER TABLE schema_migrations RENAME TO something');
    db.close();
    expect(() => openSqlite(other, SCHEMA)).toThrow('it belongs to another program');
  });
});

/** bubblewrap gives real file systems that are read-only or nearly full. */
const hasBubblewrap = fs.existsSync('/usr/bin/bwrap');
describe.skipIf(!hasBubblewrap && !process.env['CI'])('on a file system with limits (needs bubblewrap)', () => {
  const boxed = (args: readonly string[], text: string): ReturnType<typeof run> =>
    run('bwrap', ['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', ...args, process.execPath, script(`
      try { ${text} } catch (error) { console.log(error.code + ': ' + error.message); }`)]);

  it('says that it is read-only', async () => {
    const file = newFile('read-only');
    const open = `openSqlite(${JSON.stringify(file)}, ${JSON.stringify(SCHEMA)});`;
    expect((await boxed([], open)).stdout).toContain(`store_unavailable: cannot use the database ${file}: its folder cannot be made here`);
    openSqlite(file, SCHEMA).close();
    expect((await boxed([], open)).stdout).toContain(`store_unavailable: cannot use the database ${file}: the file system is read-only`);
  });

  it('says that the disk is full, and keeps what it had', async () => {
    const ended = await boxed(['--size', '400000', '--tmpfs', '/mnt'], `
      const db = openSqlite('/mnt/skillmint.db', ${JSON.stringify(SCHEMA)});
      let stored = 0;
      try {
        for (; stored < 1000; stored += 1) db.transaction(() => db.run('INSERT INTO lines (text) VALUES (?)', ['x'.repeat(5000)]));
      } catch (error) { console.log(error.code + ': ' + error.message); }
      console.log(stored > 0 && db.get('SELECT count(*) AS lines FROM lines').lines === stored);`);
    expect(ended.stdout).toMatch(/^store_full: cannot use the database \/mnt\/skillmint\.db: the disk is full; free some space.*\ntrue\n$/);
  });
});

it.skipIf(withoutAnotherUser)('says that permission is missing (needs root, and a Node that others may run)', async () => {
  const file = newFile('private');
  openSqlite(file, SCHEMA).close();
  fs.chmodSync(folder, 0o755);
  fs.chmodSync(path.dirname(file), 0o755);
  const text = `try { openSqlite(${JSON.stringify(file)}, ${JSON.stringify(SCHEMA)}); } catch (error) { console.log(error.code + ': ' + error.message); }`;
  const ended = await run(process.execPath, [script(text)], NOBODY);
  expect(ended.stdout).toContain(`store_unavailable: cannot use the database ${file}: no permission; make it readable and writable`);
});
