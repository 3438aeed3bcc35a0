import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { SESSION_MIGRATIONS } from '../../src/sessions/migrations.ts';
import { sqliteSessions } from '../../src/sessions/sqlite-sessions.ts';
import { openSqlite } from '../../src/store/sqlite.ts';
import { describeSessionStore } from './session-store-contract.ts';

describeSessionStore('SQLite', async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'skillmint-sessions-'));
  return {
    open: async (options) => sqliteSessions(openSqlite(path.join(folder, 'data', 'skillmint.db'), SESSION_MIGRATIONS), options),
    dispose: async () => fs.rmSync(folder, { recursive: true, force: true }),
  };
});

it('a file of an earlier program tells sessions of sub-agents from forks, whatever stands in its events', async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'skillmint-sessions-'));
  onTestFinished(() => fs.rmSync(folder, { recursive: true, force: true }));
  const file = path.join(folder, 'skillmint.db');
  const before = openSqlite(file, SESSION_MIGRATIONS.filter(({ version }) => version < 3));
  const begun = (parent: object | undefined): string => JSON.stringify({ type: 'session.started', ...(parent ? { parent } : {}) });
  const rows: readonly (readonly [string, string | null, string])[] = [['main', null, begun(undefined)], ['agent', 'main', begun({ session_id: 'main', task_id: 'task_1' })], ['fork', 'agent', begun({ session_id: 'main', task_id: 'task_1' })], ['broken', 'main', '{"type":']];
  for (const [id, parent, event] of rows) {
    before.run("INSERT INTO sessions (session_id, cwd, model, parent_id, created_at, updated_at) VALUES (?, '/work', 'm', ?, '', '')", [id, parent]);
    before.run('INSERT INTO events (session_id, seq, event) VALUES (?, 1, ?)', [id, event]);
  }
  before.close();
  const store = sqliteSessions(openSqlite(file, SESSION_MIGRATIONS), { now: () => 0, isAlive: () => false });
  expect((await store.list({ limit: 9 })).map(({ session_id }) => session_id).toSorted()).toEqual(['broken', 'fork', 'main']);
  expect(await store.get('agent')).toMatchObject({ task_id: 'task_1', parent_id: 'main' });
  await store.close();
});
