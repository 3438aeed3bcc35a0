import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SkillmintError } from '../../src/protocol/errors.ts';
import type { Database } from '../../src/store/database.ts';
import type { Migration } from '../../src/store/migrations.ts';
import { openSqlite } from '../../src/store/sqlite.ts';
import { isConstraintError } from '../../src/store/store-error.ts';

const SCHEMA: readonly Migration[] = [{ version: 1, name: 'notes', sql: 'CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT, data BLOB, UNIQUE (text)); CREATE INDEX by_text ON notes (text)' }];

let folder: string;
let file: string;
const opened: Database[] = [];

function open(migrations: readonly Migration[] = SCHEMA): Database {
  const db = openSqlite(file, migrations);
  opened.push(db);
  return db;
}

function refusal(work: () => unknown): SkillmintError {
  try {
    work();
  } catch (error) {
    if (error instanceof SkillmintError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

const mode = (name: string): number => fs.statSync(name).mode & 0o777;

beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'store-'));
  file = path.join(folder, 'data', 'skillmint.db');
});

afterEach(() => {
  for (const db of opened.splice(0)) db.close();
  fs.rmSync(folder, { recursive: true, force: true });
});

describe('values', () => {
  it('gives back what was stored', () => {
    const db = open();
    db.run('INSERT INTO notes VALUES (?, ?, ?)', [1, 'grün 🌱', new Uint8Array([0, 1, 255])]);
    db.run('INSERT INTO notes VALUES (?, ?, ?)', [2n, null, null]);
    expect(db.get('SELECT * FROM notes WHERE id = ?', [1])).toEqual({ id: 1, text: 'grün 🌱', data: new Uint8Array([0, 1, 255]) });
    expect(db.all('SELECT id, data FROM notes ORDER BY id').map((row) => row['data'] instanceof Uint8Array)).toEqual([true, false]);
    expect(db.get('SELECT * FROM notes WHERE id = ?', [9])).toBeUndefined();
    expect(db.run('UPDATE notes SET text = ? WHERE id < ?', ['x', 2]).changes).toBe(1);
  });

  it('takes a blob as the only parameter', () => {
    const db = open();
    db.run('INSERT INTO notes (data) VALUES (?)', [new Uint8Array([7])]);
    expect(db.all('SELECT id FROM notes WHERE data = ?', [new Uint8Array([7])])).toEqual([{ id: 1 }]);
  });

  it('reads more rows than one page of the driver', () => {
    const db = open();
    db.transaction(() => {
      for (let id = 1; id <= 300; id += 1) db.run('INSERT INTO notes (id) VALUES (?)', [id]);
    });
    expect(db.all('SELECT id FROM notes ORDER BY id').map((row) => row['id'])).toEqual(Array.from({ length: 300 }, (_, i) => i + 1));
    expect(db.all('SELECT id FROM notes WHERE id <= ?', [100])).toHaveLength(100);
  });

  it('refuses what the driver would crash on or take from the run before', () => {
    const db = open();
    const insert = 'INSERT INTO notes (id, text) VALUES (?, ?)';
    db.run(insert, [1, 'one']);
    expect(() => db.run(insert, [2])).toThrow('2 parameters expected, 1 given');
    expect(() => db.run(insert, [2, 'two', 3])).toThrow('2 parameters expected, 3 given');
    expect(() => Reflect.apply((sql: string, values: never) => db.run(sql, values), undefined, [insert, [2, true]])).toThrow('type boolean');
    expect(() => Reflect.apply((sql: string, values: never) => db.run(sql, values), undefined, [insert, [2, undefined]])).toThrow('type undefined');
    expect(db.all("SELECT '?' AS q, \"text\" /* ? */ FROM notes -- ?")).toEqual([{ q: '?', text: 'one' }]);
  });

  it('tells a violated constraint apart', () => {
    const db = open();
    db.run('INSERT INTO notes (text) VALUES (?)', ['same']);
    let thrown: unknown;
    try {
      db.run('INSERT INTO notes (text) VALUES (?)', ['same']);
    } catch (error) {
      thrown = error;
    }
    expect(isConstraintError(thrown)).toBe(true);
    expect(isConstraintError(new Error('other'))).toBe(false);
  });
});

describe('transactions', () => {
  it('keep all or nothing, and pass on what was thrown', () => {
    const db = open();
    const problem = Object.assign(new Error('no room'), { code: 'ENOSPC' });
    expect(() => db.transaction(() => {
      db.run('INSERT INTO notes (id) VALUES (?)', [1]);
      throw problem;
    })).toThrow(problem);
    expect(db.all('SELECT * FROM notes')).toEqual([]);
    expect(db.transaction(() => db.run('INSERT INTO notes (id) VALUES (?)', [2]).changes)).toBe(1);
    expect(db.all('SELECT id FROM notes')).toEqual([{ id: 2 }]);
  });

  it('sync the log only when they must be durable', () => {
    const db = open();
    const level = (): unknown => db.get('PRAGMA synchronous')?.['synchronous'];
    expect(level()).toBe(1);
    expect(db.transaction(level, { durable: true })).toBe(2);
    expect(level()).toBe(1);
    expect(() => db.transaction(() => { throw new Error('x'); }, { durable: true })).toThrow('x');
    expect(level()).toBe(1);
  });

  it('refuse to nest and to wait', () => {
    const db = open();
    expect(() => db.transaction(() => db.transaction(() => 1))).toThrow('do not nest');
    expect(() => db.transaction(() => Promise.resolve(1))).toThrow('synchronous');
    expect(db.transaction(() => 1)).toBe(1);
  });

  it('are seen by other connections when they are complete', () => {
    const one = open();
    const two = open();
    one.transaction(() => {
      one.run('INSERT INTO notes (id) VALUES (?)', [1]);
      expect(two.all('SELECT id FROM notes')).toEqual([]);
    });
    expect(two.all('SELECT id FROM notes')).toEqual([{ id: 1 }]);
  });

  it('honour foreign keys', () => {
    const db = open([...SCHEMA, { version: 2, name: 'tags', sql: 'CREATE TABLE tags (note INTEGER REFERENCES notes (id) ON DELETE CASCADE)' }]);
    expect(() => db.run('INSERT INTO tags VALUES (?)', [5])).toThrow(/FOREIGN KEY/);
  });
});

describe('the file', () => {
  it('is private with its side files, and so is its folder', () => {
    const db = open();
    db.run('INSERT INTO notes (id) VALUES (?)', [1]);
    expect([file, `${file}-wal`, `${file}-shm`].map(mode)).toEqual([0o600, 0o600, 0o600]);
    expect(mode(path.dirname(file))).toBe(0o700);
    expect(fs.readdirSync(path.dirname(file)).filter((name) => name.includes('.new'))).toEqual([]);
  });

  it('is closed to others again when it was open to them', () => {
    open().close();
    fs.chmodSync(file, 0o644);
    open();
    expect(mode(file)).toBe(0o600);
  });

  it('is refused where other users could have written it (C-E4)', () => {
    open().close();
    // Nobody gets there, so nobody could.
    fs.chmodSync(file, 0o666);
    open().close();
    fs.chmodSync(file, 0o622);
    for (const folder of [path.dirname(file), path.dirname(path.dirname(file))]) fs.chmodSync(folder, 0o711);
    expect(open).toThrow(expect.objectContaining({ code: 'store_unavailable', message: expect.stringMatching(/other users can change it.*chmod 600/) }));
    expect(mode(file)).toBe(0o622);
    fs.chmodSync(file, 0o604);
    open();
    expect(mode(file)).toBe(0o600);
  });

  it('is complete from the moment it is there', () => {
    open().close();
    for (const end of ['-wal', '-shm']) fs.rmSync(file + end, { force: true });
    expect(open().all('SELECT name FROM sqlite_schema WHERE name = ?', ['notes'])).toHaveLength(1);
  });

  it.each([
    ['empty', () => fs.truncateSync(file), /is empty, its content is lost/],
    ['not a database', () => fs.writeFileSync(file, 'Dear diary, '.repeat(1000)), /not a database/],
    ['cut short', () => fs.truncateSync(file, 5000), /damaged or cut short/],
    ['overwritten in the middle', () => {
      const bytes = fs.readFileSync(file);
      fs.writeFileSync(file, bytes.fill(7, 4096));
    }, /damaged or cut short/],
  ])('is refused when it is %s, and not touched', (_, damage, says) => {
    const db = open();
    db.transaction(() => {
      for (let id = 1; id <= 200; id += 1) db.run('INSERT INTO notes (id, text) VALUES (?, ?)', [id, `${id}`.repeat(50)]);
    });
    db.get('PRAGMA wal_checkpoint(TRUNCATE)');
    db.close();
    for (const end of ['-wal', '-shm']) fs.rmSync(file + end, { force: true });
    damage();
    const before = fs.readFileSync(file);
    const error = refusal(() => {
      const again = open();
      again.all('SELECT text FROM notes ORDER BY text');
    });
    expect(error).toMatchObject({ code: 'store_corrupt', message: expect.stringMatching(says) });
    expect(error.message).toContain(file);
    expect(fs.readFileSync(file).equals(before)).toBe(true);
  });

  it('is refused when only its log is left', () => {
    open().run('INSERT INTO notes (id) VALUES (?)', [1]);
    fs.rmSync(file);
    expect(refusal(open)).toMatchObject({ code: 'store_corrupt', message: expect.stringContaining('skillmint.db-wal still holds data') });
  });

  it('is refused when it is a folder or below a file', () => {
    fs.mkdirSync(file, { recursive: true });
    expect(refusal(open)).toMatchObject({ code: 'store_corrupt', message: expect.stringContaining('is a folder') });
    fs.writeFileSync(path.join(folder, 'plain'), '');
    file = path.join(folder, 'plain', 'skillmint.db');
    expect(refusal(open)).toMatchObject({ code: 'store_unavailable', message: expect.stringContaining('is a file, not a folder') });
  });

  it('says what to do when the engine reports a full disk', () => {
    const db = open();
    db.get('PRAGMA max_page_count = 8');
    const error = refusal(() => db.transaction(() => {
      for (let id = 1; id < 100; id += 1) db.run('INSERT INTO notes (id, text) VALUES (?, ?)', [id, 'x'.repeat(4000) + String(id)]);
    }));
    expect(error).toMatchObject({ code: 'store_full', message: expect.stringContaining('free some space') });
    expect(db.all('SELECT id FROM notes')).toEqual([]);
  });

  it('cannot be used after it was closed', () => {
    const db = open();
    db.close();
    db.close();
    expect(() => db.all('SELECT 1')).toThrow('is closed');
    expect(() => db.transaction(() => 1)).toThrow('is closed');
  });
});
