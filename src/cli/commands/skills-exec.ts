import { Command, Option, type ErrorOptions } from 'commander';
import { wholeNumber } from '../options.ts';

/** What a script takes looks like options of ours, so the error says where those stand. */
class ExecCommand extends Command {
  override error(message: string, options?: ErrorOptions): never {
    return super.error(options?.code === 'commander.unknownOption' ? `${message}. What the script is to get stands after --` : message, options);
  }
}

/** `skillmint skills exec`. */
export function defineExec(skills: Command): void {
  const exec = new ExecCommand('exec').argument('<skill>').argument('[args...]').description('run a script of a skill in the sandbox, without a model')
    .option('--script <file>', 'this one, by its path in the skill; else index.js, index.mjs, main.py, run.sh, or the only one in scripts/')
    .option('--timeout <seconds>', 'end it after so long', wholeNumber(1), 60)
    .option('--stdin', 'hand standard input on to it; it is empty otherwise')
    .addOption(new Option('--sandbox <setting>', 'whether it must run in a sandbox').choices(['required', 'ask', 'off', 'on']))
    .option('--json', 'print the result as one JSON object')
    .addHelpText('after', `
What stands after -- goes to the script as it is, and so do further words that do not begin with a dash. The script gets a
temporary folder and home, PATH, LANG and SKILL_DIR, no keys, no network; the skill is read-only. After 10 MiB of output,
or at the end of its time, it is ended with everything that it started.

The exit code is 0 when the script ran, whatever its own was (exitCode tells it), 1 when it could not run to its end, 5 when there is no
such skill or script, 6 when a rule forbids it, 78 when a sandbox is required and there is none.

Examples:
  skillmint skills exec release-notes
  skillmint skills exec pdf --script scripts/count_pages.py -- --verbose report.pdf
  skillmint skills exec ./my-skill --json < /dev/null
  cat orders.csv | skillmint skills exec orders-report --stdin`)
    .action(async (name: string, args: readonly string[], _options, self: Command) => {
      process.exitCode = await (await import('../execute/exec-command.ts')).execCommand(name, args, self.opts());
    });
  skills.addCommand(exec);
}
