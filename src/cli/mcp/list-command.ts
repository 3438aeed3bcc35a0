import { checkServers, type CheckedServer } from '../../runtime/mcp/check-servers.ts';
import { oneLine, palette, printJson, write } from '../terminal.ts';
import { serverJson, statusOf } from '../../runtime/mcp/server-status.ts';
import { targetOf } from '../../runtime/mcp/server-target.ts';
import { serversHere } from './servers-here.ts';

const MOST_PROMPTS = 20;

/** Where the listing goes; standard output and error when left out. */
export interface ListingPlaces {
  readonly out?: (text: string) => Promise<void>;
  readonly err?: (text: string) => Promise<void>;
}

/** `skillmint mcp list`. */
export async function listServersCommand(flags: { readonly connect: boolean; readonly json?: boolean }, places: ListingPlaces = {}): Promise<void> {
  const out = places.out ?? ((text: string) => write(process.stdout, text));
  const err = places.err ?? ((text: string) => write(process.stderr, text));
  const here = await serversHere();
  const nothing = { tools: [], prompts: [], resources: false };
  const checked: readonly CheckedServer[] = flags.connect ? await checkServers(here.servers, { host: here.host, allow: here.loaded.values.network.allow, dataFolder: here.data, prompts: true }) : here.servers.map((listed) => ({ listed, ...nothing }));
  if (flags.json) return printJson({ servers: checked.map(serverJson), problems: here.problems });
  const paint = palette(process.stdout);
  for (const one of checked) {
    const { status, reason } = statusOf(one);
    const colour = status === 'ready' ? paint.green : status === 'failed' || status === 'invalid' ? paint.red : paint.yellow;
    const more = one.state?.state === 'ready' ? `${one.state.tools} tools` : reason ?? '';
    await out(`${paint.bold(oneLine(one.listed.name))}  ${colour(status)}  ${oneLine(more)}\n  ${paint.dim(`${one.listed.source}  ${oneLine(targetOf(one.listed))}`)}\n`);
    if (one.prompts.length > 0) await out(`  prompts of yours to call: ${oneLine(one.prompts.slice(0, MOST_PROMPTS).map(({ command }) => command).join(', '))}${one.prompts.length > MOST_PROMPTS ? `, and ${one.prompts.length - MOST_PROMPTS} more` : ''}\n`);
    if (one.promptProblem !== undefined) await err(`skillmint: ${oneLine(one.listed.name)}: its prompts are not known: ${oneLine(one.promptProblem)}\n`);
  }
  if (checked.length === 0) await err('There are no MCP servers here. Add one: skillmint mcp add --help\n');
  for (const problem of here.problems) await err(`skillmint: ${oneLine(problem)}\n`);
}
