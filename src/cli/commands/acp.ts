import { Option, type Command } from 'commander';

/** `skillmint acp`. */
export function defineAcp(program: Command): void {
  program.command('acp').description('serve an editor as its agent, over the Agent Client Protocol on standard input and output')
    .option('-m, --model <provider/model>', 'model of new sessions, for example anthropic/claude-sonnet-5-5')
    .addOption(new Option('-p, --permission-mode <mode>', 'how much may happen without a question in new sessions').choices(['default', 'acceptEdits', 'plan', 'dontAsk', 'unrestricted', 'bypassPermissions']))
    .addOption(new Option('--sandbox <setting>', 'whether commands must run in a sandbox').choices(['required', 'ask', 'off', 'on']))
    .addHelpText('after', `
The editor starts it; a person does not. Standard output carries the protocol alone, notes go to standard error. It ends when the
editor closes its input; a turn that runs then is stopped and stored, and the editor can open its session again.
docs/editors.md says how to set up an editor.

Example:
  skillmint acp --model anthropic/claude-sonnet-5-5`)
    .action(async (_options, self: Command) => {
      process.exitCode = await (await import('../acp/acp-command.ts')).acpCommand(self.opts());
    });
}
