import type { Command } from 'commander';
import { SkillmintError } from '../../protocol/errors.ts';
import { addTurnOptions } from './run.ts';

/** `skillmint` alone. A word that is no command arrives here as an argument. */
export function defineInteractive(program: Command): void {
  addTurnOptions(program)
    .option('--plain', 'a conversation in plain lines, for terminals that can do no more')
    .argument('[unknown...]')
    .usage('[command] [options]')
    .enablePositionalOptions()
    .action(async (unknown: readonly string[], _options, self: Command) => {
      if (unknown.length > 0) throw new SkillmintError('usage', `There is no command "${unknown[0]}". See: skillmint --help`);
      const { interactiveCommand } = await import('../interactive/interactive-command.ts');
      process.exitCode = await interactiveCommand(self.opts());
    });
}
