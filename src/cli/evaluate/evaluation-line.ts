import type { EvaluationEvent } from '../../evaluate/runs/evaluation-event.ts';
import { never } from '../../util/never.ts';

/** How far an evaluation has come, in a line; undefined for what is no progress. */
export function evaluationLine(event: EvaluationEvent): string | undefined {
  switch (event.type) {
    case 'evaluation.started': return `evaluation ${event.id}: ${event.done} of ${event.runs} runs`;
    case 'run.completed': return `${event.done} of ${event.of} runs${event.cost_usd === undefined ? '' : `, $${event.cost_usd.toFixed(4)}`}`;
    case 'comparing': return `comparing results: ${event.done} of ${event.of}`;
    case 'run.started':
    case 'warning': return undefined;
    default: return never(event);
  }
}
