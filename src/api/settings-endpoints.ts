import type { Price, UsageSum } from '../protocol/usage.ts';
import { endpoint, NONE } from './endpoint.ts';
import { anyValue, flag, list, object, optional, shaped, text } from './schema.ts';

/** A setting with its origin; keys and values of headers are masked. */
export interface ApiSetting {
  readonly key: string;
  readonly value: unknown;
  readonly layer: string;
  /** What the person's own file says of it. */
  readonly own?: unknown;
  readonly origins: readonly { readonly layer: string; readonly file?: string }[];
}

/** A model that is known by name. */
export interface ApiModel {
  /** `PROVIDER/MODEL`. */
  readonly name: string;
  readonly provider: string;
  readonly id: string;
  /** Tokens. */
  readonly contextWindow: number;
  readonly maxOutput: number;
  readonly price?: Price;
  readonly ready: boolean;
  /** Where its key is looked for, when it has none. */
  readonly missing?: string;
}

/** A setting that there is, whether or not it has a value. */
export interface ApiKnownSetting {
  readonly key: string;
  readonly description: string;
  /** The words that it takes, where it takes no others. */
  readonly words?: readonly string[];
  /** Whoever asks may not change it. */
  readonly fixed?: true;
}

/** A provider of models; its key is never told. */
export interface ApiProvider {
  readonly name: string;
  /** Left out where there is a problem. */
  readonly api?: 'anthropic' | 'openai-chat' | 'openai-responses';
  readonly baseUrl?: string;
  /** Why it cannot be used, in one sentence. */
  readonly problem?: string;
  readonly key: 'settings' | 'environment' | 'missing' | 'not needed';
  /** The variable that the key is, or would be, taken from. */
  readonly variable?: string;
  /** Works without settings but for its key. */
  readonly known: boolean;
}

const HERE = object({ cwd: optional(text({ max: 4_096, description: 'Folder whose settings hold; the first of serve.roots when left out.' })) });
const DAY = '^[0-9]{4}-[0-9]{2}-[0-9]{2}$';
const USE = shaped<UsageSum>('day, name, turns, steps, input, output, cache_read, cache_write, cost_usd, model_ms, tool_ms.');

/** Settings, models and what they were used for. Keys go in and never come out. */
export const SETTINGS_ENDPOINTS = {
  listSettings: endpoint({
    method: 'GET', path: '/api/settings', summary: 'Lists settings with their origin. Keys and values of headers are masked.', query: HERE, body: NONE,
    answer: object({ settings: list(shaped<ApiSetting>('key, value, layer, origins, own.'), { max: 100_000 }), known: list(shaped<ApiKnownSetting>('key, description, words, fixed.')), notices: list(text({ max: 10_000 })), files: shaped<{ readonly user: string; readonly project?: string; readonly trusted: boolean }>('Where settings are read from: user, project, trusted.') }),
  }),
  changeSetting: endpoint({
    method: 'PUT', path: '/api/settings', summary: 'Writes a setting into the own file of the person; without a value it is taken out.', query: HERE,
    body: object({ key: text({ min: 1, description: 'As in "skillmint config set": smallModel, permissions.allow.' }), value: optional(anyValue('What it is to be.')) }),
    answer: object({ key: text(), set: flag() }),
  }),
  listModels: endpoint({ method: 'GET', path: '/api/models', summary: 'Lists models that are known by name, and whether they can be used.', query: HERE, body: NONE, answer: object({ models: list(shaped<ApiModel>('name, provider, id, contextWindow, maxOutput, price, ready, missing.'), { max: 100_000 }), providers: list(shaped<ApiProvider>('name, api, baseUrl, problem, key, variable, known.')) }) }),
  usage: endpoint({
    method: 'GET', path: '/api/usage', summary: 'Sums up what turns took: tokens, cost, waiting for models, running tools; by day, by day and model, and by day and skill.',
    query: object({ from: optional(text({ pattern: DAY, description: 'First day, as 2026-01-31 (UTC).' })), to: optional(text({ pattern: DAY, description: 'Last day.' })) }), body: NONE,
    answer: object({ days: list(USE, { max: 1_000_000 }), models: list(USE, { max: 1_000_000 }), skills: list(USE, { max: 1_000_000 }) }),
  }),
};
