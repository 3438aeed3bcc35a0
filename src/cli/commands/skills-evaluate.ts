import { Option, type Command } from 'commander';
import { collect, dollars, fraction, wholeNumber } from '../options.ts';

/** `skillmint skills evaluate`. */
export function defineEvaluate(skills: Command): void {
  skills.command('evaluate [skill]').description('measure whether a skill is used when it should be, and what it changes')
    .addOption(new Option('--suite <suite>', 'output: what comes out; triggers: when the skill is used').choices(['triggers', 'output', 'all']).default('all'))
    .option('--evals <folder>', 'folder with the suites; evals of the skill otherwise')
    .option('--only <id>', 'only this case or query; may be given several times', collect)
    .option('--runs <n>', 'runs of each case in each arm; 3 unless told', wholeNumber(1))
    .option('--parallel <n>', 'runs at the same time; 4 unless told', wholeNumber(1))
    .option('--seed <n>', 'decides order and resampling; 1 unless told', wholeNumber(0))
    .option('--against <folder|revision>', 'compare with this version too: a folder, or a git revision of the skill')
    .option('--crowd [n]', 'also run it among your other skills, all of them or so many')
    .option('--model <model>', 'PROVIDER/MODEL that works')
    .option('--judge <model>', 'PROVIDER/MODEL that judges; the setting evaluate.judge, else the one that works')
    .option('--margin <points>', 'difference that counts as none, in points from 0 to 100; 5 unless told', fraction)
    .option('--budget <usd>', 'end after so much, runs and judge together', dollars)
    .option('--max-runs <n>', 'end after so many runs', wholeNumber(1))
    .option('--allow <rule>', 'a further permission rule of the runs', collect)
    .option('--deny <rule>', 'calls that the runs may not make', collect)
    .addOption(new Option('--sandbox <setting>', 'off: commands of runs need rules that allow them').choices(['required', 'off']))
    .option('--ci', 'compare with the baseline, and fail where the statistics support that it got worse')
    .option('--baseline <file>', 'the baseline; evals/baseline.json of the skill otherwise')
    .option('--write-baseline <file>', 'keep the scores as a baseline for later')
    .option('--fresh', 'make runs anew that an earlier evaluation has made, too')
    .option('--report <folder>', 'put report.html, report.json, benchmark.json and junit.xml here, too')
    .option('--resume <id>', 'go on with an evaluation that was cut off')
    .option('--clean [n]', 'remove all evaluations and enhancements but the newest n, with the sessions of their runs')
    .option('--grades <folder>', 'statistics of the grading.json files below this folder; nothing is run')
    .option('--draft', 'have the model draft suites for a skill that has none; nothing is run')
    .option('--json', 'print the report as JSON')
    .addHelpText('after', `
Suites are evals/evals.json (cases with a prompt and expectations) and evals/triggers.json ([{ "query", "should_trigger" }]) of
the skill. Each run is a session of its own in a fresh folder, in the sandbox, without any other copy of the skill; nobody is
asked, and what would ask is denied. Edits and sandboxed commands in the folder are allowed.

Verdicts come from the 95 % interval of the difference: better, worse, no difference (the whole of it lies within the margin),
else not enough evidence. Each run is kept at once: what was cut off goes on with --resume.

The exit code is 0 when all was measured, whatever the verdict; 1 when runs failed, and with --ci also when it got worse or not
all was measured; 4 when a limit ended it, 5 when there is no such skill, suite or baseline, 130 after an interruption.

Examples:
  skillmint skills evaluate orders-report
  skillmint skills evaluate ./my-skill --against HEAD~1 --runs 5 --budget 2
  skillmint skills evaluate pdf --suite triggers --crowd 30
  skillmint skills evaluate pdf --judge anthropic/claude-opus-4-5 --write-baseline evals/baseline.json
  skillmint skills evaluate pdf --ci --baseline evals/baseline.json --report ./evaluation
  skillmint skills evaluate --resume eval_…`)
    .action(async (name: string | undefined, _options, self: Command) => {
      process.exitCode = await (await import('../evaluate/evaluate-command.ts')).evaluateCommand(name, self.opts());
    });
}
