import type { RunRecord } from './record.ts';

/** What happens while an evaluation works. */
export type EvaluationEvent =
  | { readonly type: 'evaluation.started'; readonly id: string; readonly runs: number; readonly done: number; readonly folder: string }
  | { readonly type: 'run.started'; readonly run: string }
  | { readonly type: 'run.completed'; readonly record: RunRecord; readonly done: number; readonly of: number; readonly cost_usd?: number }
  | { readonly type: 'comparing'; readonly done: number; readonly of: number }
  | { readonly type: 'warning'; readonly message: string };
