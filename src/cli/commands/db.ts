import type { Command } from 'commander';
import { databaseOption } from '../options.ts';

/** `skillmint db`. */
export function defineDatabase(program: Command): void {
  const db = program.command('db').description('look at the database of the sessions, and bring it up to date');
  const load = () => import('../database/db-commands.ts');
  db.command('status').description('where it is, its schema, what is in it, its queue and who works on it')
    .addOption(databaseOption())
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExamples:\n  skillmint db status\n  SKILLMINT_DATABASE=postgres://skillmint@db.example/skillmint skillmint db status --json')
    .action(async (_options, self: Command) => (await load()).showDatabase(self.opts()));
  db.command('migrate').description('bring its schema up to date; stop the workers of an earlier version and make a backup first')
    .addOption(databaseOption())
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  skillmint db migrate --database postgres://skillmint@db.example/skillmint')
    .action(async (_options, self: Command) => (await load()).migrateCommand(self.opts()));
  db.command('import').description('move a data folder with its sessions, skills, settings, trust, memory, users and usage into a PostgreSQL database; the folder stays as it is')
    .addOption(databaseOption())
    .option('--from <folder>', 'the data folder; the own one when left out')
    .option('--replace', 'where the database has other data: replace what differs by what the folder has, and leave the rest')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nEnd the programs that work with the folder first. A second time nothing is changed; one that was stopped goes on.\n\nExample:\n  skillmint db import --from ~/.skillmint --database postgres://skillmint@db.example/skillmint')
    .action(async (_options, self: Command) => (await import('../database/import-command.ts')).importCommand(self.opts()));
}
