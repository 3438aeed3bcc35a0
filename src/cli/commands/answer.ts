import type { Command } from 'commander';
import { databaseOption, outputOption } from '../options.ts';

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
    .option('--allow', 'let the call run, once, or accept a plan')
    .option('--always', 'let it run and store the rule that was shown; for a plan: accept it and let edits pass')
    .option('--deny', 'refuse the call, or send a plan back')
    .option('--reason <text>', 'tell the model why')
    .option('--request <id>', 'which request; the oldest open one when left out')
    .addOption(databaseOption())
    .addOption(outputOption())
    .option('-v, --verbose', 'show tool calls and reasoning on standard error')
    .addHelpText('after', EXAMPLES)
    .action(async (session: string, text: string | undefined, _options, self: Command) => {
      const { withEarlyTrial } = await import('../../runtime/permissions/sandbox-trial.ts');
      process.exitCode = await withEarlyTrial({}, async (trial) => {
        const { answerCommand } = await import('../run/answer-command.ts');
        return answerCommand({ sessionId: session, text, flags: self.opts(), trial });
      });
    });
}
