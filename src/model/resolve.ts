import type { Fetch } from '../egress/http-fetch.ts';
import { SkillmintError } from '../protocol/errors.ts';
import { httpModel } from './call.ts';
import type { ModelClock } from './clock.ts';
import { DEMO_INFO, DEMO_NAME, demoModel } from './demo.ts';
import type { Model } from './model.ts';
import { mostSimilar } from '../util/similar.ts';
import type { ModelApi, ProvidersSettings } from './provider-settings.ts';
import { infoOf, providerNames, providerOf, specOf, type Provider, type Variables } from './providers.ts';
import { withRetry, type RetryLimits } from './retry.ts';
import { STREAM_LIMITS, type StreamLimits } from './watchdog.ts';
import type { WireFormat } from './wire.ts';

const WIRES: Readonly<Record<ModelApi, () => Promise<WireFormat>>> = {
  'anthropic': async () => (await import('./anthropic/format.ts')).anthropic,
  'openai-chat': async () => (await import('./openai-chat/format.ts')).openAiChat,
  'openai-responses': async () => (await import('./openai-responses/format.ts')).openAiResponses,
};

/** Local servers load a model before its first token. */
const LOCAL_IDLE_MS = 240_000;

/** What models are made of. */
export interface ResolveOptions {
  /** `providers` of the settings. */
  readonly providers: ProvidersSettings;
  readonly env: Variables;
  readonly fetch: Fetch;
  readonly clock: ModelClock;
  /** A new id for a tool call that came without a usable one. */
  readonly ids: () => string;
  /** From 0 to 1, as `Math.random`. */
  readonly random: () => number;
  readonly limits?: Partial<StreamLimits>;
  readonly retry?: Partial<RetryLimits>;
}

/**
 * The model `PROVIDER/MODEL`, with retries. No request is made yet.
 *
 * Throws `SkillmintError`: `provider_unknown`, `model_unknown`, `key_missing`, `config_invalid`; each message names
 * what is wrong and what to set.
 */
export function resolveModel(name: string, options: ResolveOptions): Model {
  if (name === DEMO_NAME) return demoModel({ ids: options.ids });
  const slash = name.indexOf('/');
  if (slash <= 0 || slash === name.length - 1) throw noProvider(name, options);
  const id = name.slice(slash + 1);
  const provider = providerOf(name.slice(0, slash), options.providers, options.env);
  if (!provider && name.startsWith(`${DEMO_INFO.provider}/`)) throw new SkillmintError('model_unknown', `No model "${id}" of demo. Its one model is ${DEMO_NAME}.`);
  if (!provider) throw unknownProvider(name.slice(0, slash), options.providers);
  const spec = specOf(provider, id);
  if (!spec) throw unknownModel(provider, id);
  if (provider.needsKey && provider.key === undefined) throw new SkillmintError('key_missing', `No key for ${provider.id}. Set ${provider.keyHint}.`);
  const model = httpModel({
    target: { info: infoOf(provider, spec), baseUrl: provider.baseUrl, traits: { ...provider.traits, ...spec.traits } },
    loadWire: WIRES[provider.api],
    key: provider.key,
    keyHint: provider.keyHint,
    headers: provider.headers,
    fetch: options.fetch,
    clock: options.clock,
    ids: options.ids,
    limits: { ...STREAM_LIMITS, ...(provider.local ? { idleMs: LOCAL_IDLE_MS } : {}), ...options.limits },
  });
  return withRetry(model, { clock: options.clock, random: options.random, ...(options.retry ? { limits: options.retry } : {}) });
}

function noProvider(name: string, { providers, env }: ResolveOptions): SkillmintError {
  const full = fullNames(providers, env);
  return new SkillmintError('model_unknown', `"${name}" names no model. Write PROVIDER/MODEL, for example ${meant(mostSimilar(name, full, 3)) || 'anthropic/claude-sonnet-5-5'}.`);
}

function unknownProvider(id: string, settings: ProvidersSettings): SkillmintError {
  const names = [...providerNames(settings), 'demo'];
  const near = meant(mostSimilar(id, names, 3));
  return new SkillmintError('provider_unknown', `No provider "${id}".${near ? ` Did you mean ${near}?` : ''} Known: ${names.join(', ')}. Others go under providers.${id} in config.json, with api, baseUrl and models.`);
}

function unknownModel({ id: provider, models }: Provider, id: string): SkillmintError {
  const near = meant(mostSimilar(id, models.map((model) => model.id), 3).map((some) => `${provider}/${some}`));
  const add = `{ "id": "${id}", "contextWindow": N, "maxOutput": N }`;
  return new SkillmintError('model_unknown', `No model "${id}" of ${provider}.${near ? ` Did you mean ${near}?` : ''} To use it all the same, add ${add} to providers.${provider}.models in config.json.`);
}

function meant(names: readonly string[]): string {
  return names.join(' or ');
}

function fullNames(settings: ProvidersSettings, env: Variables): readonly string[] {
  return providerNames(settings).flatMap((name) => providerOf(name, settings, env)?.models.map(({ id }) => `${name}/${id}`) ?? []);
}
