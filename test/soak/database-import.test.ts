import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ONE_PERSON } from '../../src/runtime/database/backend.ts';
import { SESSION_MIGRATIONS } from '../../src/sessions/migrations.ts';
import { postgresSessions } from '../../src/sessions/postgres-sessions.ts';
import { sqliteSessions } from '../../src/sessions/sqlite-sessions.ts';
import type { SessionStore } from '../../src/sessions/store.ts';
import { openPostgres } from '../../src/store/postgres/postgres.ts';
import { openSqlite } from '../../src/store/sqlite.ts';
import { startCluster, withoutPostgres } from '../helpers/postgres.ts';
import { generateHome } from '../e2e/generated-home.ts';
import { makePlace, run } from '../e2e/program.ts';

describe.skipIf(withoutPostgres)('skillmint db import of a large home', () => {
  it('moves 1,000 sessions and 500 skills, each export as before', async () => {
    const place = makePlace();
    const ids = await generateHome(place.data, { sessions: 1_000, turns: 15, skills: 500 });
    const cluster = await startCluster({ fsync: true });
    onTestFinished(() => cluster.dispose());
    const url = await cluster.database();
    const times: number[] = [];
    for (const expected of [{ sessions: { imported: 1_000, same: 0 }, files: { imported: 1_502, same: 0 } }, { sessions: { imported: 0, same: 1_000 }, files: { imported: 0, same: 1_502 } }]) {
      const began = performance.now();
      const { code, stdout, stderr } = await run(place, ['db', 'import', '--database', url, '--json']);
      times.push(performance.now() - began);
      expect(code, stderr).toBe(0);
      expect(JSON.parse(stdout).homes).toMatchObject([expected]);
    }
    process.stdout.write(`import of 1,000 sessions with 90,000 events and 500 skills: ${times.map((ms) => `${Math.round(ms)} ms`).join(', again: ')}\n`);
    const file = sqliteSessions(openSqlite(path.join(place.data, 'skillmint.db'), SESSION_MIGRATIONS), { now: Date.now, isAlive: () => false });
    const db = await openPostgres(url);
    const shared = postgresSessions({ db, tenant: ONE_PERSON, isAlive: () => false, sleep: async () => undefined });
    for (const id of ids) expect(await exported(shared, id)).toBe(await exported(file, id));
    expect(await shared.usage({})).toEqual(await file.usage({}));
    const began = performance.now();
    const other = makePlace();
    const listed = await run(other, ['skills', 'list', '--json'], { env: { SKILLMINT_DATABASE: url } });
    process.stdout.write(`an empty folder is filled with 500 skills, and they are listed: ${Math.round(performance.now() - began)} ms\n`);
    expect(JSON.parse(listed.stdout).skills.filter(({ id }: { readonly id: string }) => /^user:skill-\d/.test(id))).toHaveLength(500);
    await file.close();
    await db.close();
  });
});

async function exported(store: SessionStore, id: string): Promise<string> {
  const lines: string[] = [];
  for await (const event of store.read(id)) lines.push(JSON.stringify(event));
  return lines.join('\n');
}
