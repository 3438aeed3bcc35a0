import { localFiles } from '../../host/local-files.ts';
import { SkillmintError } from '../../protocol/errors.ts';
import { approveServer, revokeServer, type ApprovalEditing } from '../../runtime/mcp/approvals.ts';
import type { ListedServer } from '../../runtime/mcp/server-list.ts';
import { oneLine, palette, printJson, write } from '../terminal.ts';
import { consent } from '../yes-or-no.ts';
import { serverNamed } from '../../runtime/mcp/server-named.ts';
import { targetOf } from '../../runtime/mcp/server-target.ts';
import { serversHere } from './servers-here.ts';

/** What `skillmint mcp approve` can be told. */
export interface ApproveFlags {
  readonly yes?: boolean;
  readonly revoke?: boolean;
  readonly json?: boolean;
}

/** `skillmint mcp approve`. Rejects with `permission_denied` where nobody says yes. */
export async function approveServersCommand(names: readonly string[], flags: ApproveFlags): Promise<void> {
  const here = await serversHere();
  const editing: ApprovalEditing = { tree: here.host.tree, files: localFiles(), dataFolder: here.data, now: Date.now };
  const servers = names.map((name) => serverNamed(here, name, ({ source }) => source === 'project'));
  if (flags.revoke) return revoke(editing, servers, flags);
  for (const { standing } of servers) if (standing.kind === 'invalid' && 'reason' in standing) throw new SkillmintError('config_invalid', standing.reason);
  const ask = consent({ yes: flags.yes === true, what: 'approving a server' });
  for (const server of servers) {
    await write(flags.json ? process.stderr : process.stdout, dialog(server));
    if (ask && !(await ask(`Approve ${oneLine(server.name)} as it is now?`))) throw new SkillmintError('permission_denied', `${oneLine(server.name)} was not approved.`);
    await approveServer(editing, server);
    if (!flags.json) await write(process.stderr, `${oneLine(server.name)} is approved now, as long as its definition stays as it is.\n`);
  }
  if (flags.json) await printJson({ approved: servers.map(({ name, file, digest }) => ({ name, file, digest })) });
}

async function revoke(editing: ApprovalEditing, servers: readonly ListedServer[], flags: ApproveFlags): Promise<void> {
  for (const server of servers) await revokeServer(editing, server);
  if (flags.json) await printJson({ revoked: servers.map(({ name, file }) => ({ name, file })) });
  else await write(process.stderr, `No longer approved: ${servers.map(({ name }) => oneLine(name)).join(', ')}.\n`);
}

/** Everything that the definition says, and what it means. */
function dialog(server: ListedServer): string {
  const { name, file, form, standing } = server;
  const paint = palette(process.stdout);
  const each = (title: string, values: Readonly<Record<string, string>> = {}): readonly string[] => Object.entries(values).map(([key, value]) => `  ${title} ${oneLine(key)} = ${oneLine(value)}`);
  const lines = [
    `${paint.bold(oneLine(name))}  ${paint.dim(oneLine(file ?? ''))}${standing.kind === 'unapproved' && standing.changed ? paint.yellow('  changed since you approved it') : ''}`,
    `  ${form.url === undefined ? 'runs, outside the sandbox and with your rights:' : 'sends requests to:'} ${oneLine(targetOf(server))}`,
    ...(form.cwd === undefined ? [] : [`  in the folder ${oneLine(form.cwd)}`]),
    ...each('with the variable', form.env),
    ...each('with the header', form.headers),
  ];
  return `${lines.join('\n')}\n`;
}
