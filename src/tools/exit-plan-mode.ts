import { failed, ok } from '../protocol/tool.ts';
import type { Tool } from './define.ts';
import description from './exit-plan-mode.md';
import { textArgument } from './input.ts';

/** Ends plan mode. That a person has accepted the plan is what the call needs before it may run. */
export function exitPlanModeTool(): Tool {
  return {
    spec: { name: 'ExitPlanMode', description, input_schema: { type: 'object', properties: { plan: { type: 'string', minLength: 1, description: 'Markdown' } }, required: ['plan'] } },
    readOnly: true,
    deferred: true,
    needs: () => [{ action: 'plan', step: 'leave' }],
    refusal: (feedback) => (feedback ? `The person did not accept the plan and says: ${feedback}\nPlan mode stays on: change the plan and show it again.` : 'The person did not accept the plan. Plan mode stays on: ask what they want, or change the plan and show it again.'),
    run: async (input, { consent, modeBeforePlan }) => {
      if (consent === undefined) return failed('The plan was not shown to a person, so plan mode stays on.');
      const mode = consent === 'always' ? 'acceptEdits' : modeBeforePlan;
      return ok(`The person accepted the plan. Plan mode is off (the mode is ${mode}): carry the plan out.\n\n${textArgument(input, 'plan')}`, { events: [{ type: 'mode.changed', mode }] });
    },
  };
}
