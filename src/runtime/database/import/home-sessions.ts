import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { mayBeAlive } from '../../../host/process-identity.ts';
import { SkillmintError } from '../../../protocol/errors.ts';
import type { StoredEvent } from '../../../protocol/events.ts';
import { isObject, parseJson } from '../../../protocol/json.ts';
import { SESSION_MIGRATIONS } from '../../../sessions/migrations.ts';
import { liveOwner } from '../../../sessions/owner-row.ts';
import { textOfEvent } from '../../../sessions/postgres-events.ts';
import type { Database, Row } from '../../../store/database.ts';
import { openSqlite } from '../../../store/sqlite.ts';

/** The sessions of a home. */
export interface HomeSessions {
  readonly db: Database;
  /** Oldest first. */
  readonly ids: readonly string[];
}

/** Opens the file of a home; undefined where it has none. @throws SkillmintError session_busy while a program works with it, store_unavailable, store_corrupt */
export function openHome(home: string): HomeSessions | undefined {
  const file = path.join(home, 'skillmint.db');
  if (!fs.existsSync(file)) return undefined;
  const db = openSqlite(file, SESSION_MIGRATIONS);
  const busy = db.all('SELECT * FROM sessions WHERE owner_pid IS NOT NULL').find((row) => liveOwner({ now: Date.now, isAlive: mayBeAlive }, row));
  if (busy) {
    db.close();
    throw new SkillmintError('session_busy', `Session ${String(busy['session_id'])} of ${home} is in use by process ${String(busy['owner_pid'])}. End the programs that work with this folder, then import it.`);
  }
  return { db, ids: db.all('SELECT session_id FROM sessions ORDER BY created_at, session_id').map((row) => String(row['session_id'])) };
}

/** A session as PostgreSQL keeps it. */
export interface HomeSession {
  readonly row: Row;
  /** Texts of the events, from number 1 on. */
  readonly events: readonly string[];
  /** Of the events; see `FINGERPRINT`. */
  readonly fingerprint: string;
}

/** What tells in SQL whether the events of a session are the same. */
export const FINGERPRINT = "md5(coalesce(string_agg(event, E'\\n' ORDER BY seq), ''))";

/** Reads a session. @throws SkillmintError store_corrupt where an event is missing or cannot be read */
export function readHomeSession(db: Database, id: string): HomeSession {
  const row = db.get('SELECT * FROM sessions WHERE session_id = ?', [id]);
  if (!row) throw new SkillmintError('session_not_found', `Session ${id} was removed from ${db.file} while it was imported.`);
  const events = db.all('SELECT seq, event FROM events WHERE session_id = ? ORDER BY seq', [id]).map((stored, index) => {
    const event = parseJson(String(stored['event']));
    if (!isStored(event) || stored['seq'] !== index + 1) throw new SkillmintError('store_corrupt', `Event ${index + 1} of session ${id} in ${db.file} cannot be read. Restore the file from a backup, or remove the session: skillmint sessions remove ${id}`);
    return textOfEvent(event);
  });
  return { row, events, fingerprint: createHash('md5').update(events.join('\n')).digest('hex') };
}

/** The rest of the fields is whatever was stored, by whatever version. */
function isStored(value: unknown): value is StoredEvent {
  return isObject(value) && typeof value['type'] === 'string' && typeof value['time'] === 'string';
}
