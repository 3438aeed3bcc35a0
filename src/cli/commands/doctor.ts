import type { Command } from 'commander';

/** `skillmint doctor`. */
export function defineDoctor(program: Command): void {
  program.command('doctor').description('what works on this machine, and what to do about the rest')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  skillmint doctor')
    .action(async (_options, self: Command) => {
      const { doctorCommand } = await import('../listings/doctor-command.ts');
      process.exitCode = await doctorCommand(self.opts());
    });
}
