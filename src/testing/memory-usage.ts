import type { StoredEvent } from '../protocol/events.ts';
import type { UsageSum } from '../protocol/usage.ts';
import type { UsageQuery, UsageReport } from '../sessions/store.ts';
import { turnUse, type TurnUse } from '../sessions/turn-usage.ts';

const LAST_DAY = '9999-12-31';

/** What turns took. */
export interface MemoryUsage {
  /** Notes a turn by its events, the last of which ends it; one that goes on after an answer is noted anew. */
  note(events: readonly StoredEvent[], model: string): void;
  report(query: UsageQuery): UsageReport;
}

interface NotedTurn extends TurnUse {
  readonly day: string;
}

/** Makes an empty one. */
export function memoryUsage(): MemoryUsage {
  const turns = new Map<string, NotedTurn>();
  return {
    note(events, model) {
      const last = events.at(-1);
      if (last?.type === 'turn.completed') turns.set(`${last.session_id}/${last.turn_id}`, { ...turnUse(events, model), day: last.time.slice(0, 10) });
    },
    report({ from = '', to = LAST_DAY }) {
      const wanted = [...turns.values()].filter(({ day }) => day >= from && day <= to);
      return {
        days: summed(wanted.map((turn) => ({ ...whole(turn), name: '' }))),
        models: summed(wanted.flatMap((turn) => turn.models.map((one, index) => ({ ...sumOf(turn.day, [one]), name: one.model, tool_ms: index === 0 ? turn.tool_ms : 0 })))),
        skills: summed(wanted.flatMap((turn) => turn.skills.map((name) => ({ ...whole(turn), name })))),
      };
    },
  };
}

function whole(turn: NotedTurn): UsageSum {
  return { ...sumOf(turn.day, turn.models), tool_ms: turn.tool_ms };
}

function sumOf(day: string, models: TurnUse['models']): UsageSum {
  const of = (number: (one: TurnUse['models'][number]) => number): number => models.reduce((sum, one) => sum + number(one), 0);
  return { day, name: '', turns: 1, steps: of(({ steps }) => steps), input: of(({ usage }) => usage.input), output: of(({ usage }) => usage.output), cache_read: of(({ usage }) => usage.cache_read), cache_write: of(({ usage }) => usage.cache_write), cost_usd: of(({ cost_usd }) => cost_usd), model_ms: Math.round(of(({ model_ms }) => model_ms)), tool_ms: 0 };
}

/** One sum for each day and name, in their order. */
function summed(turns: readonly UsageSum[]): readonly UsageSum[] {
  const sums = new Map<string, UsageSum>();
  for (const turn of turns) {
    const key = `${turn.day} ${turn.name}`;
    const before = sums.get(key);
    sums.set(key, before ? add(before, turn) : turn);
  }
  return [...sums].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, sum]) => sum);
}

function add(a: UsageSum, b: UsageSum): UsageSum {
  return { day: a.day, name: a.name, turns: a.turns + b.turns, steps: a.steps + b.steps, input: a.input + b.input, output: a.output + b.output, cache_read: a.cache_read + b.cache_read, cache_write: a.cache_write + b.cache_write, cost_usd: a.cost_usd + b.cost_usd, model_ms: a.model_ms + b.model_ms, tool_ms: a.tool_ms + b.tool_ms };
}
