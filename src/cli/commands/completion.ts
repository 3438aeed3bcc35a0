import { Argument, type Command } from 'commander';
import { write } from '../terminal.ts';

/** `skillmint completion`. */
export function defineCompletion(program: Command): void {
  program.command('completion').description('print a completion script')
    .addArgument(new Argument('<shell>').choices(['bash', 'zsh', 'fish']))
    .addHelpText('after', '\nExamples:\n  source <(skillmint completion bash)\n  skillmint completion fish > ~/.config/fish/completions/skillmint.fish')
    .action(async (shell: string) => {
      const { completionScript } = await import('../completion-script.ts');
      await write(process.stdout, completionScript(program, shell));
    });
}
