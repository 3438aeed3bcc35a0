import { messageOf } from '../protocol/errors.ts';
import { failed, ok, type ToolOutcome } from '../protocol/tool.ts';
import type { Tool, ToolContext } from '../tools/define.ts';
import { cutStart } from '../util/cut-text.ts';
import type { SupervisedServer } from './supervised-server.ts';
import { resourceParts } from './tool-result.ts';

const MOST_LISTED = 200;
const MOST_DESCRIPTION = 200;

/** `mcp__SERVER__list_resources` and `mcp__SERVER__read_resource`, for a server that has resources and no tools of these names. */
export function resourceTools(server: SupervisedServer): readonly Tool[] {
  if (!server.hasResources()) return [];
  const taken = new Set(server.tools().map(({ spec }) => spec.name));
  return [listTool(server), readTool(server)].filter(({ spec }) => !taken.has(spec.name));
}

function listTool(server: SupervisedServer): Tool {
  return {
    spec: { name: `mcp__${server.shortName}__list_resources`, description: `Lists the resources (documents, files, records) of the MCP server ${server.shortName}.`, input_schema: { type: 'object', properties: {} } },
    readOnly: false,
    deferred: true,
    needs: () => [{ action: 'tool' }],
    run: (_input, { signal }) => told(server, 'list_resources', signal, async () => {
      const { resources, resourceTemplates } = await server.ask(async (client, options) => ({ ...(await client.listResources(undefined, options)), ...(await client.listResourceTemplates(undefined, options)) }), signal);
      const lines = [
        ...resources.map(({ uri, name, description }) => line(uri, name, description)),
        ...resourceTemplates.map(({ uriTemplate, name, description }) => line(`${uriTemplate} (a pattern: fill in what stands in { })`, name, description)),
      ];
      const left = lines.length - MOST_LISTED;
      return ok([...lines.slice(0, MOST_LISTED), ...(left > 0 ? [`and ${left} more`] : [])].join('\n') || 'It has no resources.');
    }),
  };
}

function readTool(server: SupervisedServer): Tool {
  return {
    spec: { name: `mcp__${server.shortName}__read_resource`, description: `Reads a resource of the MCP server ${server.shortName} by its address (uri).`, input_schema: { type: 'object', properties: { uri: { type: 'string' } }, required: ['uri'] } },
    readOnly: false,
    deferred: true,
    needs: () => [{ action: 'tool' }],
    run: (input, context: ToolContext) => told(server, 'read_resource', context.signal, async () => {
      const { contents } = await server.ask((client, options) => client.readResource({ uri: typeof input['uri'] === 'string' ? input['uri'] : '' }, options), context.signal);
      return contents.length === 0 ? ok('It is empty.') : { status: 'ok', content: resourceParts(contents, context.accepts) };
    }),
  };
}

async function told({ shortName }: SupervisedServer, name: string, signal: AbortSignal, work: () => Promise<ToolOutcome>): Promise<ToolOutcome> {
  try {
    return await work();
  } catch (error) {
    return failed(signal.aborted ? `mcp__${shortName}__${name} was stopped.` : `mcp__${shortName}__${name} failed: ${messageOf(error)}. See: skillmint mcp test ${shortName}`);
  }
}

function line(address: string, name: string, description: string | undefined): string {
  return `- ${address}: ${name}${description === undefined ? '' : `. ${cutStart(description.replace(/\s+/g, ' '), MOST_DESCRIPTION)}`}`;
}
