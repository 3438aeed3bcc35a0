import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeEach, describe, expect, it } from 'vitest';
import { SESSION_MIGRATIONS } from '../../src/sessions/migrations.ts';
import { openSqlite } from '../../src/store/sqlite.ts';
import { until } from '../mcp/servers.ts';
import { eventsOf, exported, FREE, makePlace, MODEL, oneLineOf, programArgv, run, sessionOf, start, withoutRoot, withProvider, type Place } from './program.ts';

let place: Place;
let file: string;
beforeEach(async () => {
  place = makePlace();
  file = path.join(place.data, 'skillmint.db');
  await withProvider(place, { steps: ['one', 'two', 'three', 'four'] });
});

/** A database with one session in it. */
async function oneSession(): Promise<string> {
  const { code, stdout } = await run(place, ['run', 'hello', ...FREE, '--output', 'stream-json']);
  expect(code).toBe(0);
  return sessionOf(eventsOf(stdout));
}

/** What the commands that need the database say: all the same one line, and nothing is touched. */
async function refusal(): Promise<string> {
  const before = fs.statSync(file).isFile() ? fs.readFileSync(file) : undefined;
  const lines = new Set<string>();
  for (const args of [['run', 'x', ...FREE], ['sessions', 'list'], ['answer', 'ses_1', '--allow']]) {
    const ended = await run(place, args);
    lines.add(`exit ${ended.code}: ${ended.stdout}${oneLineOf(ended)}`);
  }
  const doctor = await run(place, ['doctor']);
  if (doctor.code !== 1 || !/fail {2}store/.test(doctor.stdout)) lines.add(`doctor: ${doctor.stdout}`);
  if (before && !fs.readFileSync(file).equals(before)) lines.add('the file was changed');
  return [...lines].join('\n');
}

const unusable = (reason: string): string => `exit 1: skillmint: cannot use the database ${file}: ${reason}`;

describe('a database that cannot be used is named, with what to do, and never replaced by an empty one (C-K6)', () => {
  it.each([1, 99, 100, 512, 4096, 5000, 20_000])('cut to %i bytes', async (bytes) => {
    await oneSession();
    fs.truncateSync(file, bytes);
    expect(await refusal()).toBe(unusable('it is damaged or cut short; put a backup in its place, or move it away to start with an empty one'));
  });

  it('no database at all', async () => {
    fs.writeFileSync(file, 'These are notes of mine, and no database. '.repeat(50));
    expect(await refusal()).toBe(unusable('it is not a database; move it away to start with an empty one, or put a backup in its place'));
  });

  it('empty', async () => {
    fs.writeFileSync(file, '');
    expect(await refusal()).toBe(unusable('it is empty, its content is lost; put a backup in its place, or move it away to start with an empty one'));
  });

  it('a folder', async () => {
    fs.mkdirSync(file);
    expect(await refusal()).toBe(unusable('it is a folder; move it away, or set SKILLMINT_HOME to another folder'));
  });

  it('of another program', async () => {
    const db = openSqlite(file, [{ version: 1, name: 'theirs', sql: 'CREATE TABLE theirs (x)' }]);
    db.run('ALTER TABLE schema_migrations RENAME TO other');
    db.close();
    expect(await refusal()).toBe(unusable('it belongs to another program; move it away, or set SKILLMINT_HOME to another folder'));
  });

  it('of a newer program', async () => {
    await oneSession();
    openSqlite(file, [...SESSION_MIGRATIONS, { version: 999, name: 'later', sql: 'CREATE TABLE later (x)' }]).close();
    const ended = await run(place, ['sessions', 'list']);
    expect([ended.code, oneLineOf(ended)]).toEqual([1, expect.stringContaining(`the database ${file} was written by a newer skillmint`)]);
  });

  it('with an event that cannot be read: that session alone', async () => {
    const broken = await oneSession();
    const whole = await oneSession();
    const db = openSqlite(file, SESSION_MIGRATIONS);
    db.run("UPDATE events SET event = '{' WHERE session_id = ? AND seq = 2", [broken]);
    db.close();
    const ended = await run(place, ['run', 'go on', '--session', broken, ...FREE]);
    expect([ended.code, oneLineOf(ended)]).toEqual([1, expect.stringContaining(`Event 2 of session ${broken} cannot be read`)]);
    expect((await run(place, ['run', 'go on', '--session', whole, ...FREE])).code).toBe(0);
  });
});

const marks = (): readonly string[] => fs.readdirSync(place.data).filter((name) => name.startsWith('skillmint.db-open-'));

/** A session of a program that is killed in the middle of a reply: most of it lies in the log alone. */
async function killedSession(): Promise<string> {
  await withProvider(place, { steps: [{ text: 'a reply that does not end', fault: { kind: 'hang', afterBytes: 300 } }, 'went on', 'went on'] });
  const lines: string[] = [];
  const running = start(place, ['run', 'a long way', ...FREE, '--output', 'stream-json'], { onLine: (line) => lines.push(line) });
  await until(() => lines.some((line) => line.includes('"text.delta"')));
  running.child.kill('SIGKILL');
  await running.ended;
  return sessionOf(eventsOf(lines.join('\n')));
}

describe('the log of a killed program (C-K6)', () => {
  it('that was removed is missed by name, until the person says that it is gone', async () => {
    await oneSession();
    const killed = await killedSession();
    expect(fs.statSync(`${file}-wal`).size).toBeGreaterThan(0);
    const kept = `${file}.kept`;
    fs.renameSync(`${file}-wal`, kept);
    for (const withIndex of [true, false]) {
      if (!withIndex) fs.rmSync(`${file}-shm`, { force: true });
      expect(await refusal()).toBe(unusable(`its log skillmint.db-wal is missing, with what was written last; put it back, or remove ${marks().join('')} to go on without it`));
    }
    fs.copyFileSync(kept, `${file}-wal`);
    expect((await exported(place, killed)).length).toBeGreaterThan(1);
    await run(place, ['run', 'go on', '--session', killed, ...FREE]);
    expect(marks()).toEqual([]);
  }, 30_000);

  it('can be given up', async () => {
    const before = await oneSession();
    const killed = await killedSession();
    for (const name of ['skillmint.db-wal', 'skillmint.db-shm', ...marks()]) fs.rmSync(path.join(place.data, name));
    const { sessions } = JSON.parse((await run(place, ['sessions', 'list', '--json'])).stdout);
    expect(sessions.map(({ session_id: id }: { readonly session_id: string }) => id)).toEqual([before]);
    expect(killed).not.toBe(before);
  }, 30_000);
});

it('a session survives the loss of the side files of the database (C-K6)', async () => {
  const session = await oneSession();
  const before = await exported(place, session);
  for (const end of ['-wal', '-shm']) fs.rmSync(file + end, { force: true });
  expect(await exported(place, session)).toEqual(before);
});

it('folder and files are the person\'s alone (C-E4)', async () => {
  fs.rmSync(place.data, { recursive: true });
  expect((await run(place, ['run', 'x', '--model', 'demo/demo'])).code).toBe(0);
  expect(fs.statSync(place.data).mode & 0o777).toBe(0o700);
  for (const name of fs.readdirSync(place.data)) expect([name, fs.statSync(path.join(place.data, name)).mode & 0o077]).toEqual([name, 0]);
});

it('many processes work on one database at once', async () => {
  await withProvider(place, { steps: Array.from({ length: 12 }, () => 'ok') });
  const ended = await Promise.all(Array.from({ length: 12 }, (_, i) => run(place, ['run', `message ${i}`, ...MODEL, '--no-tools'])));
  expect(ended).toEqual(ended.map(() => ({ code: 0, signal: null, stdout: 'ok\n', stderr: '' })));
  const { sessions } = JSON.parse((await run(place, ['sessions', 'list', '--json'])).stdout);
  expect(sessions).toHaveLength(12);
});

it('fifty sessions are made at once by eight processes, and nobody hears that the database is locked (C-O2)', { timeout: 60_000 }, async () => {
  await withProvider(place, { steps: Array.from({ length: 50 }, () => 'ok') });
  const script = path.join(place.root, 'many.mjs');
  fs.writeFileSync(script, `import { createRuntime } from ${JSON.stringify(pathToFileURL(path.resolve('dist/lib/index.js')).href)};
    const runtime = await createRuntime();
    const turns = await Promise.all(Array.from({ length: Number(process.argv[4]) }, (_, i) => runtime.prompt({ text: 'message ' + i, cwd: process.cwd(), model: 'fake/m', tools: 'none' })));
    for (const turn of turns) console.log((await turn.result).status);
    await runtime.close();`);
  const ended = await Promise.all([7, 7, 6, 6, 6, 6, 6, 6].map((count) => run(place, [String(count)], { through: [process.execPath, script] })));
  expect(ended.map(({ code, stderr }) => [code, stderr])).toEqual(ended.map(() => [0, '']));
  expect(ended.flatMap(({ stdout }) => stdout.split('\n').filter(Boolean))).toEqual(Array.from({ length: 50 }, () => 'done'));
  expect(JSON.parse((await run(place, ['sessions', 'list', '--json'])).stdout).sessions).toHaveLength(50);
});

const mountable = ((): boolean => {
  if (withoutRoot) return false;
  try {
    execFileSync('unshare', ['-m', 'true'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

describe.skipIf(!mountable)('file systems with limits (needs root and mount namespaces)', () => {
  /** Runs a script in a mount namespace of its own; `skillmint` in it is the built program. */
  const script = (text: string): ReturnType<typeof run> => run(place, [], { through: ['unshare', '-m', 'bash', '-c', `set -u; skillmint() { ${programArgv().join(' ')} "$@"; }; ${text}`, 'bash'] });

  it('a read-only data folder (C-K6)', async () => {
    await oneSession();
    const { stdout, stderr } = await script(`mount --bind ${place.data} ${place.data}; mount -o remount,ro,bind ${place.data}; skillmint run x ${FREE.join(' ')}; echo "exit $?"`);
    expect(stdout).toBe('exit 1\n');
    expect(oneLineOf({ code: 1, signal: null, stdout, stderr })).toMatch(`cannot use the database ${file}: the file system is read-only; make it writable, or set SKILLMINT_HOME`);
  });

  it('a full disk ends the turn with one line; what was stored is there, and it goes on when there is room', async () => {
    const noise = { calls: [{ name: 'Bash', input: { command: 'head -c 20000 /dev/urandom | base64 -w 0 | head -c 25000' } }] };
    await withProvider(place, { steps: [...Array.from({ length: 20 }, () => noise), 'room again'] });
    const steps = [
      `cp ${place.data}/config.json ${place.root}/config.json`,
      `mount -t tmpfs -o size=460k,mode=700 tmpfs ${place.data}; cp ${place.root}/config.json ${place.data}/`,
      `skillmint run x ${FREE.join(' ')} --output stream-json > shown; echo "exit $?"`,
      `mount -o remount,size=20m ${place.data}`,
      'id=$(head -n 1 shown | sed \'s/.*"session_id":"\\([^"]*\\)".*/\\1/\')',
      'skillmint sessions export $id > log; echo "exit $?"',
      `skillmint run "go on" --session $id ${FREE.join(' ')} --max-turns 30; echo "exit $?"`,
    ];
    const { stdout, stderr } = await script(steps.join('\n'));
    expect(stdout).toBe('exit 1\nexit 0\nroom again\nexit 0\n');
    expect(stderr).toMatch(new RegExp(`^skillmint: cannot use the database ${file}: the disk is full; free some space, or set SKILLMINT_HOME to another folder\\nskillmint: The turn before was cut off [^\\n]*\\n$`));
    const shown = eventsOf(fs.readFileSync(path.join(place.project, 'shown'), 'utf8')).filter((event) => event.seq !== undefined);
    const log = eventsOf(fs.readFileSync(path.join(place.project, 'log'), 'utf8'));
    expect(shown.length).toBeGreaterThan(8);
    expect(log.slice(0, shown.length)).toEqual(shown);
  });

  it('a full disk below the workspace is an error of the call, and the file keeps what it had', async () => {
    const folder = path.join(place.project, 'small');
    fs.mkdirSync(folder);
    const target = path.join(folder, 'a.txt');
    const provider = await withProvider(place, { steps: [{ calls: [{ name: 'Read', input: { file_path: target } }] }, { calls: [{ name: 'Write', input: { file_path: target, content: 'x'.repeat(300_000) } }] }, 'no room'] });
    const { stdout } = await script(`mount -t tmpfs -o size=64k tmpfs ${folder}; echo old > ${target}; skillmint run x ${FREE.join(' ')}; echo "exit $?"; ls ${folder}; cat ${target}`);
    expect(stdout).toBe('no room\nexit 0\na.txt\nold\n');
    expect(provider.requests[2]?.text).toMatch(/ENOSPC|no space/);
  });
});
