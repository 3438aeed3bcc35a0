import type { StoredEvent } from '../protocol/events.ts';
import { addUsage, NO_USAGE, type Usage } from '../protocol/usage.ts';

/** What one model did in one turn. Sub-agents have turns of their own. */
export interface ModelUse {
  readonly model: string;
  readonly steps: number;
  readonly usage: Usage;
  readonly cost_usd: number;
  /** Waiting for its replies, ms. */
  readonly model_ms: number;
}

/** What a turn took. */
export interface TurnUse {
  readonly models: readonly ModelUse[];
  /** Running tools, ms; of calls side by side the sum. */
  readonly tool_ms: number;
  /** Ids of the skills that were loaded in it. */
  readonly skills: readonly string[];
}

/** Sums up a turn from its events, in order; `usual` is the model of the session. */
export function turnUse(events: readonly StoredEvent[], usual: string): TurnUse {
  const models = new Map<string, ModelUse>();
  const skills = new Set<string>();
  let toolMs = 0;
  for (const [index, event] of events.entries()) {
    if (event.is_sub_agent) continue;
    if (event.type === 'skill.activated') skills.add(event.skill_id);
    if (event.type === 'tool.completed') toolMs += event.duration_ms ?? 0;
    if (event.type === 'message.completed') {
      const model = event.model ?? usual;
      const waited = Math.max(0, Date.parse(event.time) - Date.parse(events[index - 1]?.time ?? event.time));
      models.set(model, add(models.get(model), { model, steps: 1, usage: event.usage ?? NO_USAGE, cost_usd: event.cost_usd ?? 0, model_ms: waited }));
    }
  }
  return { models: [...models.values()], tool_ms: Math.round(toolMs), skills: [...skills] };
}

function add(before: ModelUse | undefined, more: ModelUse): ModelUse {
  if (!before) return more;
  return {
    model: more.model,
    steps: before.steps + more.steps,
    usage: addUsage(before.usage, more.usage),
    cost_usd: before.cost_usd + more.cost_usd,
    model_ms: before.model_ms + more.model_ms,
  };
}
