import { SkillmintError } from '../../../protocol/errors.ts';
import { LIVE } from '../../../sessions/postgres-leases.ts';
import type { Row } from '../../../store/database.ts';
import type { PgValue, Postgres, Queries } from '../../../store/postgres/postgres.ts';
import { FINGERPRINT, readHomeSession, type HomeSession, type HomeSessions } from './home-sessions.ts';

const IDS_AT_ONCE = 200;
const EVENTS_AT_ONCE = 2_000;

/** How the sessions of a home stand to those of a tenant. */
export interface ComparedSessions {
  /** In the home alone. */
  readonly missing: readonly string[];
  /** In both, with other events. */
  readonly different: readonly string[];
  readonly same: number;
  /** In the database alone. */
  readonly others: number;
}

/** Compares them by their events. @throws SkillmintError store_corrupt */
export async function compareSessions(db: Queries, tenant: string, { db: home, ids }: HomeSessions): Promise<ComparedSessions> {
  const [missing, different]: [string[], string[]] = [[], []];
  for (let from = 0; from < ids.length; from += IDS_AT_ONCE) {
    const batch = ids.slice(from, from + IDS_AT_ONCE);
    const { rows } = await db.query(`SELECT session_id, ${FINGERPRINT} AS fingerprint FROM skillmint.sessions LEFT JOIN skillmint.events USING (tenant, session_id) WHERE tenant = $1 AND session_id = ANY($2) GROUP BY session_id`, [tenant, batch]);
    const there = new Map(rows.map((row) => [String(row['session_id']), row['fingerprint']]));
    for (const id of batch) {
      if (!there.has(id)) missing.push(id);
      else if (there.get(id) !== readHomeSession(home, id).fingerprint) different.push(id);
    }
  }
  const { rows: [row] } = await db.query('SELECT count(*) AS n FROM skillmint.sessions WHERE tenant = $1', [tenant]);
  const same = ids.length - missing.length - different.length;
  return { missing, different, same, others: Number(row?.['n']) - same - different.length };
}

/** Copies sessions, each in one transaction, so that what was killed goes on where it was. @throws SkillmintError session_busy for one that a worker has taken */
export async function copySessions(db: Postgres, tenant: string, home: HomeSessions, { ids, onCopied }: { readonly ids: readonly string[]; readonly onCopied: (count: number) => void }): Promise<void> {
  for (const [index, id] of ids.entries()) {
    const session = readHomeSession(home.db, id);
    await db.transaction((queries) => putSession(queries, tenant, id, session));
    onCopied(index + 1);
  }
}

async function putSession(db: Queries, tenant: string, id: string, { row, events }: HomeSession): Promise<void> {
  const { rows: [busy] } = await db.query(`SELECT ${LIVE} AS live FROM skillmint.sessions WHERE tenant = $1 AND session_id = $2 FOR UPDATE`, [tenant, id]);
  if (busy?.['live'] === true) throw new SkillmintError('session_busy', `Session ${id} is in use by a worker of the database. Stop the workers, then import again: what is done stays.`);
  await db.query('DELETE FROM skillmint.events WHERE tenant = $1 AND session_id = $2', [tenant, id]);
  await db.query('DELETE FROM skillmint.sessions WHERE tenant = $1 AND session_id = $2', [tenant, id]);
  await db.query(
    `INSERT INTO skillmint.sessions (tenant, session_id, title, cwd, model, status, parent_id, task_id, created_at, updated_at, last_seq, turn_seq, epoch, service)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`,
    [tenant, id, ...['title', 'cwd', 'model', 'status', 'parent_id', 'task_id', 'created_at', 'updated_at'].map((column) => textOrNull(row, column)), events.length, Number(row['turn_seq']), Number(row['epoch']), Number(row['service']) === 1]);
  for (let from = 0; from < events.length; from += EVENTS_AT_ONCE) {
    await db.query('INSERT INTO skillmint.events (tenant, session_id, seq, event) SELECT $1, $2, $3 + nth, event FROM unnest($4::text[]) WITH ORDINALITY AS given (event, nth)', [tenant, id, from, events.slice(from, from + EVENTS_AT_ONCE)]);
  }
}

function textOrNull(row: Row, column: string): PgValue {
  const value = row[column];
  return value === null || value === undefined ? null : String(value);
}

/** Copies what turns took and which rules were allowed for good; rows that are there already stay. Resolves to how many came. */
export async function copyRest(db: Postgres, tenant: string, { db: home }: HomeSessions): Promise<{ readonly usage: number; readonly rules: number }> {
  const rules = home.all('SELECT cwd, rule FROM permission_rules ORDER BY cwd, rule');
  const { count } = await db.query('INSERT INTO skillmint.permission_rules (tenant, cwd, rule) SELECT $1, * FROM unnest($2::text[], $3::text[]) ON CONFLICT DO NOTHING', [tenant, rules.map((row) => String(row['cwd'])), rules.map((row) => String(row['rule']))]);
  let usage = 0;
  const turns = home.all('SELECT * FROM turn_usage ORDER BY session_id, turn_id, model');
  for (let from = 0; from < turns.length; from += EVENTS_AT_ONCE) {
    const rows = turns.slice(from, from + EVENTS_AT_ONCE).map((row) => ({ ...row, skills: JSON.parse(String(row['skills'])) }));
    const columns = 'session_id, turn_id, model, day, skills, steps, input, output, cache_read, cache_write, cost_usd, model_ms, tool_ms';
    usage += (await db.query(
      `INSERT INTO skillmint.turn_usage (tenant, ${columns}) SELECT $1, ${columns}
       FROM json_to_recordset($2::json) AS given (session_id text, turn_id text, model text, day text, skills text[], steps integer, input bigint, output bigint, cache_read bigint, cache_write bigint, cost_usd double precision, model_ms bigint, tool_ms bigint)
       ON CONFLICT DO NOTHING`, [tenant, JSON.stringify(rows)])).count;
  }
  return { rules: count, usage };
}
