import { runOfCall } from '../../protocol/session-state.ts';
import { failed, type ToolOutcome, type ToolWaiting } from '../../protocol/tool.ts';
import type { AgentCall, AgentRequest } from '../../tools/define.ts';
import type { AgentParts } from './agent-task.ts';
import { agentNamed, noSuchAgent } from './choose-agent.ts';
import { resumeAgent, runAgent } from './run-agent.ts';
import { inBackground, runInBackground } from './run-in-background.ts';

/** Runs what a call of `Task` asks for, or goes on with its run. */
export async function runTask(parts: AgentParts, { prompt, type, description, allowedTools, background, isolated }: AgentRequest, call: AgentCall): Promise<ToolOutcome | ToolWaiting> {
  const begun = runOfCall(parts.state, call.callId);
  if (begun?.background) return inBackground(begun.agent_type, begun);
  if (call.answered || begun?.status === 'running') return resumeAgent(parts, call, call.answered);
  if (prompt.trim() === '') return failed('The prompt is empty: say what the agent is to do.');
  const catalogue = await parts.catalogue();
  const profile = agentNamed(catalogue, type);
  if (!profile) return failed(noSuchAgent(catalogue, type ?? ''));
  const task = { profile, prompt, ...(description === undefined ? {} : { description }), ...(allowedTools ? { allowedTools } : {}), ...(isolated || profile.isolated ? { isolated: true as const } : {}) };
  return background || profile.background ? runInBackground(parts, task, call) : runAgent(parts, task, call);
}
