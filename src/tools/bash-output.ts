import { failed, ok } from '../protocol/tool.ts';
import type { ShellState } from './background-shells.ts';
import description from './bash-output.md';
import type { Tool } from './define.ts';
import { exceededText } from './exceeded-text.ts';
import { filterLines, patternProblem } from './filter-lines.ts';
import { optionalText, textArgument } from './input.ts';
import { refusedText } from './refused-text.ts';

/** Reads what background commands have written. */
export function bashOutputTool(): Tool {
  return {
    spec: {
      name: 'BashOutput',
      description,
      input_schema: {
        type: 'object',
        properties: { bash_id: { type: 'string' }, filter: { type: 'string', description: 'regex for lines' } },
        required: ['bash_id'],
      },
    },
    readOnly: true,
    polling: true,
    argumentAliases: { shell_id: 'bash_id', id: 'bash_id', task_id: 'bash_id' },
    needs: () => [],
    run: async (input, context) => {
      const id = textArgument(input, 'bash_id');
      const pattern = optionalText(input, 'filter') ?? '';
      const problem = await patternProblem(pattern);
      if (problem !== undefined) return failed(`The filter cannot be used: ${problem}`);
      const shell = context.shells.read(id);
      if (shell === undefined) return failed(unknownShell(id, context.shells.ids()));
      const lost = shell.dropped > 0 ? `[${shell.dropped} characters were dropped before this]\n` : '';
      const filtered = await filterLines(shell.output, pattern);
      if ('problem' in filtered) return failed(`The filter cannot be used: ${filtered.problem}\n${shell.output}`);
      const output = filtered.text.replace(/\n$/, '');
      const exit = shell.status.state === 'ended' ? shell.status.exit : undefined;
      const notes = [exceededText(exit?.exceeded), refusedText(exit?.refusedHosts)].filter((note) => note !== '');
      return ok([`${lost}${output === '' ? '(no new output)' : output}`, ...notes, `[${statusText(shell.status)}]`].join('\n'), exit ? { details: { bash_id: id, ended: true } } : {});
    },
  };
}

/** The failure for an id that names no shell of this session. */
export function unknownShell(id: string, known: readonly string[]): string {
  return known.length === 0
    ? `There is no background command ${id}: none was started since this program began.`
    : `There is no background command ${id}. Known: ${known.join(', ')}.`;
}

function statusText(status: ShellState): string {
  if (status.state === 'running') return 'still running';
  if (status.stopped) return 'ended by KillShell';
  const { exit } = status;
  if (exit.error !== undefined) return `could not be started: ${exit.error}`;
  return exit.code === null ? `ended by signal ${exit.signal ?? 'unknown'}` : `ended with exit code ${exit.code}`;
}
