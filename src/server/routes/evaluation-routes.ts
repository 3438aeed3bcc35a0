import { EVALUATION_ENDPOINTS as API, type ApiEnhancement, type ApiEvaluation } from '../../api/evaluation-endpoints.ts';
import type { Enhancement } from '../../runtime/enhance/enhancement.ts';
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
      return { id: await tenant.skillWorks.evaluations.begin({ ...rest, skill, cwd, ...limits({ budget_usd, max_runs }) }) };
    }),
    route(API.listEvaluations, async ({ tenant }) => ({ evaluations: (await tenant.runtime.evaluations.list()).map((one) => shown(tenant, one)) })),
    route(API.showEvaluation, async ({ tenant, params: { id } }) => {
      const { report, ...known } = await tenant.runtime.evaluations.get(id);
      const fault = tenant.skillWorks.evaluations.fault(id);
      const evaluation = shown(tenant, known);
      return { ...evaluation, ...(fault === undefined ? {} : { fault }), ...(report && evaluation.status !== 'running' ? { report } : {}) };
    }),
    route(API.resumeEvaluation, async ({ tenant, params: { id }, body: { parallel, ...rest } }) => ({ id: await tenant.skillWorks.evaluations.begin({ resume: id, ...(parallel === undefined ? {} : { parallel }), ...limits(rest) }) })),
    route(API.stopEvaluation, async ({ tenant, params: { id } }) => {
      await tenant.runtime.evaluations.get(id);
      return { stopped: tenant.skillWorks.evaluations.stop(id) };
    }),
  ];
}

function enhancementRoutes(): readonly Route[] {
  return [
    route(API.enhanceSkill, async ({ tenant, body: { session_id, cwd: given, budget_usd, ...rest } }) => {
      const cwd = allowedFolder(tenant, given);
      // The name of a file would be read from the disk of the server.
      await tenant.runtime.sessions.get(session_id);
      return { id: await tenant.skillWorks.enhancements.begin({ ...rest, conversation: session_id, cwd, ...limits({ budget_usd }) }) };
    }),
    route(API.listEnhancements, async ({ tenant }) => ({ enhancements: (await tenant.runtime.enhancements.list()).map((one) => shownEnhancement(tenant, one)) })),
    route(API.showEnhancement, async ({ tenant, params: { id } }) => shownEnhancement(tenant, await tenant.runtime.enhancements.get(id))),
    route(API.resumeEnhancement, async ({ tenant, params: { id }, body: { budget_usd } }) => {
      allowedFolder(tenant, (await tenant.runtime.enhancements.get(id)).cwd);
      return { id: await tenant.skillWorks.enhancements.begin({ resume: id, ...limits({ budget_usd }) }) };
    }),
    route(API.stopEnhancement, async ({ tenant, params: { id } }) => {
      await tenant.runtime.enhancements.get(id);
      return { stopped: tenant.skillWorks.enhancements.stop(id) };
    }),
    route(API.applyEnhancement, async ({ tenant, params: { id }, body: { by_hand = false } }) => {
      allowedFolder(tenant, (await tenant.runtime.enhancements.get(id)).cwd);
      return tenant.runtime.enhancements.apply(id, { byHand: by_hand });
    }),
  ];
}

function limits({ budget_usd, max_runs }: { readonly budget_usd?: number | undefined; readonly max_runs?: number | undefined }): { readonly budgetUsd?: number; readonly maxRuns?: number } {
  return { ...(budget_usd === undefined ? {} : { budgetUsd: budget_usd }), ...(max_runs === undefined ? {} : { maxRuns: max_runs }) };
}

function shown({ skillWorks: { evaluations } }: Tenant, { finished, ...known }: KnownEvaluation): ApiEvaluation {
  return { ...known, status: evaluations.isRunning(known.id) ? 'running' : finished ? 'finished' : 'unfinished' };
}

/** Without what is only kept so that it can be gone on with. One that says it runs, and does not run here, was cut off. */
function shownEnhancement({ skillWorks: { enhancements } }: Tenant, { version: _version, settings: _settings, learned: _learned, costs: _costs, judging: _judging, status, stopped, ...known }: Enhancement): ApiEnhancement {
  const isRunning = enhancements.isRunning(known.id);
  const fault = enhancements.fault(known.id) ?? stopped;
  return { ...known, status: isRunning ? 'running' : status === 'running' ? 'unfinished' : status, ...(isRunning || fault === undefined ? {} : { stopped: fault }) };
}
