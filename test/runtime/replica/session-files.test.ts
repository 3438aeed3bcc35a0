import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { localFiles } from '../../../src/host/local-files.ts';
import { createRuntime } from '../../../src/runtime/create-runtime.ts';
import { requirePostgresSchema } from '../../../src/runtime/database/postgres-schema.ts';
import { filesOfScope, sweepContents } from '../../../src/runtime/replica/shared-files.ts';
import type { Runtime } from '../../../src/runtime/runtime.ts';
import { sessionFolder, type SessionFolder } from '../../../src/runtime/session/session-folder.ts';
import { openPostgres, type Postgres } from '../../../src/store/postgres/postgres.ts';
import { scriptedModel, type ScriptedModel, type ScriptedStep } from '../../../src/testing/scripted-model.ts';
import { startCluster, withoutPostgres, type Cluster } from '../../helpers/postgres.ts';
import { makePlace, say, type Place } from '../open.ts';
import { temporaryFolder } from './temporary-folder.ts';

describe.skipIf(withoutPostgres)('files of sessions with PostgreSQL', { timeout: 60_000 }, () => {
  let cluster: Cluster;
  beforeAll(async () => { cluster = await startCluster(); });
  afterAll(() => cluster.dispose());

  const connect = async (url: string): Promise<Postgres> => {
    const db = await openPostgres(url);
    onTestFinished(() => db.close());
    return db;
  };
  const folderOn = (db: Postgres, tenant: string, { workFolder = temporaryFolder(), log = (line: string): void => { throw new Error(line); } } = {}): SessionFolder => sessionFolder({ files: localFiles(), workFolder, shared: filesOfScope({ db, tenant }), log }, 'outputs', 'ses_1');
  async function opened(): Promise<{ readonly db: Postgres; readonly folderOf: (tenant?: string) => SessionFolder }> {
    const db = await connect(await cluster.database());
    await requirePostgresSchema(db);
    return { db, folderOf: (tenant = 'ann') => folderOn(db, tenant) };
  }
  const countOf = async (db: Postgres, table: 'blobs' | 'folders' | 'folder_files'): Promise<number> => Number((await db.query(`SELECT count(*) AS n FROM skillmint.${table}`)).rows[0]?.['n']);
  const textOf = (bytes: Uint8Array | undefined): string | undefined => bytes && new TextDecoder().decode(bytes);

  const run = async (place: Place, url: string, model: ScriptedModel): Promise<Runtime> => {
    const runtime = await createRuntime({ env: { PATH: process.env['PATH'] ?? '', HOME: place.home, LANG: 'C.UTF-8' }, home: place.home, dataFolder: place.data, settings: { sandbox: 'off', permissions: { mode: 'unrestricted' } }, model, database: { url } });
    onTestFinished(() => runtime.close());
    return runtime;
  };

  it('the model reads the whole of a long output on a machine that did not make it', async () => {
    const place = makePlace();
    const url = await cluster.database();
    const first = await run(place, url, scriptedModel([{ calls: [{ tool: 'Bash', input: { command: 'seq 1 20000' } }] }, 'counted']));
    const { result } = await say(first, { text: 'count', cwd: place.project });
    await first.close();
    fs.rmSync(place.data, { recursive: true });
    fs.mkdirSync(place.data, { mode: 0o700 });
    const reads: ScriptedStep = ({ messages }) => {
      const file = /\S+\/outputs\/[\w-]+\/[\w-]+\.txt/.exec(JSON.stringify(messages))?.[0] ?? 'no file was named';
      return { calls: [{ tool: 'Bash', input: { command: `tail -n 1 ${file}` } }, { tool: 'Read', input: { file_path: file, offset: 12_345, limit: 1 } }] };
    };
    const model = scriptedModel([reads, 'read']);
    const second = await run(place, url, model);
    expect((await say(second, { text: 'the end?', sessionId: result.session_id, cwd: place.project })).result.text).toBe('read');
    const told = JSON.stringify(model.requests.at(-1)?.messages.slice(-1));
    expect(told).toContain('20000');
    expect(told).toContain('12345');
    const db = await connect(url);
    expect(await countOf(db, 'blobs')).toBeGreaterThan(0);
    await second.sessions.remove(result.session_id);
    expect([await countOf(db, 'blobs'), (await db.query("SELECT FROM skillmint.folders WHERE scope <> 'data'")).count, fs.existsSync(path.join(place.data, 'outputs', result.session_id))]).toEqual([0, 0, false]);
  });

  it('what one writes the other reads and fetches, each tenant for itself, and the last writer counts', async () => {
    const { folderOf } = await opened();
    const [one, two, stranger] = [folderOf(), folderOf(), folderOf('bob')];
    await one.write('call_1.txt', 'first');
    expect([textOf(await two.read('call_1.txt')), await two.size('call_1.txt'), await stranger.read('call_1.txt')]).toEqual(['first', undefined, undefined]);
    await two.write('call_1.txt', 'second');
    await two.fetch();
    await stranger.fetch();
    expect([await two.bytes(), await stranger.bytes()]).toEqual([6, 0]);
    const third = folderOf();
    await third.fetch();
    expect(fs.readFileSync(path.join(third.path, 'call_1.txt'), 'utf8')).toBe('second');
    await stranger.remove();
    expect(textOf(await folderOf().read('call_1.txt'))).toBe('second');
  });

  it('what the database could not take is said, kept here, and sent with the next turn', async () => {
    const url = await cluster.database();
    const db = await connect(url);
    await requirePostgresSchema(db);
    await db.query(`ALTER DATABASE ${new URL(url).pathname.slice(1)} SET default_transaction_read_only = on`);
    const said: string[] = [];
    const workFolder = temporaryFolder();
    const one = folderOn(await connect(url), 'ann', { workFolder, log: (line) => said.push(line) });
    await one.write('call_1.txt', 'kept');
    expect([said, textOf(await one.read('call_1.txt'))]).toEqual([[expect.stringMatching(/^files of session ses_1 \(outputs\) do not get to other workers now: .*read-only/)], 'kept']);
    await folderOn(db, 'ann', { workFolder }).fetch();
    expect(textOf(await folderOn(db, 'ann').read('call_1.txt'))).toBe('kept');
  });

  it('a name that leads elsewhere is not written', async () => {
    const { db, folderOf } = await opened();
    await folderOf().write('call_1.txt', 'x');
    await db.query("UPDATE skillmint.folder_files SET path = '../../escaped.txt'");
    const two = folderOf();
    await two.fetch();
    expect([await two.bytes(), fs.existsSync(path.join(two.path, '../../escaped.txt')), await two.read('../../escaped.txt')]).toEqual([0, false, undefined]);
  });

  it('contents that a killed process has left are swept, those that somebody has stay', async () => {
    const { db, folderOf } = await opened();
    await folderOf().write('call_1.txt', 'wanted');
    for (const text of ['left 1', 'left 2']) await db.query("INSERT INTO skillmint.blobs SELECT encode(sha256(convert_to($1, 'UTF8')), 'hex'), convert_to($1, 'UTF8')", [text]);
    expect(await countOf(db, 'blobs')).toBe(3);
    expect(await sweepContents(db, '')).toBeUndefined();
    expect([await countOf(db, 'blobs'), textOf(await folderOf().read('call_1.txt'))]).toEqual([1, 'wanted']);
  });
});
