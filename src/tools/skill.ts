import type { Tool } from './define.ts';
import { optionalText, textArgument } from './input.ts';
import description from './skill.md';

/** Loads skills through what the runtime gives. */
export function skillTool(): Tool {
  return {
    spec: {
      name: 'Skill',
      description,
      input_schema: { type: 'object', properties: { skill: { type: 'string' }, args: { type: 'string' } }, required: ['skill'] },
    },
    readOnly: true,
    // Its instructions may hold commands.
    atMostOnce: true,
    resumes: true,
    aliases: ['use_skill', 'load_skill'],
    argumentAliases: { name: 'skill', skill_name: 'skill', command: 'skill', arguments: 'args' },
    needs: (input) => [{ action: 'skill', skill: textArgument(input, 'skill') }],
    run: (input, context) => context.skills.load({ name: textArgument(input, 'skill'), args: optionalText(input, 'args') }, context),
  };
}
