import type { StoredEvent } from '../protocol/events.ts';
import type { Database, Row } from '../store/database.ts';
import type { UsageQuery, UsageReport } from './store.ts';
import { turnUse } from './turn-usage.ts';

const LAST_DAY = '9999-12-31';

/** A turn that has just ended. */
interface EndedTurn {
  readonly last: Extract<StoredEvent, { type: 'turn.completed' }>;
  /** Number of its `turn.started`. */
  readonly fromSeq: number;
  /** Of the session. */
  readonly model: string;
}

/** Notes what a turn took, with its end; one that goes on after an answer is noted anew. */
export function noteUsage(db: Database, { last, fromSeq, model }: EndedTurn): void {
  const rows = db.all('SELECT event FROM events WHERE session_id = ? AND seq >= ? AND seq < ? ORDER BY seq', [last.session_id, fromSeq, last.seq]);
  const events = rows.map((row): StoredEvent => JSON.parse(String(row['event'])));
  const { models, tool_ms, skills } = turnUse(events, model);
  db.run('DELETE FROM turn_usage WHERE session_id = ? AND turn_id = ?', [last.session_id, last.turn_id]);
  for (const [index, one] of models.entries()) {
    const { input, output, cache_read, cache_write } = one.usage;
    db.run('INSERT INTO turn_usage (session_id, turn_id, model, day, skills, steps, input, output, cache_read, cache_write, cost_usd, model_ms, tool_ms) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)', [last.session_id, last.turn_id, one.model, last.time.slice(0, 10), JSON.stringify(skills), one.steps, input, output, cache_read, cache_write, one.cost_usd, Math.round(one.model_ms), index === 0 ? tool_ms : 0]);
  }
}

/** Sums of what was noted, by day, by day and model, and by day and skill. */
export function readUsage(db: Database, { from = '', to = LAST_DAY }: UsageQuery): UsageReport {
  const sums = 'COUNT(DISTINCT turn_id) AS turns, SUM(steps) AS steps, SUM(input) AS input, SUM(output) AS output, SUM(cache_read) AS cache_read, SUM(cache_write) AS cache_write, SUM(cost_usd) AS cost_usd, SUM(model_ms) AS model_ms, SUM(tool_ms) AS tool_ms';
  const days = db.all(`SELECT day, '' AS name, ${sums} FROM turn_usage WHERE day >= ? AND day <= ? GROUP BY day ORDER BY day`, [from, to]);
  const models = db.all(`SELECT day, model AS name, ${sums} FROM turn_usage WHERE day >= ? AND day <= ? GROUP BY day, model ORDER BY day, model`, [from, to]);
  const skills = db.all(`SELECT day, each.value AS name, ${sums} FROM turn_usage, json_each(turn_usage.skills) AS each WHERE day >= ? AND day <= ? GROUP BY day, each.value ORDER BY day, each.value`, [from, to]);
  return { days: days.map(sumOf), models: models.map(sumOf), skills: skills.map(sumOf) };
}

function sumOf(row: Row): UsageReport['models'][number] {
  const of = (column: string): number => Number(row[column]);
  return { day: String(row['day']), name: String(row['name']), turns: of('turns'), steps: of('steps'), input: of('input'), output: of('output'), cache_read: of('cache_read'), cache_write: of('cache_write'), cost_usd: of('cost_usd'), model_ms: of('model_ms'), tool_ms: of('tool_ms') };
}
