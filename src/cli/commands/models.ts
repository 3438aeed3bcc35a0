import type { Command } from 'commander';

/** `skillmint models`. */
export function defineModels(program: Command): void {
  const models = program.command('models').description('list models, and test that one answers');
  const load = () => import('../listings/models-commands.ts');
  models.command('list').description('models of the known and configured providers')
    .option('--ready', 'only those whose key is set')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  skillmint models list --ready')
    .action(async (_options, self: Command) => (await load()).listModelsCommand(self.opts()));
  models.command('test [model]').description('ask a model for one word; the configured one when left out')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  skillmint models test anthropic/claude-sonnet-5-5')
    .action(async (model: string | undefined, _options, self: Command) => {
      process.exitCode = await (await load()).testModel(model, self.opts());
    });
}
