import type { Command } from 'commander';
import { outputOption } from '../options.ts';

const EXAMPLES = `
Examples:
  skillmint answer ses_01k9 --allow            let the call run, once
  skillmint answer ses_01k9 --always           and store the rule that was shown
  skillmint answer ses_01k9 --deny --reason "use the staging host"
  skillmint answer ses_01k9 "the second one"   answer a question`;

/** `skillmint answer`. */
export function defineAnswer(program: Command): void {
  program.command('answer <session> [text]')
    .description('answer what a session waits for, and go on')
    .option('--allow', 'let the call run, once')
    .option('--always', 'let it run and store the rule that was shown')
    .option('--deny', 'refuse the call')
    .option('--reason <text>', 'tell the model why')
    .option('--request <id>', 'which request; the oldest open one when left out')
    .addOption(outputOption())
    .option('-v, --verbose', 'show tool calls and reasoning on standard error')
    .addHelpText('after', EXAMPLES)
    .action(async (session: string, text: string | undefined, _options, self: Command) => {
      const { answerCommand } = await import('../run/answer-command.ts');
      process.exitCode = await answerCommand(session, text, self.opts());
    });
}
