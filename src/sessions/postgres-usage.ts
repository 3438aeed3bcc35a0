import type { StoredEvent } from '../protocol/events.ts';
import type { PgRow, Queries } from '../store/postgres/postgres.ts';
import { eventOf } from './postgres-events.ts';
import type { UsageQuery, UsageReport } from './store.ts';
import { turnUse } from './turn-usage.ts';

const LAST_DAY = '9999-12-31';

/** Notes what a turn took, with its end; one that goes on after an answer is noted anew. */
export async function noteUsage(db: Queries, tenant: string, last: Extract<StoredEvent, { type: 'turn.completed' }>): Promise<void> {
  const { rows } = await db.query('SELECT seq, event, model FROM skillmint.events JOIN skillmint.sessions USING (tenant, session_id) WHERE tenant = $1 AND session_id = $2 AND seq >= turn_seq AND seq < $3 ORDER BY seq', [tenant, last.session_id, last.seq]);
  const events = rows.map((row) => eventOf(last.session_id, row));
  const { models, tool_ms, skills } = turnUse(events, rows[0] ? String(rows[0]['model']) : '');
  await db.query('DELETE FROM skillmint.turn_usage WHERE tenant = $1 AND session_id = $2 AND turn_id = $3', [tenant, last.session_id, last.turn_id]);
  for (const [index, one] of models.entries()) {
    const { input, output, cache_read, cache_write } = one.usage;
    await db.query('INSERT INTO skillmint.turn_usage (tenant, session_id, turn_id, model, day, skills, steps, input, output, cache_read, cache_write, cost_usd, model_ms, tool_ms) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)', [tenant, last.session_id, last.turn_id, one.model, last.time.slice(0, 10), skills, one.steps, input, output, cache_read, cache_write, one.cost_usd, Math.round(one.model_ms), index === 0 ? tool_ms : 0]);
  }
}

/** Sums of what was noted, by day, by day and model, and by day and skill. */
export async function readUsage(db: Queries, tenant: string, { from = '', to = LAST_DAY }: UsageQuery): Promise<UsageReport> {
  const sums = 'count(DISTINCT turn_id) AS turns, sum(steps) AS steps, sum(input) AS input, sum(output) AS output, sum(cache_read) AS cache_read, sum(cache_write) AS cache_write, sum(cost_usd) AS cost_usd, sum(model_ms) AS model_ms, sum(tool_ms) AS tool_ms';
  const wanted = 'WHERE tenant = $1 AND day >= $2 AND day <= $3';
  const read = async (name: string, tables: string): Promise<UsageReport['models']> => {
    const { rows } = await db.query(`SELECT day, ${name} AS name, ${sums} FROM ${tables} ${wanted} GROUP BY 1, 2 ORDER BY 1, 2`, [tenant, from, to]);
    return rows.map(sumOf);
  };
  return {
    days: await read("''", 'skillmint.turn_usage'),
    models: await read('model', 'skillmint.turn_usage'),
    skills: await read('skill', 'skillmint.turn_usage, unnest(skills) AS skill'),
  };
}

function sumOf(row: PgRow): UsageReport['models'][number] {
  const of = (column: string): number => Number(row[column]);
  return { day: String(row['day']), name: String(row['name']), turns: of('turns'), steps: of('steps'), input: of('input'), output: of('output'), cache_read: of('cache_read'), cache_write: of('cache_write'), cost_usd: of('cost_usd'), model_ms: of('model_ms'), tool_ms: of('tool_ms') };
}
