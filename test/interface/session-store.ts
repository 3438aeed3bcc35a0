import path from 'node:path';
import type { StoredBody } from '../../src/protocol/events.ts';
import { SESSION_MIGRATIONS } from '../../src/sessions/migrations.ts';
import { sqliteSessions } from '../../src/sessions/sqlite-sessions.ts';
import type { SessionStore } from '../../src/sessions/store.ts';
import { openSqlite } from '../../src/store/sqlite.ts';
import type { Place } from '../e2e/program.ts';

/** The log of all sessions of a place. */
export function sessionStore(place: Pick<Place, 'data'>): SessionStore {
  return sqliteSessions(openSqlite(path.join(place.data, 'skillmint.db'), SESSION_MIGRATIONS), { now: () => Date.now(), isAlive: () => false });
}

/** Writes a session into the log, as if it had happened. */
export async function writeSession(place: Pick<Place, 'data' | 'project'>, id: string, bodies: readonly StoredBody[]): Promise<void> {
  const store = sessionStore(place);
  const time = new Date().toISOString();
  try {
    const lease = await store.create({ session_id: id, cwd: place.project, model: 'fake/m' }, { instance: 'test', machine: 'test', pid: 1, started: 'test' });
    const start: StoredBody = { type: 'session.started', cwd: place.project, model: 'fake/m', permission_mode: 'default', tools: [], skills_total: 0, sandbox: 'not isolated', environment: { platform: 'linux', date: '2026-01-01' } };
    await store.append(lease, [start, ...bodies].map((body) => ({ body, time })));
    await store.release(lease);
  } finally {
    await store.close();
  }
}
