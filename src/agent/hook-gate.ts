import type { ToolStatus } from '../protocol/events.ts';
import type { JsonObject } from '../protocol/json.ts';
import type { PermissionMode, PermissionVerdict } from '../protocol/permission.ts';
import type { CallState } from '../protocol/session-state.ts';
import type { AgentPorts, AgentTool, HookGate } from './ports.ts';

/** A call that hooks let through with its checked input, or why it gets no further. */
export type Passed =
  | (HookGate & { readonly input: JsonObject })
  | { readonly refusal: string; readonly status: ToolStatus };

/** Shows a call to the hooks before it is decided on. An input that they change is checked as the model's own. */
export async function passHooks({ hooks }: Pick<AgentPorts, 'hooks'>, { call, tool, input }: { readonly call: CallState; readonly tool: AgentTool; readonly input: JsonObject }, signal: AbortSignal): Promise<Passed> {
  if (!hooks) return { input };
  const gate = await hooks.beforeTool({ call_id: call.call_id, tool: tool.spec.name, called: call.tool, input, wrap: tool.wrap }, signal);
  if (gate.decision === 'deny') return { refusal: gate.reason ?? 'A hook denies this call.', status: 'denied' };
  if (!gate.input) return { ...gate, input };
  const changed = await tool.prepare(gate.input);
  if ('problem' in changed) return { refusal: `A hook gave this call an input that cannot be used, so it was not run: ${changed.problem}`, status: 'error' };
  return { ...gate, input: changed.input };
}

/** The verdict on a call whose hooks may want a person to be asked. No answer "always" can take that question away. */
export function withGate(verdict: PermissionVerdict, { decision, reason = 'a hook asks' }: HookGate, mode: PermissionMode): PermissionVerdict {
  if (decision !== 'ask' || verdict.verdict === 'deny') return verdict;
  if (mode === 'dontAsk') return { verdict: 'deny', reason: `${reason}; the mode dontAsk denies what would ask` };
  const reasons = verdict.verdict === 'ask' ? `${verdict.reason}; ${reason}` : reason;
  return { verdict: 'ask', reason: reasons, rules: [], ...(verdict.verdict === 'ask' && verdict.unsandboxed ? { unsandboxed: true } : {}), ...(verdict.places ? { places: verdict.places } : {}) };
}
