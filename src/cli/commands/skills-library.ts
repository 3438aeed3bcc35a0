import type { Command } from 'commander';

/** The commands of `skillmint skills` that change what is installed. */
export function defineLibraryCommands(skills: Command): void {
  skills.command('install [source]').description('install skills from a folder, an archive, a repository, a package or a site')
    .option('--scope <scope>', 'user (for all your work) or project (this folder)', 'user')
    .option('--skill <name...>', 'only these of the skills that the source holds')
    .option('--replace', 'replace skills of the same name; asks on a terminal')
    .option('--yes', 'do not ask')
    .option('--dry-run', 'fetch and check, say what would be installed, and change nothing')
    .option('--frozen', 'without a source: install exactly what the lock file says')
    .option('--json', 'print JSON')
    .action(async (source: string | undefined, _options, self: Command) => (await import('../library/install-command.ts')).installCommand(source, self.opts()));
}
