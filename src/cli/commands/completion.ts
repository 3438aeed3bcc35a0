import type { Command } from 'commander';

/** `skillmint completion`. */
export function defineCompletion(program: Command): void {
  program.command('completion <shell>').description('print a completion script for bash, zsh or fish')
    .addHelpText('after', '\nExamples:\n  source <(skillmint completion bash)\n  skillmint completion fish > ~/.config/fish/completions/skillmint.fish')
    .action(async (shell: string) => {
      const { completionScript } = await import('../completion-script.ts');
      process.stdout.write(completionScript(program, shell));
    });
}
