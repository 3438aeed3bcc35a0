import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { migrateDatabase } from '../../src/runtime/database/postgres-schema.ts';
import { openPostgres } from '../../src/store/postgres/postgres.ts';
import { POSTGRES_MIGRATIONS } from '../../src/store/postgres/schema.ts';
import { isObject } from '../../src/protocol/json.ts';
import { startCluster, withoutPostgres, type Cluster } from '../helpers/postgres.ts';
import { contest, HANG, ofType, scripted, soonDone, startWorker, type Shown, type Worker } from './postgres.ts';
import { makePlace, oneLineOf, run, type Place } from './program.ts';

describe.skipIf(withoutPostgres)('workers on one database', { timeout: 120_000 }, () => {
  let cluster: Cluster;
  let url: string;
  let place: Place;
  beforeAll(async () => { cluster = await startCluster({ fsync: true }); });
  afterAll(() => cluster.dispose());
  beforeEach(async () => {
    url = await cluster.database();
    place = makePlace();
  });

  const script = (step: Parameters<typeof scripted>[1]) => scripted(place, step);
  const worker = (database = url): Promise<Worker> => startWorker(place, database);
  const seqs = (events: readonly Shown[]): readonly number[] => events.flatMap(({ seq }) => (seq === undefined ? [] : [seq]));

  it('one that is killed in the middle of a turn is taken over by another one, which was there all the time', async () => {
    let going = false;
    const provider = await script(() => (going ? 'Done by the other one.' : HANG));
    const [a, b] = [await worker(), await worker()];
    const id = await a.begin('go');
    await expect.poll(() => provider.requests.length).toBe(1);
    going = true;
    a.running.child.kill('SIGKILL');
    await soonDone(b, id);
    const log = await b.log(id);
    expect([ofType(log, 'turn.started'), ofType(log, 'turn.resumed'), ofType(log, 'turn.completed')]).toEqual([1, 1, 1]);
    expect(log.at(-1)).toMatchObject({ text: 'Done by the other one.' });
  });

  it('a question that was asked at one is answered at another, also by the command line', async () => {
    await script(({ text }) => (text.includes('blue') ? 'You said blue.' : { calls: [{ name: 'AskUserQuestion', input: { question: 'Which colour?', options: ['red', 'blue'] } }] }));
    const [a, b] = [await worker(), await worker()];
    const ids = [await a.begin('ask me'), await a.begin('ask me')];
    for (const id of ids) await expect.poll(() => b.status(id)).toBe('waiting');
    const shown = JSON.parse((await run(place, ['sessions', 'show', String(ids[0]), '--json', '--database', url])).stdout);
    const answered = await b.ask('POST', `/api/sessions/${ids[0]}/answers`, { body: { request_id: shown.open[0].request_id, answer: 'blue' } });
    expect(answered.status, answered.text).toBeLessThan(300);
    const byHand = await run(place, ['answer', String(ids[1]), 'blue', '--database', url]);
    expect(byHand.stdout, byHand.stderr).toBe('You said blue.\n');
    for (const id of ids) await soonDone(a, id);
  });

  it('a browser at one sees the words that another one makes, and neither misses nor repeats any when it goes elsewhere', async () => {
    const words = Array.from({ length: 60 }, (_, n) => `word${n} `).join('');
    await script(({ text }) => ({ text: text.includes('second') ? 'And that.' : words, fragment: 6, chunkBytes: 200, pauseMs: 40 }));
    const [a, b] = [await worker(), await worker()];
    const id = await b.begin('first');
    const atA = a.follow(id);
    const said = (events: readonly Shown[]): string => events.flatMap(({ type, text }) => (type === 'text.delta' ? [text] : [])).join('');
    await expect.poll(() => said(atA.got).length).toBeGreaterThan(20);
    expect(ofType(atA.got, 'message.completed')).toBe(0);
    expect(words.startsWith(said(atA.got))).toBe(true);
    const until = seqs(atA.got).at(-1) ?? 0;
    atA.stop();
    const again = b.follow(id, until);
    await expect.poll(() => ofType(again.got, 'turn.completed')).toBe(1);
    expect(words.startsWith(said(again.got))).toBe(true);
    expect([...seqs(atA.got), ...seqs(again.got)]).toEqual(seqs(await a.log(id)));
    // A whole turn, seen from the other one.
    const whole = a.follow(id, seqs(again.got).at(-1) ?? 0);
    await b.ask('POST', `/api/sessions/${id}/messages`, { body: { text: 'second' } });
    await expect.poll(() => ofType(whole.got, 'turn.completed')).toBe(1);
    expect('And that.'.startsWith(said(whole.got))).toBe(true);
  });

  it('a hundred turns that one has left are gone on with once each by two that both want them', async () => {
    expect(await contest(place, url, 100)).toEqual({ asked: Array.from({ length: 100 }, () => 2), wrong: [] });
  });

  it('a turn waits for a database that is restarted, and goes on; requests say meanwhile what is wrong', async () => {
    const own = await startCluster({ fsync: true });
    onTestFinished(() => own.dispose());
    let answer = (): void => undefined;
    const provider = await script(() => new Promise<string>((resolve) => { answer = () => resolve('All is stored.'); }));
    const a = await worker(await own.database());
    const id = await a.begin('go');
    await expect.poll(() => provider.requests.length).toBe(1);
    const { got } = a.follow(id);
    await expect.poll(() => ofType(got, 'turn.started')).toBe(1);
    await own.stop('SIGKILL');
    answer();
    const refused = await a.ask('GET', '/api/sessions');
    expect(refused.status).toBe(503);
    expect(refused.json).toMatchObject({ code: 'store_unavailable', error: expect.stringContaining('127.0.0.1') });
    await sleep(1_000);
    await own.start();
    await soonDone(a, id);
    await expect.poll(() => ofType(got, 'turn.completed')).toBe(1);
    expect(seqs(got)).toEqual(seqs(await a.log(id)));
    expect((await a.log(id)).at(-1)).toMatchObject({ status: 'done', text: 'All is stored.' });
  });

  it('a program that closes its runtime while the database is away, with somebody who follows, goes on', async () => {
    const own = await startCluster({ fsync: true });
    onTestFinished(() => own.dispose());
    await script(() => 'Hello.');
    const program = path.join(place.root, 'program.mjs');
    fs.writeFileSync(program, `
      import { createRuntime } from ${JSON.stringify(pathToFileURL(path.resolve('dist/lib/index.js')).href)};
      const runtime = await createRuntime({ database: { url: ${JSON.stringify(await own.database())} } });
      const turn = await runtime.prompt({ text: 'go', cwd: ${JSON.stringify(place.project)} });
      for await (const _ of turn.events);
      const { session_id } = await turn.result;
      (async () => { for await (const { type } of runtime.sessions.follow(session_id)) console.log('follows', type); })().catch(() => undefined);
      process.stdin.once('data', async () => {
        await runtime.close().catch(() => undefined);
        setTimeout(() => { console.log('goes on'); process.exit(); }, 1500);
      });`);
    const child = spawn(process.execPath, [program], { env: place.env, stdio: ['pipe', 'pipe', 'inherit'] });
    onTestFinished(() => void child.kill('SIGKILL'));
    let said = '';
    child.stdout.on('data', (data: Buffer) => { said += data.toString(); });
    await expect.poll(() => said, { timeout: 20_000 }).toContain('follows turn.completed');
    await own.stop('SIGKILL');
    // It looks for what it may have missed every 5 s.
    await sleep(6_500);
    child.stdin.write('close\n');
    await expect.poll(() => said, { timeout: 20_000 }).toContain('goes on');
  });

  it('a turn of one is stopped through another', async () => {
    const provider = await script(() => HANG);
    const [a, b] = [await worker(), await worker()];
    const ids = [await a.begin('go'), await a.begin('go')];
    await expect.poll(() => provider.requests.length).toBe(2);
    expect((await b.ask('POST', `/api/sessions/${ids[0]}/cancel`)).json).toEqual({ cancelled: true });
    await expect.poll(() => b.status(String(ids[0]))).toBe('cancelled');
    expect(await b.status(String(ids[1]))).toBe('running');
    expect((await b.ask('POST', `/api/sessions/${ids[0]}/cancel`)).json).toEqual({ cancelled: false });
    // One that does not answer is not said to have stopped, and does not stop later.
    a.running.child.kill('SIGSTOP');
    expect((await b.ask('POST', `/api/sessions/${ids[1]}/cancel`)).json).toEqual({ cancelled: false });
    a.running.child.kill('SIGCONT');
    await sleep(500);
    expect(await b.status(String(ids[1]))).toBe('running');
    expect((await b.ask('POST', `/api/sessions/${ids[1]}/cancel`)).json).toEqual({ cancelled: true });
    await expect.poll(() => b.status(String(ids[1]))).toBe('cancelled');
  });

  it('a message for a turn of one is taken in by that turn through another, once; the next one begins a turn there', async () => {
    let answer = (): void => undefined;
    const texts: string[] = [];
    const provider = await script(({ text }) => {
      texts.push(text);
      if (texts.length === 1) return new Promise((resolve) => { answer = () => resolve({ text: 'I look.', calls: [{ name: 'Glob', input: { pattern: '*' } }] }); });
      return 'Both.';
    });
    const [a, b] = [await worker(), await worker()];
    const id = await a.begin('first');
    await expect.poll(() => provider.requests.length).toBe(1);
    const turnOf = async (key: string, text: string) => b.ask('POST', `/api/sessions/${id}/messages`, { body: { text }, headers: { 'idempotency-key': key } });
    const [one, again] = await Promise.all([turnOf('key-1', 'and this'), turnOf('key-1', 'and this')]);
    expect([one.status, again.status, one.json['turn_id']]).toEqual([202, 202, again.json['turn_id']]);
    expect((await b.ask('POST', `/api/sessions/${id}/messages`, { body: { text: 'alone', model: 'fake/m' } })).status).toBe(409);
    answer();
    await soonDone(b, id);
    expect(texts.at(-1)).toContain('and this');
    expect([ofType(await b.log(id), 'message.added'), ofType(await b.log(id), 'turn.started')]).toEqual([1, 1]);
    const next = await turnOf('key-2', 'one more');
    expect([next.status, next.json['turn_id'] === one.json['turn_id']]).toEqual([202, false]);
    await expect.poll(async () => ofType(await a.log(id), 'turn.completed')).toBe(2);
  });

  it('one whose database is migrated by a newer program ends, says so, and has written nothing since', async () => {
    const provider = await script(() => HANG);
    const a = await worker();
    const id = await a.begin('go');
    await expect.poll(() => provider.requests.length).toBe(1);
    const before = await a.log(id);
    const db = await openPostgres(url);
    onTestFinished(() => db.close());
    const later = { version: 900, name: 'later', sql: 'CREATE TABLE skillmint.later (x integer)' };
    expect(await migrateDatabase(db, [...POSTGRES_MIGRATIONS, later])).toMatchObject({ to: 900 });
    const { code } = await a.running.ended;
    expect([code, a.errors()]).toEqual([1, expect.stringMatching(/was migrated by a newer skillmint \(schema 900, .*update skillmint/)]);
    const { rows } = await db.query('SELECT event FROM skillmint.events WHERE session_id = $1', [id]);
    const { rows: [session] } = await db.query('SELECT status, owner_instance FROM skillmint.sessions WHERE session_id = $1', [id]);
    expect([rows.length, session]).toEqual([before.length, { status: 'running', owner_instance: null }]);
  });

  it('a client that leaves in the middle of its call ends nothing', async () => {
    let answer = (): void => undefined;
    const provider = await script(() => new Promise<string>((resolve) => { answer = () => resolve('Done without you.'); }));
    const [a, b] = [await worker(), await worker()];
    const id = await a.begin('go');
    const watching = b.follow(id);
    await expect.poll(() => provider.requests.length).toBe(1);
    watching.stop();
    answer();
    await soonDone(b, id);
  });

  it('starts on no database that is down or of a newer version, and says so in a line', async () => {
    await script(() => 'x');
    const down = await run(place, ['serve', '--port', '0', '--database', cluster.url('x', { port: 1, password: 'secret-word' })]);
    expect(down.code).toBe(1);
    expect(oneLineOf(down)).toMatch(/127\.0\.0\.1:1\/x: nothing answers there/);
    expect(down.stdout + down.stderr).not.toContain('secret-word');
    expect((await run(place, ['db', 'migrate', '--database', url])).code).toBe(0);
    const db = await openPostgres(url);
    await db.query("INSERT INTO skillmint.schema_migrations (version, name) VALUES (900, 'later')");
    await db.close();
    const newer = await run(place, ['serve', '--port', '0', '--database', url]);
    expect(newer.code).toBe(1);
    expect(oneLineOf(newer)).toMatch(/newer skillmint .*update skillmint/);
    const status: unknown = JSON.parse((await run(place, ['db', 'status', '--json', '--database', url])).stdout);
    expect(isObject(status) && status['schema']).toMatchObject({ state: 'newer', version: 900 });
  });

  it('status tells what is in the database and who works on it', async () => {
    await script(() => 'x');
    const [a, b] = [await worker(), await worker()];
    await soonDone(b, await a.begin('go'));
    const status = JSON.parse((await run(place, ['db', 'status', '--json', '--database', url])).stdout);
    expect(status).toMatchObject({ backend: 'postgres', schema: { state: 'current' }, content: { sessions: 1, tenants: 1, by_status: { done: 1 }, queue: { waiting: 0, active: 0 } } });
    expect(status.content.workers.map(({ pid }: { readonly pid: number }) => pid).toSorted()).toEqual([a.running.child.pid, b.running.child.pid].toSorted());
    const file = JSON.parse((await run(place, ['db', 'status', '--json'])).stdout);
    expect(file).toMatchObject({ backend: 'sqlite' });
  });
});
