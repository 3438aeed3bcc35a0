import { MEMORY_ENDPOINTS as API } from '../../api/memory-endpoints.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { allowedFolder } from '../allowed-folder.ts';
import { route, type Route } from '../route.ts';
import type { Tenant } from '../tenant.ts';

/** What is remembered of a project or by a skill. */
export function memoryRoutes(): readonly Route[] {
  return [
    route(API.listMemory, async ({ tenant, query }) => ({ entries: (await (await memoryOf(tenant, query)).list()).map(({ key, size, changedMs }) => ({ key, size, changed: new Date(changedMs).toISOString() })) })),
    route(API.readMemory, async ({ tenant, params: { key }, query }) => (await memoryOf(tenant, query)).read(key)),
    route(API.writeMemory, async ({ tenant, params: { key }, query, body: { text } }) => {
      const { key: kept, size } = await (await memoryOf(tenant, query)).write(key, text);
      return { key: kept, size };
    }),
    route(API.removeMemory, async ({ tenant, params: { key }, query }) => {
      await (await memoryOf(tenant, query)).remove(key);
      return { removed: key };
    }),
  ];
}

function memoryOf(tenant: Tenant, { cwd, skill }: { readonly cwd?: string; readonly skill?: string }): ReturnType<Runtime['memory']> {
  return tenant.runtime.memory(allowedFolder(tenant, cwd), skill);
}
