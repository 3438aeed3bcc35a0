import { setTimeout as pause } from 'node:timers/promises';
import { openRequests, type AgentRun, type CallQuestion, type SessionState } from '../../protocol/session-state.ts';
import { failed, ok, type ToolOutcome, type ToolWaiting } from '../../protocol/tool.ts';
import type { AgentCall } from '../../tools/define.ts';
import type { AgentParts } from './agent-task.ts';
import { askedFor, labelOfState, outcomeOf, resumeRun, withLine } from './run-agent.ts';

/** How often a run in another process is looked at, ms. */
const LOOK_MS = 300;
/** Ids that an answer lists. */
const MOST_IDS = 20;

/** What has become of a run: its result, for which `block` waits, or that it still runs. What it needs of a person is asked as a question of this call. */
export async function readTask(parts: AgentParts, { taskId, block }: { readonly taskId: string; readonly block: boolean }, call: AgentCall): Promise<ToolOutcome | ToolWaiting> {
  const run = runNamed(parts.state, taskId);
  if (!run) return failed(noSuchTask(taskId, [...parts.state.agents.keys()]));
  const details = { task_id: run.task_id, child_id: run.child_id };
  if (call.answered) return goOn(parts, run, call, call.answered);
  for (;;) {
    const standing = await parts.settle(run);
    const child = standing.kind === 'running' ? undefined : await parts.look(run.child_id);
    if (standing.kind === 'ended' && child) return withLine(parts, { childId: run.child_id }, withoutEvents(outcomeOf({ taskId: run.task_id, childId: run.child_id, ...labelOf(run, child) }, standing.result)));
    if (standing.kind === 'waiting' && child) {
      const [open] = openRequests(child);
      const { label } = labelOf(run, child);
      if (open && block && run.background) return { status: 'waiting', ask: askedFor(call.callId, label, open) };
      if (!block) return ok(`waiting: ${label} needs the person. Call TaskOutput with block to ask them.`, { details });
    }
    if (!block) return ok('running', { details });
    await waitForChange(parts, run, call.signal);
    if (call.signal.aborted) return failed('Stopped waiting: the turn was stopped.', { details });
  }
}

/** The run of that id, or that has this session. */
export function runNamed({ agents }: Pick<SessionState, 'agents'>, id: string): AgentRun | undefined {
  return agents.get(id.trim()) ?? [...agents.values()].find((each) => each.child_id === id.trim());
}

/** Lets the run go on with the answer. The end of one in the background is stored as ever: others may look at it, too. */
async function goOn(parts: AgentParts, run: AgentRun, call: AgentCall, answered: CallQuestion): Promise<ToolOutcome | ToolWaiting> {
  const outcome = await resumeRun(parts, run, call, answered);
  if (outcome.status === 'waiting' || !run.background) return outcome;
  await parts.settle(run);
  return withoutEvents(outcome);
}

function labelOf({ agent_type }: AgentRun, child: SessionState): ReturnType<typeof labelOfState> {
  return child.last_seq > 0 ? labelOfState(child) : { label: `the agent ${agent_type}`, details: {} };
}

async function waitForChange(parts: AgentParts, run: AgentRun, signal: AbortSignal): Promise<void> {
  const here = parts.background.get(run.task_id);
  if (signal.aborted) return;
  let stop = (): void => undefined;
  const stopped = new Promise<void>((resolve) => {
    stop = resolve;
    signal.addEventListener('abort', stop, { once: true });
  });
  await Promise.race([here ? here.ended : pause(LOOK_MS), stopped]);
  signal.removeEventListener('abort', stop);
}

/** Its end is stored already. */
function withoutEvents({ events: _stored, ...outcome }: ToolOutcome): ToolOutcome {
  return outcome;
}

function noSuchTask(taskId: string, known: readonly string[]): string {
  if (known.length === 0) return `There is no task ${taskId}: this session has started no sub-agents.`;
  return `There is no task ${taskId}. Known: ${known.slice(-MOST_IDS).join(', ')}${known.length > MOST_IDS ? ` and ${known.length - MOST_IDS} older ones` : ''}.`;
}
