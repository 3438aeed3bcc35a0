import { httpFetch } from '../../src/egress/http-fetch.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SkillmintError } from '../../src/protocol/errors.ts';
import { defaultModelName, findLocalModel, listModels } from '../../src/model/listing.ts';
import { PRESETS } from '../../src/model/presets.ts';
import type { ProvidersSettings } from '../../src/model/provider-settings.ts';
import { resolveModel } from '../../src/model/resolve.ts';
import { startFakeProvider, type FakeProvider } from '../../src/testing/index.ts';
import { collect, HELLO, KEY, options, replyIn } from './support.ts';

const MOCK: ProvidersSettings = { mock: { api: 'openai-chat', baseUrl: 'http://127.0.0.1:9/v1', apiKey: 'dummy', models: [{ id: 'mock-model', contextWindow: 200_000, maxOutput: 32_000 }] } };

function problem(name: string, more: Parameters<typeof options>[0] = {}): { readonly code: string; readonly message: string } {
  try {
    resolveModel(name, options(more));
  } catch (error) {
    if (error instanceof SkillmintError) return { code: error.code, message: error.message };
    throw error;
  }
  throw new Error(`${name} was resolved`);
}

describe('a model that cannot be had', () => {
  it('names an unknown provider and those like it', () => {
    expect(problem('nobody/model')).toMatchObject({ code: 'provider_unknown', message: expect.stringContaining('"nobody"') });
    expect(problem('antropic/claude-sonnet-5-5').message).toContain('Did you mean anthropic?');
    expect(problem('constructor/x')).toMatchObject({ code: 'provider_unknown' });
  });

  it('names an unknown model, those like it and where to add it', () => {
    const { code, message } = problem('anthropic/claude-sonet-5-5', { env: { ANTHROPIC_API_KEY: KEY } });
    expect(code).toBe('model_unknown');
    expect(message).toContain('claude-sonet-5-5');
    expect(message).toContain('Did you mean anthropic/claude-sonnet-5-5');
    expect(message).toContain('providers.anthropic.models');
    expect(problem('mock/no-such-model', { providers: MOCK })).toMatchObject({ code: 'model_unknown', message: expect.stringContaining('no-such-model') });
    expect(problem('demo/other')).toMatchObject({ code: 'model_unknown' });
  });

  it('wants a provider before the model', () => {
    expect(problem('claude-opus-5-5')).toMatchObject({ code: 'model_unknown', message: expect.stringContaining('anthropic/claude-opus-5-5') });
    for (const name of ['', '/', '/x', 'mock/']) expect(problem(name).code).toBe('model_unknown');
  });

  it('names the variable and the setting of a missing key', () => {
    expect(problem('anthropic/claude-sonnet-4-5')).toMatchObject({ code: 'key_missing', message: expect.stringMatching(/ANTHROPIC_API_KEY.*providers\.anthropic\.apiKey/) });
    expect(problem('x/m', { providers: { x: { api: 'anthropic', baseUrl: 'http://h', apiKey: { env: 'X_KEY' } } } }).message).toContain('X_KEY');
    expect(problem('openai/gpt-6.2-sol', { env: { OPENAI_API_KEY: '  ' } }).code).toBe('key_missing');
  });

  it('does not send a key that is none, and does not show it', () => {
    const { code, message } = problem('openai/gpt-6.2-sol', { env: { OPENAI_API_KEY: 'sk-abc def\nghi' } });
    expect(code).toBe('key_missing');
    expect(message).not.toContain('abc');
  });

  it('names what a new provider lacks', () => {
    expect(problem('x/m', { providers: { x: { baseUrl: 'http://h' } } })).toMatchObject({ code: 'config_invalid', message: expect.stringContaining('providers.x needs api') });
    expect(problem('x/m', { providers: { x: { api: 'anthropic', baseUrl: 'ftp://h' } } })).toMatchObject({ code: 'config_invalid', message: expect.stringContaining('ftp://h') });
  });
});

describe('a model that can be had', () => {
  it('has the figures of the table', () => {
    const { info } = resolveModel('anthropic/claude-sonnet-5-5', options({ env: { ANTHROPIC_API_KEY: KEY } }));
    expect(info).toEqual({ provider: 'anthropic', id: 'claude-sonnet-5-5', contextWindow: 1_000_000, maxOutput: 128_000, images: true, documents: true, price: { input: 2, output: 10, cache_read: 0.2, cache_write: 2.5 } });
  });

  it('is any model where lists are open', () => {
    expect(resolveModel('ollama/qwen3:8b', options()).info).toMatchObject({ id: 'qwen3:8b', contextWindow: 128_000, maxOutput: 8_192 });
    expect(resolveModel('openrouter/vendor/model:free', options({ env: { OPENROUTER_API_KEY: KEY } })).info.id).toBe('vendor/model:free');
    expect(resolveModel('x/whatever', options({ providers: { x: { api: 'openai-chat', baseUrl: 'http://h/v1' } } })).info.id).toBe('whatever');
  });

  it('may be added to a preset, and behind a gateway keeps its nature but not its price', () => {
    const providers: ProvidersSettings = {
      deepseek: { models: [{ id: 'deepseek-v9', contextWindow: 7 }] },
      gateway: { api: 'anthropic', baseUrl: 'http://h', models: [{ id: 'claude-opus-5-5', maxOutput: 10 }] },
    };
    expect(resolveModel('deepseek/deepseek-v9', options({ providers, env: { DEEPSEEK_API_KEY: KEY } })).info).toMatchObject({ contextWindow: 7, maxOutput: 8_192 });
    const { info } = resolveModel('gateway/claude-opus-5-5', options({ providers }));
    expect(info).toMatchObject({ contextWindow: 1_000_000, maxOutput: 10, images: true, documents: true });
    expect(info.price).toBeUndefined();
  });
});

describe('where requests go', () => {
  let provider: FakeProvider;
  beforeEach(async () => { provider = await startFakeProvider({ steps: ['one', 'two', 'three'], models: ['nomic-embed-text', 'qwen3:8b'] }); });
  afterEach(() => provider.close());

  it('follows ANTHROPIC_BASE_URL and OPENAI_BASE_URL, with a slash at the end or without', async () => {
    const env = { ANTHROPIC_API_KEY: KEY, ANTHROPIC_BASE_URL: provider.url.replace('/v1', '/'), OPENAI_API_KEY: KEY, OPENAI_BASE_URL: `${provider.url}/` };
    for (const name of ['anthropic/claude-haiku-4-5', 'openai/gpt-6.2-sol']) replyIn(await collect(resolveModel(name, options({ env }))));
    expect(provider.requests.map(({ path }) => path)).toEqual(['/v1/messages', '/v1/responses']);
    expect(provider.requests[0]?.body).toMatchObject({ model: 'claude-haiku-4-5', max_tokens: 64_000, cache_control: { type: 'ephemeral' } });
    expect(provider.requests[1]?.body).toMatchObject({ reasoning: { summary: 'auto' } });
  });

  it('follows the settings before the environment, and sends their headers', async () => {
    const providers: ProvidersSettings = { anthropic: { baseUrl: provider.url, apiKey: { env: 'OTHER' }, headers: { 'x-team': 'blue' } } };
    const env = { ANTHROPIC_API_KEY: 'wrong', ANTHROPIC_BASE_URL: 'http://127.0.0.1:9', OTHER: KEY };
    replyIn(await collect(resolveModel('anthropic/claude-sonnet-5-5', options({ providers, env }))));
    expect(provider.requests[0]?.headers).toMatchObject({ 'x-api-key': KEY, 'x-team': 'blue', 'anthropic-beta': 'thinking-binding-controls-2026-08-01' });
  });

  it('carries no credential where there is none', async () => {
    replyIn(await collect(resolveModel('vllm/m', options({ providers: { vllm: { baseUrl: provider.url } } })), HELLO));
    expect(provider.requests[0]?.headers['authorization']).toBeUndefined();
  });

  it('finds a local server that answers, and a model that talks', async () => {
    expect(await findLocalModel(httpFetch, { ollama: { baseUrl: 'http://127.0.0.1:9/v1' }, lmstudio: { baseUrl: provider.url } })).toBe('lmstudio/qwen3:8b');
    expect(await findLocalModel(() => Promise.reject(new Error('nobody')))).toBeUndefined();
  });
});

describe('the list of models', () => {
  it('shows what is ready and where a key is looked for', () => {
    const models = listModels(MOCK, { DEEPSEEK_API_KEY: KEY });
    expect(models[0]).toMatchObject({ name: 'mock/mock-model', ready: true, contextWindow: 200_000 });
    expect(models.find(({ name }) => name === 'deepseek/deepseek-flash')).toMatchObject({ ready: true });
    expect(models.find(({ name }) => name === 'openai/gpt-6-luna')).toMatchObject({ ready: false, missing: expect.stringContaining('OPENAI_API_KEY') });
    expect(models.at(-1)).toMatchObject({ name: 'demo/demo', ready: true });
    expect(JSON.stringify(models)).not.toContain(KEY);
  });

  it('gives the default: settings, then the first key, then the demo', () => {
    expect(defaultModelName({}, {})).toBe('demo/demo');
    expect(defaultModelName({}, { DEEPSEEK_API_KEY: 'k', YI_API_KEY: 'k' })).toBe('deepseek/deepseek-v4-pro');
    expect(defaultModelName({}, { OPENAI_API_KEY: 'k', ANTHROPIC_API_KEY: 'k' })).toBe('anthropic/claude-sonnet-5-5');
    expect(defaultModelName(MOCK, { OPENAI_API_KEY: 'k' })).toBe('mock/mock-model');
    expect(defaultModelName({ x: { api: 'anthropic', baseUrl: 'http://h', apiKey: { env: 'X' }, models: [{ id: 'm' }] } }, {})).toBe('demo/demo');
  });

  it('holds a whole table: every default exists, sizes fit, ids are unique', () => {
    for (const preset of PRESETS) {
      const ids = preset.models.map(({ id }) => id);
      expect(new Set(ids).size).toBe(ids.length);
      if (preset.keyVariable) expect(ids).toContain(preset.defaultModel);
      for (const model of preset.models) {
        expect(model.maxOutput).toBeLessThan(model.contextWindow);
        if (model.price) expect(model.price.cache_read ?? 0).toBeLessThan(model.price.input);
      }
    }
    const wanted = ['openai', 'anthropic', 'minimax', 'minimax-cn', 'deepseek', 'qwen', 'qwen-cn', 'moonshot', 'moonshot-cn', 'yi', 'gemini', 'openrouter', 'ollama', 'lmstudio', 'vllm'];
    expect(PRESETS.map(({ id }) => id).toSorted()).toEqual(wanted.toSorted());
  });
});
