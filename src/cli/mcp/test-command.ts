import { checkServers, type CheckedServer } from '../../runtime/mcp/check-servers.ts';
import type { ListedServer } from '../../runtime/mcp/server-list.ts';
import { SkillmintError } from '../../protocol/errors.ts';
import { EXIT } from '../exit-codes.ts';
import { startProgress } from '../library/progress.ts';
import { oneLine, palette, printJson, write } from '../terminal.ts';
import { serverJson, statusOf } from '../../runtime/mcp/server-status.ts';
import { serverNamed } from '../../runtime/mcp/server-named.ts';
import { serversHere, type ServersHere } from './servers-here.ts';

const MOST_SHOWN = 120;

/** Connects to the server, and says meanwhile on standard error how it is doing. */
async function checkPatiently(server: ListedServer, { host, loaded, data }: ServersHere): Promise<CheckedServer> {
  const progress = startProgress();
  try {
    const [checked] = await checkServers([server], { host, allow: loaded.values.network.allow, dataFolder: data, prompts: true, onWait: progress.say });
    if (!checked) throw new Error('one server was checked');
    return checked;
  } finally {
    progress.end();
  }
}

/** `skillmint mcp test`: resolves to the exit code. Rejects with `not_found`, and with `not_trusted` for one that is not approved. */
export async function testServerCommand(name: string, flags: { readonly json?: boolean }): Promise<number> {
  const here = await serversHere();
  const server = serverNamed(here, name, ({ standing }) => standing.kind !== 'shadowed');
  const checked = await checkPatiently(server, here);
  const { status, reason } = statusOf(checked);
  const code = status === 'ready' ? EXIT.done : status === 'unapproved' ? EXIT.refused : EXIT.failed;
  if (flags.json) {
    await printJson({ ...serverJson(checked), tool_list: checked.tools, prompts: checked.prompts.map(({ name: prompt }) => prompt), resources: checked.resources });
    return code;
  }
  if (status !== 'ready') throw new SkillmintError(status === 'unapproved' ? 'not_trusted' : 'network_failed', `The MCP server ${oneLine(server.name)} cannot be used (${status}): ${oneLine(reason ?? '')}`);
  const paint = palette(process.stdout);
  const state = checked.state?.state === 'ready' ? checked.state : undefined;
  await write(process.stdout, `${paint.bold(oneLine(server.name))}  ${paint.green('ready')}  ${oneLine(checked.version ?? '')}, protocol ${oneLine(state?.protocol ?? '')}${checked.resources ? ', with resources' : ''}\n`);
  for (const tool of checked.tools) await write(process.stdout, `  ${oneLine(tool.name)}  ${paint.dim(oneLine(tool.description).slice(0, MOST_SHOWN))}\n`);
  for (const { command } of checked.prompts) await write(process.stdout, `  prompt ${oneLine(command)}\n`);
  const problems = checked.promptProblem === undefined ? [] : [`its prompts are not known: ${checked.promptProblem}`];
  for (const note of [...(state?.notes ?? []), ...problems]) await write(process.stderr, `skillmint: ${oneLine(note)}\n`);
  return code;
}
