import type { Tool } from './define.ts';
import { flagArgument, optionalText, textArgument, textsArgument } from './input.ts';
import description from './task.md';

/** Hands tasks to sub-agents through what the runtime gives. */
export function taskTool(): Tool {
  return {
    spec: {
      name: 'Task',
      description,
      input_schema: {
        type: 'object',
        properties: {
          prompt: { type: 'string' },
          subagent_type: { type: 'string' },
          description: { type: 'string', description: 'a few words' },
          run_in_background: { type: 'boolean' },
          isolation: { enum: ['worktree'] },
          allowed_tools: { type: 'array', items: { type: 'string' } },
        },
        required: ['prompt'],
      },
    },
    readOnly: false,
    // A run is stored before it can have an effect, and is gone on with.
    atMostOnce: false,
    resumes: true,
    aliases: ['task', 'agent', 'dispatch_agent'],
    argumentAliases: {
      agent_type: 'subagent_type', agent: 'subagent_type', agent_name: 'subagent_type', agentName: 'subagent_type', type: 'subagent_type', mode: 'subagent_type',
      task: 'prompt', message: 'prompt', instructions: 'prompt', objective: 'prompt', background: 'run_in_background', is_background: 'run_in_background', tools: 'allowed_tools', title: 'description',
    },
    needs: (input) => [{ action: 'task', agent: optionalText(input, 'subagent_type') ?? 'general-purpose', ...(input['isolation'] === undefined ? {} : { isolated: true }) }],
    async run(input, context) {
      const type = optionalText(input, 'subagent_type');
      const label = optionalText(input, 'description');
      const request = {
        prompt: textArgument(input, 'prompt'),
        ...(type === undefined ? {} : { type }),
        ...(label === undefined ? {} : { description: label }),
        ...(flagArgument(input, 'run_in_background') ? { background: true as const } : {}),
        ...(input['isolation'] === undefined ? {} : { isolated: true as const }),
        ...(input['allowed_tools'] === undefined ? {} : { allowedTools: textsArgument(input, 'allowed_tools') }),
      };
      return context.agents.run(request, context);
    },
  };
}
