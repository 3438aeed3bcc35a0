import type { Command } from 'commander';

/** `skillmint config`. */
export function defineConfig(program: Command): void {
  const config = program.command('config').description('read and change settings');
  const load = () => import('../listings/config-commands.ts');
  config.command('get <key>').description('the value in force, for example permissions.mode')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  skillmint config get model')
    .action(async (key: string, _options, self: Command) => (await load()).getConfig(key, self.opts()));
  config.command('set <key> <value>').description('change a setting in your own file; values may be JSON')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExamples:\n  skillmint config set model anthropic/claude-sonnet-5-5\n  skillmint config set permissions.allow \'["Bash(npm test)"]\'')
    .action(async (key: string, value: string, _options, self: Command) => (await load()).setConfig(key, value, self.opts()));
  config.command('list').description('all settings and where each comes from')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  skillmint config list')
    .action(async (_options, self: Command) => (await load()).listConfig(self.opts()));
  config.command('path').description('where the settings lie')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  skillmint config path')
    .action(async (_options, self: Command) => (await load()).configPaths(self.opts()));
}
