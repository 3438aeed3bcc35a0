import type { Command } from 'commander';
import { collect, databaseOption, wholeNumber } from '../options.ts';

/** `skillmint serve` and `skillmint sidecar`. */
export function defineServe(program: Command): void {
  withServerFlags(program.command('serve').description('Serves the web interface and the API over HTTP until it is stopped.'))
    .option('--open', 'open the interface in the browser of this machine')
    .option('--workers <number>', 'turns that run at the same time; further ones wait', wholeNumber(1), 200)
    .addOption(databaseOption())
    .option('--users', 'let in users with a name and a password; see: skillmint users --help')
    .option('--user-header <name>', 'let in users whom a proxy names in this header; needs --trusted-proxy')
    .option('--trusted-proxy <address>', 'address or network of a proxy, such as 127.0.0.1, 10.0.0.0/8 or loopback; may be repeated', collect)
    .option('--new-members', 'whoever the proxy names is a member, also without having been added')
    .option('--workspaces <folder>', 'folder of the workspaces of members, ~/skillmint-workspaces when left out')
    .option('--members-unsandboxed', 'run commands of members with the rights of the server, where it has no sandbox')
    .action(async (flags) => (await import('../serve/serve-command.ts')).serveCommand(flags));
  withServerFlags(program.command('sidecar').description('Serves browser, MCP servers and searches alone, for a host application, until it is stopped.'))
    .action(async (flags) => (await import('../serve/serve-command.ts')).sidecarCommand({ ...flags, workers: 1 }));
}

function withServerFlags(command: Command): Command {
  return command
    .option('--host <address>', 'address to listen on; others than 127.0.0.1 need --token-file or --users', '127.0.0.1')
    .option('--port <number>', 'port to listen on, 8765 unless PORT is set; 0 takes a free one', wholeNumber(0))
    .option('--token-file <file>', 'file with the token that lets in; SKILLMINT_TOKEN names the token itself')
    .option('--allow-host <name>', 'answer for this name too, such as that of a proxy; may be repeated', collect)
    .option('--json', 'print where the server listens as JSON');
}
