import { SETTINGS_ENDPOINTS as API } from '../../api/settings-endpoints.ts';
import type { SettingsService } from '../../runtime/settings/settings-service.ts';
import { allowedFolder } from '../allowed-folder.ts';
import { route, type Route } from '../route.ts';
import type { Tenant } from '../tenant.ts';

/** Settings, models and what they were used for. */
export function settingsRoutes(): readonly Route[] {
  return [
    route(API.listSettings, async ({ tenant, query: { cwd } }) => {
      const settings = await settingsOf(tenant, cwd);
      const listed = await settings.list();
      return { ...listed, known: listed.known.map((one) => ({ ...one, ...(settings.mayChange(one.key) ? {} : { fixed: true as const }) })) };
    }),
    route(API.changeSetting, async ({ tenant, query: { cwd }, body: { key, value } }) => {
      await (await settingsOf(tenant, cwd)).set(key, value ?? undefined);
      return { key, set: value !== undefined && value !== null };
    }),
    route(API.listModels, async ({ tenant, query: { cwd } }) => {
      const settings = await settingsOf(tenant, cwd);
      return { models: await settings.models(), providers: await settings.providers() };
    }),
    route(API.usage, async ({ tenant, query }) => tenant.runtime.usage(query)),
  ];
}

function settingsOf(tenant: Tenant, cwd: string | undefined): Promise<SettingsService> {
  return tenant.runtime.settings(allowedFolder(tenant, cwd));
}
