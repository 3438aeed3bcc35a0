import { Option, type Command } from 'commander';
import { collect, databaseOption, dollars, outputOption, wholeNumber } from '../options.ts';

const EXAMPLES = `
Examples:
  skillmint run "summarise README.md"
  git diff | skillmint run - --output json
  skillmint run --skill orders-report "turn orders.csv into a report" --permission-mode acceptEdits
  skillmint run --continue "and now in Chinese"
  skillmint run --session ses_01k9                      go on with a turn that a crash has cut off
  skillmint run --permission-mode dontAsk --max-turns 20 --output stream-json "fix the failing test"`;

/** Flags of a turn that `run` and the interactive mode share. */
export function addTurnOptions(command: Command): Command {
  return command
    .option('-m, --model <provider/model>', 'the model to ask, for example anthropic/claude-sonnet-5-5')
    .option('-s, --skill <name|path>', 'bind the session to a skill: its instructions, and only its tools')
    .option('-C, --cwd <dir>', 'work in this folder')
    .addOption(new Option('-p, --permission-mode <mode>', 'how much may happen without a question').choices(['default', 'acceptEdits', 'plan', 'dontAsk', 'unrestricted', 'bypassPermissions']))
    .option('--allow <rule>', 'allow without a question, for example \'Bash(npm test)\'; may be repeated', collect)
    .option('--deny <rule>', 'never allow; may be repeated', collect)
    .option('--max-turns <n>', 'steps of the model in one turn', wholeNumber(1))
    .option('--max-cost <usd>', 'end the turn when it has cost so much', dollars)
    .addOption(new Option('--effort <level>', 'how hard the model thinks').choices(['low', 'medium', 'high', 'xhigh', 'max']))
    .option('--add-dir <dir>', 'a further folder that may be worked in; may be repeated', collect)
    .option('--no-tools', 'chat without tools')
    .option('--no-skills', 'offer no skills')
    .option('--session <id>', 'go on with this session')
    .option('-c, --continue', 'go on with the latest session of this folder')
    .option('--ephemeral', 'keep nothing after the end')
    .addOption(databaseOption())
    .addOption(new Option('--sandbox <setting>', 'whether commands must run in a sandbox').choices(['required', 'ask', 'off', 'on']));
}

/** `skillmint run`. */
export function defineRun(program: Command): void {
  const command = program.command('run [prompt]').description('run one turn without a terminal; "-" reads the prompt from standard input; with --session or --continue and without a prompt goes on with a turn that was cut off');
  addTurnOptions(command)
    .addOption(outputOption())
    .option('--image <file>', 'attach a picture; may be repeated', collect)
    .option('--output-schema <file>', 'the answer must be JSON of this schema')
    .option('-v, --verbose', 'show tool calls and reasoning on standard error')
    .addHelpText('after', EXAMPLES)
    .action(async (prompt: string | undefined, _options, self: Command) => {
      const { withEarlyTrial } = await import('../../runtime/permissions/sandbox-trial.ts');
      process.exitCode = await withEarlyTrial(self.opts(), async (trial) => {
        const { runCommand } = await import('../run/run-command.ts');
        return runCommand(prompt, self.opts(), trial);
      });
    });
}
