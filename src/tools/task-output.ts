import type { Tool } from './define.ts';
import { textArgument } from './input.ts';
import description from './task-output.md';

/** Reads what sub-agents in the background have come to. */
export function taskOutputTool(): Tool {
  return {
    spec: {
      name: 'TaskOutput',
      description,
      input_schema: { type: 'object', properties: { task_id: { type: 'string' }, block: { type: 'boolean', description: 'default true' } }, required: ['task_id'] },
    },
    readOnly: true,
    polling: true,
    resumes: true,
    aliases: ['task_output', 'agent_output'],
    argumentAliases: { id: 'task_id', agent_id: 'task_id', agentId: 'task_id', bash_id: 'task_id', wait: 'block' },
    needs: () => [],
    run: (input, context) => context.agents.output({ taskId: textArgument(input, 'task_id'), block: input['block'] !== false }, context),
  };
}
