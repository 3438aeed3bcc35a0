import { ok } from '../protocol/tool.ts';
import type { Tool } from './define.ts';
import description from './enter-plan-mode.md';

const PLANNING = 'Plan mode is on: nothing is changed. Look around, ask what only the person knows, and when the plan is ready show it with CallTool {"tool":"ExitPlanMode","input":{"plan":"…"}}.';

/** Turns plan mode on. */
export function enterPlanModeTool(): Tool {
  return {
    spec: { name: 'EnterPlanMode', description, input_schema: { type: 'object', properties: {} } },
    readOnly: true,
    deferred: true,
    needs: () => [{ action: 'plan', step: 'enter' }],
    refusal: (feedback) => `The person does not want a plan first${feedback ? ` and says: ${feedback}` : ''}. Go on without plan mode.`,
    run: async () => ok(PLANNING, { events: [{ type: 'mode.changed', mode: 'plan' }] }),
  };
}
