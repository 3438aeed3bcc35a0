import { Option, type Command } from 'commander';
import { databaseOption, wholeNumber } from '../options.ts';

const STATUSES = ['idle', 'running', 'waiting', 'interrupted', 'done', 'failed', 'limit', 'cancelled'] as const;

/** `skillmint sessions`. */
export function defineSessions(program: Command): void {
  const sessions = program.command('sessions').description('list, show, export, fork and remove sessions');
  const load = () => import('../listings/sessions-commands.ts');
  sessions.command('list').description('sessions of this folder, newest first')
    .option('--all', 'of every folder')
    .option('--agents', 'also those of sub-agents')
    .addOption(new Option('--status <status>', 'only those that do this, or ended so').choices(STATUSES))
    .option('--text <text>', 'only those with this in the title or the folder, or whose id begins with it')
    .option('-n, --limit <n>', 'at most so many', wholeNumber(1), 50)
    .addOption(databaseOption())
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  skillmint sessions list --all --status waiting')
    .action(async (_options, self: Command) => (await load()).listSessions(self.opts()));
  sessions.command('show <session>').description('what was said and done, and what it waits for')
    .addOption(databaseOption())
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  skillmint sessions show ses_01k9')
    .action(async (id: string, _options, self: Command) => (await load()).showSession(id, self.opts()));
  sessions.command('export <session>').description('the stored events, one JSON object a line')
    .addOption(databaseOption())
    .option('--json', 'accepted; the export is JSON')
    .addHelpText('after', '\nExample:\n  skillmint sessions export ses_01k9 > session.jsonl')
    .action(async (id: string) => (await load()).exportSession(id));
  sessions.command('fork <session>').description('go on from an earlier point in a new session')
    .option('--at <seq>', 'copy the events up to this number; all when left out', wholeNumber(1))
    .addOption(databaseOption())
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  skillmint sessions fork ses_01k9 --at 12')
    .action(async (id: string, _options, self: Command) => (await load()).forkSession(id, self.opts()));
  sessions.command('remove <session...>').description('remove sessions with everything stored for them')
    .addOption(databaseOption())
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  skillmint sessions remove ses_01k9')
    .action(async (ids: readonly string[], _options, self: Command) => (await load()).removeSessions(ids, self.opts()));
}
