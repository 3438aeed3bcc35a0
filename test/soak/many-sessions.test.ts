import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import type { StoredBody } from '../../src/protocol/events.ts';
import { SESSION_MIGRATIONS } from '../../src/sessions/migrations.ts';
import { sqliteSessions } from '../../src/sessions/sqlite-sessions.ts';
import { openSqlite } from '../../src/store/sqlite.ts';
import { FREE, makePlace, run, withProvider } from '../e2e/program.ts';

const SESSIONS = 5_000;
const EVENTS = 200;
const OWNER = { instance: 'soak', machine: 'soak', pid: 1, started: 'soak' };

it('5,000 sessions of 200 events are listed at once, and the program starts and runs as ever (C-O5)', async () => {
  const place = makePlace();
  await withProvider(place, { steps: ['Still here.'] });
  const db = openSqlite(path.join(place.data, 'skillmint.db'), SESSION_MIGRATIONS);
  const store = sqliteSessions(db, { now: Date.now, isAlive: () => true });
  const began = Date.now() - SESSIONS * 1_000;
  const text = 'A reply of usual length, about the files of a project and what was found in them. '.repeat(4);
  const bodies = (n: number): readonly StoredBody[] => [
    { type: 'turn.started', turn_id: `t${n}`, input: [{ type: 'text', text: `Question ${n}` }] },
    ...Array.from({ length: EVENTS - 2 }, (): StoredBody => ({ type: 'message.completed', role: 'assistant', content: [{ type: 'text', text }] })),
    { type: 'turn.completed', turn_id: `t${n}`, status: 'done', usage: { input: 1, output: 1, cache_read: 0, cache_write: 0, reasoning: 0 }, text },
  ];
  for (let n = 0; n < SESSIONS; n += 1) {
    const lease = await store.create({ session_id: `ses_${n}`, cwd: n % 50 === 0 ? place.project : `/elsewhere/${n % 40}`, model: 'fake/m' }, OWNER);
    await store.append(lease, bodies(n).map((body) => ({ body, time: new Date(began + n * 1_000).toISOString() })));
    await store.release(lease);
  }
  const listing: number[] = [];
  for (let round = 0; round < 100; round += 1) {
    const began = performance.now();
    const sessions = await store.list(round % 2 === 0 ? { limit: 50, offset: round * 40 } : { limit: 50, offset: round, cwd: '/elsewhere/7' });
    listing.push(performance.now() - began);
    expect(sessions.length).toBeGreaterThan(0);
  }
  await store.close();
  expect(listing.toSorted((a, b) => a - b)[Math.floor(listing.length * 0.95)]).toBeLessThan(200);

  const memory = path.join(place.root, 'memory');
  const watch = path.join(place.root, 'watch.mjs');
  fs.writeFileSync(watch, `import fs from 'node:fs'; process.on('exit', () => fs.writeFileSync(${JSON.stringify(memory)}, String(process.resourceUsage().maxRSS)));`);
  for (const args of [['sessions', 'list'], ['sessions', 'list', '--all', '--json'], ['run', 'hello', ...FREE], ['doctor']]) {
    const began = performance.now();
    const ended = await run(place, args, { env: { NODE_OPTIONS: `--import=${watch}` } });
    expect([args.join(' '), ended.stderr, ended.code === 0 || args[0] === 'doctor']).toEqual([args.join(' '), expect.any(String), true]);
    expect([args.join(' '), performance.now() - began < 3_000]).toEqual([args.join(' '), true]);
    // KiB.
    expect([args.join(' '), Number(fs.readFileSync(memory, 'utf8')) < 400 * 1024]).toEqual([args.join(' '), true]);
  }
});
