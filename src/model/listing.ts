import type { Fetch } from '../egress/http-fetch.ts';
import { SkillmintError } from '../protocol/errors.ts';
import { isObject } from '../protocol/json.ts';
import type { ModelInfo } from './model.ts';
import { DEMO_INFO, DEMO_NAME } from './demo.ts';
import { PRESETS } from './presets.ts';
import type { ModelApi, ProvidersSettings } from './provider-settings.ts';
import { infoOf, providerNames, providerOf, type Provider, type Variables } from './providers.ts';

/** A model as `skillmint models list` shows it. */
export interface ModelListing extends ModelInfo {
  /** `PROVIDER/MODEL`. */
  readonly name: string;
  /** Everything it needs is set; whether it answers is not tried. */
  readonly ready: boolean;
  /** Where its key is looked for, when it has none. */
  readonly missing?: string;
}

/** All models that are known by name, or those of some providers, those of the settings first and the demo model last. Throws as `providerOf`. */
export function listModels(settings: ProvidersSettings, env: Variables, names: readonly string[] = providerNames(settings)): readonly ModelListing[] {
  const listed = names.flatMap((name) => {
    const provider = providerOf(name, settings, env);
    return provider ? provider.models.map((spec) => listingOf(provider, infoOf(provider, spec))) : [];
  });
  return [...listed, { ...DEMO_INFO, name: DEMO_NAME, ready: true }];
}

/** A provider as it is managed; its key is never part of it. */
export interface ProviderListing {
  readonly name: string;
  /** Left out where there is a problem. */
  readonly api?: ModelApi;
  readonly baseUrl?: string;
  /** Why it cannot be used, in one sentence. */
  readonly problem?: string;
  readonly key: 'settings' | 'environment' | 'missing' | 'not needed';
  /** The variable that the key is, or would be, taken from. */
  readonly variable?: string;
  /** Works without settings but for its key. */
  readonly known: boolean;
}

/** All providers, those of the settings first; one that is not described well has its problem. */
export function listProviders(settings: ProvidersSettings, env: Variables): readonly ProviderListing[] {
  return providerNames(settings).map((name) => {
    const known = PRESETS.some(({ id }) => id === name);
    try {
      return { name, known, ...partsOf(providerOf(name, settings, env)) };
    } catch (error) {
      if (!(error instanceof SkillmintError)) throw error;
      return { name, known, key: settings[name]?.apiKey === undefined ? 'missing' : 'settings', problem: error.message };
    }
  });
}

function partsOf(provider: Provider | undefined): Omit<ProviderListing, 'name' | 'known'> {
  if (!provider) return { key: 'missing' };
  const { api, baseUrl, keyVariable } = provider;
  return { api, baseUrl, key: keySource(provider), ...(keyVariable === undefined ? {} : { variable: keyVariable }) };
}

function keySource({ needsKey, key, keyVariable }: Provider): ProviderListing['key'] {
  if (!needsKey) return 'not needed';
  if (key === undefined) return 'missing';
  return keyVariable === undefined ? 'settings' : 'environment';
}

function listingOf(provider: Provider, info: ModelInfo): ModelListing {
  const ready = isReady(provider);
  return { ...info, name: `${info.provider}/${info.id}`, ready, ...(ready ? {} : { missing: provider.keyHint }) };
}

function isReady({ needsKey, key }: Provider): boolean {
  return !needsKey || key !== undefined;
}

/**
 * The model that is used when none is named: of the first provider that is described in the settings with its
 * models, else of the first preset whose key is set; the demo model when there is neither. Throws as `providerOf`.
 */
export function defaultModelName(settings: ProvidersSettings, env: Variables): string {
  const configured = Object.keys(settings).filter((name) => (settings[name]?.models ?? []).length > 0);
  const keyed = PRESETS.filter((preset) => preset.keyVariable !== undefined).map(({ id }) => id);
  for (const name of [...configured, ...keyed]) {
    const provider = providerOf(name, settings, env);
    if (provider?.defaultModel !== undefined && isReady(provider)) return `${name}/${provider.defaultModel}`;
  }
  return DEMO_NAME;
}

const PROBE_MS = 300;

/** The first model of an Ollama or LM Studio that answers on this machine within 300 ms. */
export async function findLocalModel(fetch: Fetch, settings: ProvidersSettings = {}): Promise<string | undefined> {
  const found = await Promise.all(['ollama', 'lmstudio'].map(async (name) => {
    const provider = providerOf(name, settings, {});
    const id = provider && (await firstModel(fetch, provider.baseUrl));
    return id === undefined ? undefined : `${name}/${id}`;
  }));
  return found.find((name) => name !== undefined);
}

/** Nobody listening is the usual case and no fault. Models that only embed texts cannot talk. */
async function firstModel(fetch: Fetch, baseUrl: string): Promise<string | undefined> {
  try {
    const response = await fetch(`${baseUrl}/models`, { signal: AbortSignal.timeout(PROBE_MS), redirect: 'error' });
    const body: unknown = JSON.parse(await response.text());
    const models: readonly unknown[] = isObject(body) && Array.isArray(body['data']) ? body['data'] : [];
    const ids = models.flatMap((model) => (isObject(model) && typeof model['id'] === 'string' ? [model['id']] : []));
    return ids.find((id) => !/embed/i.test(id));
  } catch {
    // Whatever the reason, there is no such server to use.
    return undefined;
  }
}
