import { failed } from '../../protocol/tool.ts';
import type { AgentAccess } from '../../tools/define.ts';
import type { ForkAccess } from '../skills/skill-access.ts';
import type { AgentParts } from './agent-task.ts';

const NOT_HERE = 'Sub-agents cannot be started here: the setting agents.maxDepth says how deep they may. Do the task yourself.';

/** What `Task` and `TaskOutput` do in a session; `starts` is false in one that is too deep for sub-agents. */
export function agentAccess(parts: AgentParts | undefined, starts: boolean): AgentAccess {
  return {
    run: async (request, call) => {
      if (!parts || !starts) return failed(NOT_HERE);
      const { runTask } = await import('./run-task.ts');
      return runTask(parts, request, call);
    },
    output: async (request, call) => {
      if (!parts) return failed(NOT_HERE);
      const { readTask } = await import('./read-task.ts');
      return readTask(parts, request, call);
    },
    async stop(taskId) {
      if (!parts) return undefined;
      const { stopTask } = await import('./stop-task.ts');
      return stopTask(parts, taskId);
    },
  };
}

/** How skills run as tasks of sub-agents in a session. */
export function forkAccess(parts: AgentParts | undefined, starts: boolean): ForkAccess {
  return {
    start: starts ? async (entry, args, call) => {
      if (!parts) return failed(NOT_HERE);
      const { forkSkill } = await import('./fork-skill.ts');
      return forkSkill(parts, entry, args, call);
    } : undefined,
    resume: async (call, answered) => {
      if (!parts) return failed(NOT_HERE);
      const { resumeAgent } = await import('./run-agent.ts');
      return resumeAgent(parts, call, answered);
    },
  };
}
