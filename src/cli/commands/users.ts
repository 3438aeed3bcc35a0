import { Option, type Command } from 'commander';

const JSON_FLAG = ['--json', 'print JSON'] as const;

/** `skillmint users`. */
export function defineUsers(program: Command): void {
  const users = program.command('users').description('users of the server: skillmint serve --users');
  const load = () => import('../users/users-commands.ts');
  users.addHelpText('after', `
A password is asked for on the terminal, or read from standard input; it never stands in the command.

Examples:
  skillmint users add ada --admin
  printf %s "$PASSWORD" | skillmint users add bert
  skillmint users token bert
  skillmint users list`);
  users.command('add <name>').description('add a user, who is a member unless told')
    .option('--admin', 'an administrator, who may change what concerns all')
    .option('--no-password', 'without a password, for one whom a proxy logs in')
    .option(...JSON_FLAG)
    .action(async (name: string, _options, self: Command) => (await load()).addUserCommand(name, self.opts()));
  users.command('list').description('who may log in')
    .option(...JSON_FLAG)
    .action(async (_options, self: Command) => (await load()).listUsersCommand(self.opts()));
  users.command('remove <name>').description('remove a user; their data and workspace stay in their folders')
    .option(...JSON_FLAG)
    .action(async (name: string, _options, self: Command) => (await load()).removeUserCommand(name, self.opts()));
  users.command('password <name>').description('set another password; logins and tokens end')
    .option(...JSON_FLAG)
    .action(async (name: string, _options, self: Command) => (await load()).passwordCommand(name, self.opts()));
  users.command('role <name> <role>').description('make a user an admin or a member; logins end')
    .option(...JSON_FLAG)
    .action(async (name: string, role: string, _options, self: Command) => (await load()).roleCommand(name, role, self.opts()));
  users.command('token <name>').description('make a token for programs of a user and print it, this once')
    .addOption(new Option('--revoke <id>', 'take a token back; "all" takes every one'))
    .option(...JSON_FLAG)
    .action(async (name: string, _options, self: Command) => (await load()).tokenCommand(name, self.opts()));
}
