import { SkillmintError } from '../protocol/errors.ts';
import type { ModelInfo } from './model.ts';
import { PRESETS, UNKNOWN_MODEL, type ModelSpec, type Preset } from './presets.ts';
import type { ModelApi, ModelSettings, ProviderSettings, ProvidersSettings } from './provider-settings.ts';
import type { ModelTraits } from './wire.ts';

/** Variables of the environment that hold keys and base URLs. */
export type Variables = Readonly<Record<string, string | undefined>>;

/** A provider with everything that presets, settings and environment say of it. */
export interface Provider {
  readonly id: string;
  readonly api: ModelApi;
  /** Without a slash at its end. */
  readonly baseUrl: string;
  readonly key: string | undefined;
  /** It works only with a key. */
  readonly needsKey: boolean;
  /** The variable that the key is looked for in, unless the settings hold it. */
  readonly keyVariable?: string;
  /** Where the key is looked for, for people. */
  readonly keyHint: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly models: readonly ModelSpec[];
  readonly defaultModel: string | undefined;
  /** Takes models that are not listed. */
  readonly open: boolean;
  readonly local: boolean;
  readonly traits: ModelTraits;
}

/** What is assumed of servers that nothing is known of. */
const PLAIN: ModelTraits = { efforts: ['low', 'medium', 'high'], jsonSchema: true };
const PLAIN_ANTHROPIC: ModelTraits = { ...PLAIN, thinking: 'budget', jsonSchema: false };

/** All names that can stand before the slash, settings first. */
export function providerNames(settings: ProvidersSettings): readonly string[] {
  return [...new Set([...Object.keys(settings), ...PRESETS.map(({ id }) => id)])];
}

/**
 * The provider of that name; `undefined` when there is none. Throws `config_invalid` for settings that do not make
 * one, and `key_missing` for a key that cannot be sent.
 */
export function providerOf(id: string, settings: ProvidersSettings, env: Variables): Provider | undefined {
  const own = Object.hasOwn(settings, id) ? settings[id] : undefined;
  const preset = PRESETS.find((some) => some.id === id);
  if (!own && !preset) return undefined;
  const api = own?.api ?? preset?.api;
  const variable = preset?.baseUrlVariable === undefined ? undefined : env[preset.baseUrlVariable]?.trim();
  const baseUrl = own?.baseUrl ?? (variable || preset?.baseUrl);
  if (!api || !baseUrl) throw new SkillmintError('config_invalid', `providers.${id} needs ${api ? 'baseUrl' : 'api'} in config.json, as ${id} is no provider that skillmint knows.`);
  const models = modelsOf({ api, own, preset });
  return {
    id,
    api,
    baseUrl: checkedUrl(baseUrl, id),
    ...keyOf(id, { own, preset }, env),
    headers: own?.headers ?? {},
    models,
    defaultModel: own?.models?.[0]?.id ?? preset?.defaultModel,
    open: preset ? preset.open === true : models.length === 0,
    local: preset?.local === true,
    traits: { ...(api === 'anthropic' ? PLAIN_ANTHROPIC : PLAIN), ...(api === preset?.api ? preset.traits : {}) },
  };
}

function checkedUrl(baseUrl: string, id: string): string {
  if (!URL.canParse(baseUrl) || !/^https?:$/.test(new URL(baseUrl).protocol)) {
    throw new SkillmintError('config_invalid', `The base URL of the provider ${id} is "${baseUrl}", which is no http(s) URL. Set providers.${id}.baseUrl in config.json.`);
  }
  return baseUrl.replace(/\/+$/, '');
}

function keyOf(id: string, { own, preset }: { readonly own: ProviderSettings | undefined; readonly preset: Preset | undefined }, env: Variables): Pick<Provider, 'key' | 'needsKey' | 'keyVariable' | 'keyHint'> {
  const setting = `providers.${id}.apiKey in config.json`;
  const variable = typeof own?.apiKey === 'object' ? own.apiKey.env : preset?.keyVariable;
  const key = (typeof own?.apiKey === 'string' ? own.apiKey : env[variable ?? ''])?.trim() || undefined;
  const isLookedUp = variable !== undefined && typeof own?.apiKey !== 'string';
  const keyHint = isLookedUp ? `the environment variable ${variable} or ${setting}` : setting;
  if (key !== undefined && !/^[\x21-\x7e]+$/.test(key)) {
    throw new SkillmintError('key_missing', `The key of the provider ${id} holds characters that no key has, such as spaces. Check ${keyHint}.`);
  }
  return { key, needsKey: own?.apiKey !== undefined || preset?.keyVariable !== undefined, keyHint, ...(isLookedUp ? { keyVariable: variable } : {}) };
}

function modelsOf({ api, own, preset }: { readonly api: ModelApi; readonly own: ProviderSettings | undefined; readonly preset: Preset | undefined }): readonly ModelSpec[] {
  const listed = (own?.models ?? []).map((model) => describe(model, knownModel(api, model.id)));
  return [...listed, ...(preset?.models ?? []).filter(({ id }) => !listed.some((model) => model.id === id))];
}

function describe(model: ModelSettings, known: ModelSpec | undefined): ModelSpec {
  const images = model.images ?? known?.images ?? false;
  return {
    id: model.id,
    contextWindow: model.contextWindow ?? known?.contextWindow ?? UNKNOWN_MODEL.contextWindow,
    maxOutput: model.maxOutput ?? known?.maxOutput ?? UNKNOWN_MODEL.maxOutput,
    ...(images ? { images } : {}),
    ...(known?.documents ? { documents: true } : {}),
    ...(model.price ? { price: model.price } : {}),
    ...(known?.traits ? { traits: known.traits } : {}),
  };
}

/** A model under the same id in a preset of the same API: a gateway that serves it changes its price and not its nature. */
function knownModel(api: ModelApi, id: string): ModelSpec | undefined {
  for (const preset of PRESETS) {
    const model = preset.api === api ? preset.models.find((some) => some.id === id) : undefined;
    if (!model) continue;
    const { price: _price, ...nature } = model;
    return { ...nature, traits: { ...preset.traits, ...model.traits } };
  }
  return undefined;
}

/** The model's entry, or an assumed one where the provider takes models that are not listed. */
export function specOf(provider: Provider, id: string): ModelSpec | undefined {
  const listed = provider.models.find((model) => model.id === id);
  if (listed || !provider.open) return listed;
  return knownModel(provider.api, id) ?? { id, ...UNKNOWN_MODEL };
}

/** What callers are told of the model. */
export function infoOf(provider: Provider, spec: ModelSpec): ModelInfo {
  return {
    provider: provider.id,
    id: spec.id,
    contextWindow: spec.contextWindow,
    maxOutput: spec.maxOutput,
    images: spec.images === true,
    documents: spec.documents === true,
    ...(spec.price ? { price: spec.price } : {}),
  };
}
