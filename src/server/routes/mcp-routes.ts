import { MCP_ENDPOINTS as API } from '../../api/mcp-endpoints.ts';
import type { McpService } from '../../runtime/mcp/mcp-service.ts';
import { allowedFolder } from '../allowed-folder.ts';
import { route, type Route } from '../route.ts';
import type { Tenant } from '../tenant.ts';

/** MCP servers of settings and projects. */
export function mcpRoutes(): readonly Route[] {
  return [
    route(API.listServers, async ({ tenant, query: { cwd, connect } }) => (await serversOf(tenant, cwd)).list({ connect: connect === 'true' })),
    route(API.addServer, async ({ tenant, query: { cwd }, body: { name, scope = 'user', replace = false, ...form } }) => ({ file: await (await serversOf(tenant, cwd)).add({ name, form, scope, replace }) })),
    route(API.removeServer, async ({ tenant, params: { name }, query: { cwd, scope } }) => ({ file: await (await serversOf(tenant, cwd)).remove(name, scope) })),
    route(API.approveServer, async ({ tenant, params: { name }, query: { cwd }, body: { digest } }) => {
      await (await serversOf(tenant, cwd)).approve(name, digest);
      return { approved: true };
    }),
    route(API.revokeServer, async ({ tenant, params: { name }, query: { cwd } }) => {
      await (await serversOf(tenant, cwd)).revoke(name);
      return { approved: false };
    }),
  ];
}

function serversOf(tenant: Tenant, cwd: string | undefined): Promise<McpService> {
  return tenant.runtime.mcp(allowedFolder(tenant, cwd));
}
