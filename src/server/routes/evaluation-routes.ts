import { EVALUATION_ENDPOINTS as API, type ApiEvaluation } from '../../api/evaluation-endpoints.ts';
import type { KnownEvaluation } from '../../runtime/evaluate/known-evaluations.ts';
import { allowedFolder } from '../allowed-folder.ts';
import { route, type Route } from '../route.ts';
import type { Tenant } from '../tenant.ts';

/** Evaluations of skills and what is learned of conversations. */
export function evaluationRoutes(): readonly Route[] {
  return [...enhancementRoutes(),
    route(API.evaluateSkill, async ({ tenant, params: { id }, body: { cwd: given, budget_usd, max_runs, ...rest } }) => {
      const cwd = allowedFolder(tenant, given);
      // A name never is a folder here: only what the library knows is evaluated.
      const { path: skill } = await (await tenant.runtime.library(cwd)).show(id);
      return { id: await tenant.evaluations.begin({ ...rest, skill, cwd, ...limits({ budget_usd, max_runs }) }) };
    }),
    route(API.listEvaluations, async ({ tenant }) => ({ evaluations: (await tenant.runtime.evaluations.list()).map((one) => shown(tenant, one)) })),
    route(API.showEvaluation, async ({ tenant, params: { id } }) => {
      const { report, ...known } = await tenant.runtime.evaluations.get(id);
      const fault = tenant.evaluations.fault(id);
      const evaluation = shown(tenant, known);
      return { ...evaluation, ...(fault === undefined ? {} : { fault }), ...(report && evaluation.status !== 'running' ? { report } : {}) };
    }),
    route(API.resumeEvaluation, async ({ tenant, params: { id }, body: { parallel, ...rest } }) => ({ id: await tenant.evaluations.begin({ resume: id, ...(parallel === undefined ? {} : { parallel }), ...limits(rest) }) })),
    route(API.stopEvaluation, async ({ tenant, params: { id } }) => {
      await tenant.runtime.evaluations.get(id);
      return { stopped: tenant.evaluations.stop(id) };
    }),
  ];
}

function enhancementRoutes(): readonly Route[] {
  return [
    route(API.enhanceSkill, async ({ tenant, signal, body: { session_id, cwd: given, budget_usd, ...rest } }) => {
      const cwd = allowedFolder(tenant, given);
      // The name of a file would be read from the disk of the server.
      await tenant.runtime.sessions.get(session_id);
      return tenant.runtime.enhanceSkill({ ...rest, conversation: session_id, cwd, signal, ...limits({ budget_usd }) });
    }),
    route(API.showEnhancement, async ({ tenant, params: { id } }) => tenant.runtime.enhancements.get(id)),
    route(API.applyEnhancement, async ({ tenant, params: { id }, body: { by_hand = false } }) => {
      allowedFolder(tenant, (await tenant.runtime.enhancements.get(id)).cwd);
      return tenant.runtime.enhancements.apply(id, { byHand: by_hand });
    }),
  ];
}

function limits({ budget_usd, max_runs }: { readonly budget_usd?: number | undefined; readonly max_runs?: number | undefined }): { readonly budgetUsd?: number; readonly maxRuns?: number } {
  return { ...(budget_usd === undefined ? {} : { budgetUsd: budget_usd }), ...(max_runs === undefined ? {} : { maxRuns: max_runs }) };
}

function shown({ evaluations }: Tenant, { finished, ...known }: KnownEvaluation): ApiEvaluation {
  return { ...known, status: evaluations.isRunning(known.id) ? 'running' : finished ? 'finished' : 'unfinished' };
}
