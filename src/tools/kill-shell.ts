import { failed, ok } from '../protocol/tool.ts';
import { unknownShell } from './bash-output.ts';
import type { Tool } from './define.ts';
import { textArgument } from './input.ts';
import description from './kill-shell.md';

/** Ends background commands and tasks. */
export function killShellTool(): Tool {
  return {
    spec: {
      name: 'KillShell',
      description,
      input_schema: { type: 'object', properties: { shell_id: { type: 'string' } }, required: ['shell_id'] },
    },
    readOnly: false,
    aliases: ['KillBash'],
    argumentAliases: { bash_id: 'shell_id', id: 'shell_id', task_id: 'shell_id' },
    needs: () => [],
    run: async (input, context) => {
      const id = textArgument(input, 'shell_id');
      if (!context.shells.ids().includes(id)) return (await context.agents.stop(id)) ?? failed(unknownShell(id, context.shells.ids()));
      return ok((await context.shells.stop(id)) ? `${id} was ended.` : `${id} had ended before.`, { details: { bash_id: id, ended: true } });
    },
  };
}
