import { failed, ok, type ToolOutcome } from '../../protocol/tool.ts';
import type { AgentParts } from './agent-task.ts';
import { runNamed } from './read-task.ts';

/** Ends a run in the background, also one that waits for a person. Undefined for an id that names no run of the session. */
export async function stopTask(parts: AgentParts, taskId: string): Promise<ToolOutcome | undefined> {
  const run = runNamed(parts.state, taskId);
  if (!run) return undefined;
  const { task_id, child_id, agent_type } = run;
  const details = { task_id, child_id };
  if (run.status !== 'running') return ok(`The agent ${agent_type} (${task_id}) had ended before.`, { details });
  const here = parts.background.get(task_id);
  here?.cancel();
  const before = here ? await here.ended : undefined;
  if ((before?.status ?? 'waiting') === 'waiting' && run.background) await parts.cancel(child_id);
  const standing = await parts.settle(run);
  if (standing.kind !== 'ended') return failed(`The agent ${agent_type} (${task_id}) cannot be ended from here: another process runs it, or a call waits for it.`, { details });
  return ok(`The agent ${agent_type} (${task_id}) ${standing.result.status === 'cancelled' ? 'was ended' : 'had ended before'}. TaskOutput gives what it has come to.`, { details });
}
