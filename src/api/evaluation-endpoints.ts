import type { JsonObject } from '../protocol/json.ts';
import { endpoint, NONE } from './endpoint.ts';
import { flag, list, number, object, oneOf, optional, shaped, text, whole } from './schema.ts';

const CWD = optional(text({ max: 4_096, description: 'Folder whose skills and settings are meant; the first of serve.roots when left out.' }));
const BUDGET = optional(number('USD for runs and judge together; it ends then, and can be gone on with.'));
const MOST_RUNS = optional(whole({ min: 1, max: 100_000, description: 'It ends after so many runs, and can be gone on with.' }));
const BEGUN = object({ id: text({ description: 'Of the evaluation.' }) });
const LEARNING = object({ id: text({ description: 'Of the enhancement.' }) });

/** An evaluation of a skill and how far it is. */
export interface ApiEvaluation {
  readonly id: string;
  /** Name of the skill. */
  readonly skill: string;
  /** ISO 8601, UTC. */
  readonly time: string;
  /** `PROVIDER/MODEL`. */
  readonly model: string;
  /** `running`: this server works on it; `unfinished`: it can be gone on with, unless another process works on it. */
  readonly status: 'running' | 'finished' | 'unfinished';
  /** Runs that were measured. */
  readonly done: number;
  readonly planned: number;
  /** USD so far, as far as prices are known. */
  readonly cost_usd: number;
}

/** The same with what was found. */
export interface ApiEvaluationReport extends ApiEvaluation {
  /** What has ended it before its end, where that was no limit. */
  readonly fault?: string;
  /** As `skills evaluate --json` prints it; left out while it runs. */
  readonly report?: JsonObject;
}

/** What was learned from a conversation. */
export interface ApiEnhancement {
  readonly id: string;
  /** `running`: this server works on it; `stopped` and `unfinished`: it can be gone on with, unless another process works on it. */
  readonly status: 'running' | 'done' | 'stopped' | 'unfinished';
  /** Why it ended before its end. */
  readonly stopped?: string;
  readonly decision?: 'create' | 'enhance' | 'nothing';
  readonly reason?: string;
  readonly quotes?: readonly { readonly seq: number; readonly text: string }[];
  /** With `create`: what the skill is to do; `createSkill` takes it as its prompt. */
  readonly request?: string;
  readonly skill?: { readonly id: string; readonly name: string };
  /** Edits that were tried, `best` is the round of the one that was judged. */
  readonly tried: readonly { readonly round: number; readonly summary: string; readonly patch: string }[];
  readonly best?: number;
  readonly result?: { readonly verdict: 'accepted' | 'rejected' | 'not enough evidence'; readonly reasons: readonly string[] };
  readonly cost_usd: number;
  readonly warnings: readonly string[];
  /** When the edit was put into the library, ISO 8601. */
  readonly applied?: string;
}

const ENHANCEMENT = shaped<ApiEnhancement>('id, status, stopped, decision, reason, quotes, request, skill, tried, best, result, cost_usd, warnings, applied.');

/** Evaluations of skills: begun, followed, stopped, gone on with. */
export const EVALUATION_ENDPOINTS = {
  evaluateSkill: endpoint({
    method: 'POST', path: '/api/skills/:id/evaluate', status: 202, admin: true, query: NONE,
    summary: 'Begins to measure what a skill does, by its evals. It goes on when the request has ended; GET /api/evaluations/:id says how far it is.',
    body: object({
      suite: optional(oneOf(['triggers', 'output', 'all'])), only: optional(list(text({ max: 200 }), { description: 'Ids of cases and messages; all when left out.' })),
      runs: optional(whole({ min: 1, max: 1_000, description: 'Of each case in each arm; 3 when left out.' })), parallel: optional(whole({ min: 1, max: 32 })), seed: optional(whole({ min: 0, max: 4_294_967_295 })),
      crowd: optional(whole({ min: 1, max: 10_000, description: 'Also among so many of the other skills.' })), model: optional(text({ description: 'PROVIDER/MODEL that works.' })), judge: optional(text({ description: 'PROVIDER/MODEL that judges.' })),
      fresh: optional(flag('Also makes runs anew that an earlier evaluation has made: those without the skill and with the old version.')),
      budget_usd: BUDGET, max_runs: MOST_RUNS, cwd: CWD,
    }),
    answer: BEGUN,
  }),
  enhanceSkill: endpoint({
    method: 'POST', path: '/api/skills/enhance', status: 202, admin: true, query: NONE,
    summary: 'Begins to learn from a session: whether a skill should be made or improved, by edits of a copy that are measured. Changes no skill. It goes on when the request has ended; GET /api/enhancements/:id says how far it is.',
    body: object({
      session_id: text({ min: 1, max: 200 }), skill: optional(text({ max: 200, description: 'Only this one may be improved.' })), part: optional(oneOf(['all', 'description'])),
      rounds: optional(whole({ min: 1, max: 10 })), runs: optional(whole({ min: 1, max: 1_000 })), seed: optional(whole({ min: 0, max: 4_294_967_295 })), budget_usd: optional(number('For all together.')),
      model: optional(text({ description: 'PROVIDER/MODEL of the agent and of the runs.' })), judge: optional(text({ description: 'PROVIDER/MODEL that judges.' })), cwd: CWD,
    }),
    answer: LEARNING,
  }),
  listEnhancements: endpoint({ method: 'GET', path: '/api/enhancements', summary: 'Lists what was learned from sessions, the newest first.', admin: true, query: NONE, body: NONE, answer: object({ enhancements: list(ENHANCEMENT, { max: 100_000 }) }) }),
  resumeEnhancement: endpoint({ method: 'POST', path: '/api/enhancements/:id/resume', status: 202, summary: 'Goes on with an enhancement that a stop, a limit or a restart has cut off. What was measured stays.', admin: true, query: NONE, body: object({ budget_usd: optional(number('For all together, also what was spent before; that of the beginning when left out.')) }), answer: LEARNING }),
  stopEnhancement: endpoint({ method: 'POST', path: '/api/enhancements/:id/stop', summary: 'Stops an enhancement that this server works on. What was measured stays.', admin: true, query: NONE, body: NONE, answer: object({ stopped: flag('False where it does not run here.') }) }),
  showEnhancement: endpoint({ method: 'GET', path: '/api/enhancements/:id', summary: 'Gives what was learned from a session, as far as it is known.', admin: true, query: NONE, body: NONE, answer: ENHANCEMENT }),
  applyEnhancement: endpoint({ method: 'POST', path: '/api/enhancements/:id/apply', summary: 'Puts the edit that was judged into the library: the word of the person who has seen it.', admin: true, query: NONE, body: object({ by_hand: optional(flag('Also one for which there is not enough evidence, or that was rejected.')) }), answer: object({ id: text(), skill: text(), folder: text(), digest: text(), trusted: flag() }) }),
  listEvaluations: endpoint({ method: 'GET', path: '/api/evaluations', summary: 'Lists evaluations, the newest first.', admin: true, query: NONE, body: NONE, answer: object({ evaluations: list(shaped<ApiEvaluation>('id, skill, time, model, status, done, planned, cost_usd.'), { max: 100_000 }) }) }),
  showEvaluation: endpoint({ method: 'GET', path: '/api/evaluations/:id', summary: 'Says how far an evaluation is, and gives its report.', admin: true, query: NONE, body: NONE, answer: shaped<ApiEvaluationReport>('id, skill, time, model, status, done, planned, cost_usd; fault where something has ended it; report unless it runs.') }),
  resumeEvaluation: endpoint({ method: 'POST', path: '/api/evaluations/:id/resume', status: 202, summary: 'Goes on with an evaluation that a stop, a limit or a restart has cut off. What was measured stays.', admin: true, query: NONE, body: object({ budget_usd: BUDGET, max_runs: MOST_RUNS, parallel: optional(whole({ min: 1, max: 32 })) }), answer: BEGUN }),
  stopEvaluation: endpoint({ method: 'POST', path: '/api/evaluations/:id/stop', summary: 'Stops an evaluation that this server works on. What was measured stays.', admin: true, query: NONE, body: NONE, answer: object({ stopped: flag('False where it does not run here.') }) }),
};
