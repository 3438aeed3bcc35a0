import type { ProviderEntry, Settings, SettingsFile } from '../../config/settings.ts';
import { providerNames, providerOf, type Variables } from '../../model/providers.ts';

/**
 * What of a server's own settings its users have beneath theirs: models with their keys and addresses, so that users need no
 * key and no variable of the server, and what limits them. Programs, hooks, folders and hosts are not handed on.
 * @throws SkillmintError config_invalid, key_missing for a provider that is not described well
 */
export function sharedSettings(values: Settings, env: Variables): SettingsFile {
  const { model, smallModel, effort, maxCost, maxTurns, search, sandboxLimits, permissions: { deny, ask } } = values;
  return {
    providers: sharedProviders(values.providers, env),
    permissions: { deny, ask },
    sandbox: { limits: sandboxLimits },
    maxTurns,
    ...(model === undefined ? {} : { model }),
    ...(smallModel === undefined ? {} : { smallModel }),
    ...(effort === undefined ? {} : { effort }),
    ...(maxCost === undefined ? {} : { maxCost }),
    ...(search === undefined ? {} : { search: { ...search, ...(typeof search.apiKey === 'object' ? keyOf(env[search.apiKey.env]) : {}) } }),
  };
}

/** Each provider that can be used, with key and address as they are now: no variable has to be known where they are used. */
function sharedProviders(settings: Settings['providers'], env: Variables): Readonly<Record<string, ProviderEntry>> {
  const entries = providerNames(settings).flatMap((name): readonly [string, ProviderEntry][] => {
    const own = Object.hasOwn(settings, name) ? settings[name] : undefined;
    const provider = providerOf(name, settings, env);
    if (!provider || (own === undefined && provider.key === undefined)) return [];
    return [[name, { ...own, baseUrl: provider.baseUrl, ...keyOf(provider.key) }]];
  });
  return Object.fromEntries(entries);
}

function keyOf(key: string | undefined): { readonly apiKey?: string } {
  return key === undefined || key === '' ? {} : { apiKey: key };
}
