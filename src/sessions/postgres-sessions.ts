import { SkillmintError } from '../protocol/errors.ts';
import type { Queries } from '../store/postgres/postgres.ts';
import { postgresAppend } from './postgres-append.ts';
import { eventOf } from './postgres-events.ts';
import { leftSessions } from './left-sessions.ts';
import { LIVE, postgresLeases } from './postgres-leases.ts';
import type { PostgresLogParts } from './postgres-log.ts';
import { readUsage } from './postgres-usage.ts';
import { ownerOf } from './owner-row.ts';
import { noSession, rowSummary, type SessionRow } from './session-rows.ts';
import type { SessionQuery, SessionStore, SessionSummary } from './store.ts';
import { dependsOnWriter, wantedRows } from './wanted-sessions.ts';

const PAGE = 500;

/** The session log of one tenant in PostgreSQL, for any number of workers. Leases go by the database's clock. */
export function postgresSessions(parts: PostgresLogParts): SessionStore {
  const { db, tenant } = parts;
  const tails = new Map<string, number>();
  return {
    ...postgresLeases(parts, tails),
    append: postgresAppend(parts, tails),
    ...readOperations(parts),
    ...ruleOperations(parts),
    usage: (query) => readUsage(db, tenant, query),
    close: async () => undefined,
  };
}

function readOperations({ db, tenant, isAlive }: PostgresLogParts): Pick<SessionStore, 'read' | 'get' | 'list' | 'left' | 'remove'> {
  const summary = (row: SessionRow): SessionSummary => {
    const owner = ownerOf(row);
    return rowSummary(row, row['live'] === true && owner !== undefined && isAlive(owner));
  };
  return {
    async *read(sessionId, after = 0) {
      for (let from = after; ; ) {
        const { rows } = await db.query('SELECT seq, event FROM skillmint.events WHERE tenant = $1 AND session_id = $2 AND seq > $3 ORDER BY seq LIMIT $4', [tenant, sessionId, from, PAGE]);
        if (rows.length === 0 && from === after) await requireSession(db, tenant, sessionId);
        for (const row of rows) yield eventOf(sessionId, row);
        if (rows.length < PAGE) return;
        from = Number(rows.at(-1)?.['seq']);
      }
    },
    async get(sessionId) {
      const { rows: [row] } = await db.query(`SELECT *, ${LIVE} AS live FROM skillmint.sessions WHERE tenant = $1 AND session_id = $2`, [tenant, sessionId]);
      return row && summary(row);
    },
    async list(query: SessionQuery) {
      const { limit, offset = 0, status } = query;
      const { condition, values } = wantedRows(query, { value: (n) => `$${n}`, type: '::text', like: 'ILIKE' }, [['tenant', tenant]]);
      const ordered = `SELECT *, ${LIVE} AS live FROM skillmint.sessions ${condition} ORDER BY updated_at DESC, session_id DESC`;
      if (!dependsOnWriter(query)) return (await db.query(`${ordered} LIMIT $${values.length + 1} OFFSET $${values.length + 2}`, [...values, limit, offset])).rows.map(summary);
      return (await db.query(ordered, values)).rows.map(summary).filter((session) => session.status === status).slice(offset, offset + limit);
    },
    left: async () => (await leftSessions(db, isAlive, tenant)).map(({ sessionId }) => sessionId),
    remove: (sessionIds) => db.transaction(async (queries) => {
      const { rows } = await queries.query(`SELECT *, ${LIVE} AS live FROM skillmint.sessions WHERE tenant = $1 AND session_id = ANY($2) ORDER BY session_id FOR UPDATE`, [tenant, sessionIds]);
      for (const sessionId of sessionIds) {
        const row = rows.find((one) => one['session_id'] === sessionId);
        if (!row) throw noSession(sessionId);
        const owner = row['live'] === true ? ownerOf(row) : undefined;
        if (owner && isAlive(owner)) throw new SkillmintError('session_busy', `Session ${sessionId} is in use by process ${owner.pid}. Stop it before you remove the session.`);
      }
      for (const table of ['events', 'deltas', 'sessions']) await queries.query(`DELETE FROM skillmint.${table} WHERE tenant = $1 AND session_id = ANY($2)`, [tenant, sessionIds]);
    }),
  };
}

function ruleOperations({ db, tenant }: PostgresLogParts): Pick<SessionStore, 'rules' | 'addRules'> {
  return {
    async rules(cwd) {
      const { rows } = await db.query('SELECT rule FROM skillmint.permission_rules WHERE tenant = $1 AND cwd = $2 ORDER BY rule', [tenant, cwd]);
      return rows.map((row) => String(row['rule']));
    },
    async addRules(cwd, rules) {
      await db.query('INSERT INTO skillmint.permission_rules (tenant, cwd, rule) SELECT $1, $2, unnest($3::text[]) ON CONFLICT DO NOTHING', [tenant, cwd, rules]);
    },
  };
}

async function requireSession(db: Queries, tenant: string, sessionId: string): Promise<void> {
  const { count } = await db.query('SELECT FROM skillmint.sessions WHERE tenant = $1 AND session_id = $2', [tenant, sessionId]);
  if (count === 0) throw noSession(sessionId);
}
