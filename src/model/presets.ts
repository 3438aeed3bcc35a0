import type { Price } from '../protocol/usage.ts';
import type { Effort } from './model.ts';
import type { ModelApi } from './provider-settings.ts';
import type { ModelTraits } from './wire.ts';

/** A model as the table knows it. Sizes in tokens; the price is left out where it has tiers or is not certain. */
export interface ModelSpec {
  readonly id: string;
  readonly contextWindow: number;
  readonly maxOutput: number;
  readonly images?: true;
  readonly documents?: true;
  readonly price?: Price;
  readonly traits?: Partial<ModelTraits>;
}

/** A provider that works without settings, given its key. */
export interface Preset {
  readonly id: string;
  readonly api: ModelApi;
  readonly baseUrl: string;
  /** Replaces `baseUrl` when set. */
  readonly baseUrlVariable?: string;
  /** Holds the key; a provider without one needs none. */
  readonly keyVariable?: string;
  readonly defaultModel?: string;
  readonly models: readonly ModelSpec[];
  /** Takes other models than the listed ones: a gateway or a local server. */
  readonly open?: true;
  /** Runs on this machine: the first token may take minutes while a model is loaded. */
  readonly local?: true;
  /** Traits of all its models. */
  readonly traits?: Partial<ModelTraits>;
}

const ALL: readonly Effort[] = ['low', 'medium', 'high', 'xhigh', 'max'];
const TO_HIGH: readonly Effort[] = ['low', 'medium', 'high'];

/** Sizes of models that are not listed and not described in the settings. */
export const UNKNOWN_MODEL = { contextWindow: 128_000, maxOutput: 8_192 } as const;

const million = { contextWindow: 1_000_000, maxOutput: 128_000, images: true, documents: true } as const;
const preserved = { thinking: 'preserved', efforts: ALL } as const;
const budget = { thinking: 'budget', efforts: ALL } as const;

const ANTHROPIC: Preset = {
  id: 'anthropic',
  api: 'anthropic',
  baseUrl: 'https://api.anthropic.com',
  baseUrlVariable: 'ANTHROPIC_BASE_URL',
  keyVariable: 'ANTHROPIC_API_KEY',
  defaultModel: 'claude-sonnet-5-5',
  traits: { autoCache: true, jsonSchema: true },
  models: [
    { id: 'claude-sonnet-5-5', ...million, price: { input: 2, output: 10, cache_read: 0.2, cache_write: 2.5 }, traits: preserved },
    { id: 'claude-opus-5-5', ...million, price: { input: 4, output: 20, cache_read: 0.2, cache_write: 5 }, traits: preserved },
    { id: 'claude-fable-5-1', ...million, traits: preserved },
    { id: 'claude-haiku-5-5', ...million, traits: preserved },
    { id: 'claude-opus-5', ...million, price: { input: 5, output: 25, cache_read: 0.5, cache_write: 6.25 }, traits: { thinking: 'adaptive', efforts: ALL } },
    { id: 'claude-sonnet-5', ...million, price: { input: 2, output: 10, cache_read: 0.2, cache_write: 2.5 }, traits: { thinking: 'adaptive', efforts: ALL } },
    { id: 'claude-opus-4-6', ...million, price: { input: 5, output: 25, cache_read: 0.5, cache_write: 6.25 }, traits: { thinking: 'adaptive', efforts: [...TO_HIGH, 'max'] } },
    { id: 'claude-sonnet-4-6', ...million, maxOutput: 64_000, price: { input: 3, output: 15, cache_read: 0.3, cache_write: 3.75 }, traits: { thinking: 'adaptive', efforts: TO_HIGH } },
    { id: 'claude-opus-4-5', ...million, contextWindow: 200_000, maxOutput: 64_000, price: { input: 5, output: 25, cache_read: 0.5, cache_write: 6.25 }, traits: budget },
    { id: 'claude-sonnet-4-5', ...million, contextWindow: 200_000, maxOutput: 64_000, price: { input: 3, output: 15, cache_read: 0.3, cache_write: 3.75 }, traits: budget },
    { id: 'claude-haiku-4-5', ...million, contextWindow: 200_000, maxOutput: 64_000, price: { input: 1, output: 5, cache_read: 0.1, cache_write: 1.25 }, traits: budget },
  ],
};

const gpt = { contextWindow: 1_050_000, maxOutput: 128_000, images: true, documents: true } as const;
const gpt5 = { ...gpt, contextWindow: 400_000 } as const;

/** The Responses API: its newer models take tools with reasoning nowhere else. Prices are those of up to 272,000 tokens of input. */
const OPENAI: Preset = {
  id: 'openai',
  api: 'openai-responses',
  baseUrl: 'https://api.openai.com/v1',
  baseUrlVariable: 'OPENAI_BASE_URL',
  keyVariable: 'OPENAI_API_KEY',
  defaultModel: 'gpt-6.2-sol',
  traits: { efforts: ALL, jsonSchema: true, summaries: true },
  models: [
    { id: 'gpt-6.2-sol', ...gpt, price: { input: 2, output: 10, cache_read: 0.1, cache_write: 2.5 } },
    { id: 'gpt-6.1-sol', ...gpt, price: { input: 2, output: 10, cache_read: 0.1 } },
    { id: 'gpt-6-astra', ...gpt },
    { id: 'gpt-6.1-terra', ...gpt },
    { id: 'gpt-6-luna', ...gpt, price: { input: 0.1, output: 0.5, cache_read: 0.01, cache_write: 0.125 } },
    { id: 'gpt-5.6-terra', ...gpt },
    { id: 'gpt-5.2', ...gpt5, price: { input: 1.75, output: 14, cache_read: 0.175 }, traits: { efforts: [...TO_HIGH, 'xhigh'] } },
    { id: 'gpt-5-mini', ...gpt5, price: { input: 0.25, output: 2, cache_read: 0.025 }, traits: { efforts: TO_HIGH } },
  ],
};

const MINIMAX: Preset = {
  id: 'minimax',
  api: 'anthropic',
  baseUrl: 'https://api.minimax.io/anthropic',
  keyVariable: 'MINIMAX_API_KEY',
  defaultModel: 'MiniMax-M3',
  traits: { efforts: [], jsonSchema: false },
  models: [
    { id: 'MiniMax-M3', contextWindow: 500_000, maxOutput: 131_072, images: true },
    { id: 'MiniMax-M2.7', contextWindow: 204_800, maxOutput: 131_072 },
    { id: 'MiniMax-M2.7-highspeed', contextWindow: 204_800, maxOutput: 131_072 },
  ],
};

/** Prices change with the time of day. */
const DEEPSEEK: Preset = {
  id: 'deepseek',
  api: 'openai-chat',
  baseUrl: 'https://api.deepseek.com',
  keyVariable: 'DEEPSEEK_API_KEY',
  defaultModel: 'deepseek-v4-pro',
  traits: { efforts: ['low', 'high', 'max'], jsonSchema: false, wantsReasoningBack: true },
  models: [
    { id: 'deepseek-v4-pro', contextWindow: 1_000_000, maxOutput: 384_000 },
    { id: 'deepseek-flash', contextWindow: 1_000_000, maxOutput: 384_000, images: true },
  ],
};

const QWEN: Preset = {
  id: 'qwen',
  api: 'openai-chat',
  baseUrl: 'https://dashscope-intl.aliyuncs.com/compatible-mode/v1',
  keyVariable: 'DASHSCOPE_API_KEY',
  defaultModel: 'qwen3.8-max',
  traits: { efforts: [], jsonSchema: false },
  models: [
    { id: 'qwen3.8-max', contextWindow: 991_000, maxOutput: 128_000 },
    { id: 'qwen3-max', contextWindow: 262_144, maxOutput: 65_536 },
    { id: 'qwen3-coder-plus', contextWindow: 1_000_000, maxOutput: 65_536 },
  ],
};

const MOONSHOT: Preset = {
  id: 'moonshot',
  api: 'openai-chat',
  baseUrl: 'https://api.moonshot.ai/v1',
  keyVariable: 'MOONSHOT_API_KEY',
  defaultModel: 'kimi-k3.1-pro',
  traits: { efforts: ['low', 'high', 'max'], jsonSchema: false, wantsReasoningBack: true },
  models: [
    { id: 'kimi-k3.1-pro', contextWindow: 1_048_576, maxOutput: 131_072, images: true, price: { input: 2, output: 10, cache_read: 0.2, cache_write: 2 } },
    { id: 'kimi-k3', contextWindow: 1_048_576, maxOutput: 131_072, images: true, price: { input: 3, output: 15, cache_read: 0.3 } },
    { id: 'kimi-k2.6', contextWindow: 262_144, maxOutput: 131_072, images: true, traits: { efforts: [] } },
  ],
};

const gemini = { contextWindow: 1_048_576, maxOutput: 65_536, images: true } as const;

/** The providers, in the order in which the first one with a key becomes the default. */
export const PRESETS: readonly Preset[] = [
  ANTHROPIC,
  OPENAI,
  {
    id: 'gemini',
    api: 'openai-chat',
    baseUrl: 'https://generativelanguage.googleapis.com/v1beta/openai',
    keyVariable: 'GEMINI_API_KEY',
    defaultModel: 'gemini-3.6-flash',
    traits: { efforts: TO_HIGH, jsonSchema: false },
    models: [
      { id: 'gemini-3.6-flash', ...gemini },
      { id: 'gemini-3.1-pro-preview', ...gemini },
      { id: 'gemini-2.5-pro', ...gemini },
      { id: 'gemini-2.5-flash', ...gemini },
    ],
  },
  DEEPSEEK,
  MOONSHOT,
  // A key of the international platform does not work with the Chinese one, and the other way round; both use one variable.
  { ...MOONSHOT, id: 'moonshot-cn', baseUrl: 'https://api.moonshot.cn/v1', models: MOONSHOT.models.map(withoutPrice) },
  QWEN,
  { ...QWEN, id: 'qwen-cn', baseUrl: 'https://dashscope.aliyuncs.com/compatible-mode/v1', models: QWEN.models.map(withoutPrice) },
  MINIMAX,
  { ...MINIMAX, id: 'minimax-cn', baseUrl: 'https://api.minimaxi.com/anthropic', models: MINIMAX.models.map(withoutPrice) },
  {
    id: 'yi',
    api: 'openai-chat',
    baseUrl: 'https://api.lingyiwanwu.com/v1',
    keyVariable: 'YI_API_KEY',
    defaultModel: 'yi-lightning',
    traits: { efforts: [], jsonSchema: false },
    models: [
      { id: 'yi-lightning', contextWindow: 16_384, maxOutput: 4_096 },
      { id: 'yi-large', contextWindow: 32_768, maxOutput: 4_096 },
    ],
  },
  {
    id: 'openrouter',
    api: 'openai-chat',
    baseUrl: 'https://openrouter.ai/api/v1',
    keyVariable: 'OPENROUTER_API_KEY',
    defaultModel: 'anthropic/claude-sonnet-5.5',
    open: true,
    traits: { efforts: TO_HIGH, jsonSchema: true },
    models: [
      { id: 'anthropic/claude-sonnet-5.5', ...million },
      { id: 'anthropic/claude-opus-5.5', ...million },
      { id: 'openai/gpt-6.2-sol', ...gpt },
    ],
  },
  { id: 'ollama', api: 'openai-chat', baseUrl: 'http://127.0.0.1:11434/v1', open: true, local: true, models: [] },
  { id: 'lmstudio', api: 'openai-chat', baseUrl: 'http://127.0.0.1:1234/v1', open: true, local: true, models: [] },
  { id: 'vllm', api: 'openai-chat', baseUrl: 'http://127.0.0.1:8000/v1', open: true, local: true, models: [] },
];

/** Chinese platforms charge in another currency. */
function withoutPrice({ price: _price, ...model }: ModelSpec): ModelSpec {
  return model;
}
