import { Option, type Command } from 'commander';
import { dollars, wholeNumber } from '../options.ts';

/** `skillmint skills enhance`. */
export function defineEnhance(skills: Command): void {
  skills.command('enhance [skill]').description('learn from a conversation: make a skill, or improve one by edits that are measured')
    .option('--conversation <session|file>', 'a session, or a file of skillmint sessions export')
    .option('--resume <id>', 'go on with an enhancement that was cut off')
    .option('--description', 'change the description alone, by the trigger suite')
    .option('--rounds <n>', 'edits that are tried; 3 unless told', wholeNumber(1))
    .option('--runs <n>', 'runs of each case and version; 3 unless told', wholeNumber(1))
    .option('--seed <n>', 'decides which cases are held out; 1 unless told', wholeNumber(0))
    .option('--model <model>', 'PROVIDER/MODEL of the agent and of the runs')
    .option('--judge <model>', 'PROVIDER/MODEL that judges')
    .option('--budget <usd>', 'end after so much, agent, runs and judge together', dollars)
    .addOption(new Option('--sandbox <setting>', 'off: commands of runs need rules that allow them').choices(['required', 'off']))
    .option('--yes', 'take an edit that was accepted without a question; needs --budget')
    .option('--json', 'print what came of it as JSON; without --yes nothing is taken')
    .addHelpText('after', `
The skill agent reads the conversation and decides: a new skill, a better one, or nothing. Nothing costs no more than that. To
improve one, 40 % of its evals are held out where the agent cannot read them. It edits a copy, at most 40 lines in 2 files and
no wider rights; each edit is measured on the other cases. The best one is accepted when it is better on those held out by the
95 % interval, loads for nothing that it is not for, and takes no message from another skill. You see the difference and decide.

All that was tried stays in the folder enhancements of the data folder, also after Ctrl-C or a crash; --resume goes on from it.

The exit code is 0 when it came to an end, whatever was found; 4 when a limit ended it, 130 after an interruption.

Examples:
  skillmint skills enhance --conversation ses_01k9
  skillmint skills enhance orders-report --conversation session.jsonl --rounds 2 --budget 3
  skillmint skills enhance pdf --conversation ses_01k9 --description --budget 1 --yes
  skillmint skills enhance --resume enh_… --budget 5`)
    .action(async (name: string | undefined, _options, self: Command) => {
      process.exitCode = await (await import('../evaluate/enhance-command.ts')).enhanceCommand(name, self.opts());
    });
}
