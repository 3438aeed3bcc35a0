import type { Price } from '../protocol/usage.ts';

/** The wire formats that skillmint speaks. */
export type ModelApi = 'anthropic' | 'openai-chat' | 'openai-responses';

/** A model as a person describes it in the settings. Sizes in tokens, prices in USD per million tokens. */
export interface ModelSettings {
  readonly id: string;
  readonly contextWindow?: number;
  readonly maxOutput?: number;
  readonly price?: Price;
  readonly images?: boolean;
}

/**
 * One entry of `providers` in the settings. Under a name that skillmint does not know, `api` and `baseUrl` are
 * required; under the name of a preset, what is given replaces the preset's own.
 */
export interface ProviderSettings {
  readonly api?: ModelApi;
  readonly baseUrl?: string;
  /** The key itself, or the environment variable that holds it. Without one, requests carry no credential. */
  readonly apiKey?: string | { readonly env: string };
  /** Sent with every request, beside the credential. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Added to a preset's models. A new provider without a list takes any model id. */
  readonly models?: readonly ModelSettings[];
}

/** `providers` of the settings: name → entry. */
export type ProvidersSettings = Readonly<Record<string, ProviderSettings>>;
