import type { PermissionMode } from '../../protocol/permission.ts';

/** What the model is told when the person has ended plan mode. */
export const PLAN_MODE_OVER = '\n\n<plan_mode>Plan mode is off: you may carry out the work.</plan_mode>';

/** What a message carries in plan mode, for a session that offers these tools; nothing in other modes. */
export function planNote(mode: PermissionMode, tools: readonly string[]): { readonly note?: string } {
  if (mode !== 'plan' || tools.length === 0) return {};
  const end = tools.includes('CallTool') ? 'When the plan is ready, show it with CallTool {"tool":"ExitPlanMode","input":{"plan":"…"}}; the person decides on it.' : 'Give your plan as your answer.';
  return { note: `\n\n<plan_mode>Plan mode is on: look around and ask, but change nothing. ${end}</plan_mode>` };
}
