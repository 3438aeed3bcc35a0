import { SERVER_ENDPOINTS as API } from '../../api/server-endpoints.ts';
import { route, type Route } from '../route.ts';
import { VERSION } from '../../version.ts';

/** The server itself, and whoever asks it. */
export function serverRoutes(): readonly Route[] {
  return [
    route(API.whoAmI, async ({ tenant: { name, role, roots } }) => ({ name, role, version: VERSION, roots })),
    route(API.showSandbox, async ({ tenant: { runtime } }) => {
      const { state, mechanism, reason, remedy } = await runtime.sandbox();
      return { state, mechanism, ...(reason === undefined ? {} : { reason }), ...(remedy === undefined ? {} : { remedy }) };
    }),
  ];
}
