import type { FromSchema } from 'json-schema-to-ts';
import { Validator, type Schema } from '@cfworker/json-schema';
import { describe, expect, expectTypeOf, it } from 'vitest';
import type { ProvidersSettings } from '../../src/model/provider-settings.ts';
import { isObject } from '../../src/protocol/json.ts';
import { findProblem, isSettingsFile } from '../../src/config/check-settings.ts';
import type { Settings, SettingsFile } from '../../src/config/settings.ts';
import { DEFAULT_SETTINGS } from '../../src/config/settings.ts';
import { parseKey, showPath } from '../../src/config/settings-keys.ts';
import { SETTINGS_SCHEMA } from '../../src/config/settings-schema.ts';

type Plain<T> = T extends readonly (infer Item)[] ? Plain<Item>[] : T extends object ? { -readonly [Key in keyof T]: Plain<T[Key]> } : T;

describe('the type of a settings file', () => {
  it('is the one that the schema describes', () => {
    type Described = FromSchema<typeof SETTINGS_SCHEMA>;
    expectTypeOf<Plain<SettingsFile>>().toEqualTypeOf<Plain<Described>>();
  });

  it('holds providers as the models take them', () => {
    expectTypeOf<Settings['providers']>().toExtend<ProvidersSettings>();
    expectTypeOf<ProvidersSettings>().toExtend<Settings['providers']>();
  });

  it('takes the defaults, which are settings themselves', () => {
    const { sandboxLimits, ...others } = DEFAULT_SETTINGS;
    expect(isSettingsFile({ ...others, sandbox: { limits: sandboxLimits } })).toBe(true);
  });
});

describe('a problem', () => {
  it.each([
    [{ modell: 'a/b' }, 'unknown setting "modell"; did you mean "model"?'],
    [{ 'no-such-setting': 1 }, 'unknown setting "no-such-setting"; known are $schema, model, smallModel'],
    [{ permissions: { alow: [] } }, 'unknown setting "alow" in permissions; did you mean "allow"?'],
    [{ permissions: { mode: 'yolo' } }, 'permissions.mode must be one of default, acceptEdits, plan, dontAsk, unrestricted, bypassPermissions, not "yolo"'],
    [{ permissions: { deny: 'Bash' } }, 'permissions.deny must be a list in [ ], not "Bash"'],
    [{ permissions: { deny: ['Bash', 3] } }, 'permissions.deny[1] must be a text in double quotes that is not empty, not 3'],
    [{ maxTurns: 0 }, 'maxTurns must be a whole number of at least 1, not 0'],
    [{ maxTurns: 2.5 }, 'maxTurns must be a whole number of at least 1, not 2.5'],
    [{ maxCost: 0 }, 'maxCost must be a number above 0, not 0'],
    [{ model: 'claude' }, 'model must be PROVIDER/MODEL'],
    [{ providers: { mock: { baseUrl: 'localhost' } } }, 'providers.mock.baseUrl must be a URL that begins with http:// or https://, without a name and password (they belong in headers), not "localhost"'],
    [{ providers: { mock: { baseUrl: 'https://me:secret@gpu.lan/v1' } } }, 'not "https://***@gpu.lan/v1"'],
    [{ skills: { embeddings: { baseUrl: 'http://key@gpu.lan', model: 'm' } } }, 'not "http://***@gpu.lan"'],
    [{ providers: { mock: { models: [{ contextWindow: 5 }] } } }, 'providers.mock.models[0] lacks "id"'],
    [{ providers: { mock: { models: [{ id: 'a', price: { input: 1, output: '2' } }] } } }, 'providers.mock.models[0].price.output must be a number of at least 0, not "2"'],
    [{ providers: { 'my provider': {} } }, 'the name "my provider" in providers may only have letters'],
    [{ providers: { mock: { headers: { 'x-key': 5 } } } }, 'providers.mock.headers.x-key must be a text in double quotes, not what it is'],
    [JSON.parse('{"__proto__": {"model": "a/b"}}'), 'unknown setting "__proto__"'],
    [JSON.parse('{"\\ud800": 1}'), 'unknown setting "\\ud800"'],
    [[], 'the file must be an object in { }, not []'],
  ])('of %j says what is expected', (value, says) => {
    expect(isSettingsFile(value)).toBe(false);
    expect(findProblem(value)?.says).toContain(says);
  });

  it.each([5, true, { env: 5 }, {}, { env: 'A', more: 1 }])('with a key does not show it (%j)', (apiKey) => {
    const says = findProblem({ providers: { mock: { apiKey } } })?.says ?? '';
    expect(says).toContain('providers.mock.apiKey');
    expect(says).not.toContain('not 5');
  });

  it('is none where all is well', () => {
    const value = { $schema: 'x', providers: { mock: { api: 'openai-chat', baseUrl: 'http://127.0.0.1:1/v1', apiKey: { env: 'A' }, models: [{ id: 'm' }] } }, skills: { enabled: { 'user:a.b': false } } };
    expect(isSettingsFile(value)).toBe(true);
    expect(findProblem(value)).toBeUndefined();
  });
});

describe('a key', () => {
  it('is read into its steps', () => {
    expect(parseKey('permissions.mode')).toEqual(['permissions', 'mode']);
    expect(parseKey('providers.mock.apiKey')).toEqual(['providers', 'mock', 'apiKey']);
    expect(parseKey('providers.mock.apiKey.env')).toEqual(['providers', 'mock', 'apiKey', 'env']);
    expect(parseKey('skills.enabled.user:has.dots')).toEqual(['skills', 'enabled', 'user:has.dots']);
    expect(showPath(['providers', 'mock', 'models', 0, 'id'])).toBe('providers.mock.models[0].id');
  });

  it.each([
    ['permission.mode', 'there is no "permission"; did you mean "permissions"?'],
    ['permissions.mod', 'there is no "mod" in permissions; did you mean "mode"?'],
    ['model.name', 'there is no "name" in model'],
    ['', 'there is no ""'],
    ['providers..apiKey', 'there is no ""'],
  ])('%j that does not exist is refused', (key, says) => {
    expect(() => parseKey(key)).toThrow(says);
  });
});

describe('the check', () => {
  /** Values of every kind at every place of the schema, right and wrong. */
  function* samples(schema: unknown, wrap: (value: unknown) => unknown, depth = 0): Generator<unknown> {
    for (const value of ['', 'x', 'a/b', 'http://x', 'plan', 'low', 'off', 'grant', 'anthropic', 0, 1, -1, 1.5, true, null, [], [''], ['x'], [1], {}, { x: 1 }, { env: 'X' }, { id: 'm' }]) yield wrap(value);
    if (!isObject(schema) || depth > 6) return;
    for (const [key, inner] of Object.entries(isObject(schema['properties']) ? schema['properties'] : {})) yield* samples(inner, (value) => wrap({ [key]: value }), depth + 1);
    if (isObject(schema['additionalProperties'])) yield* samples(schema['additionalProperties'], (value) => wrap({ name: value, 'odd name': value }), depth + 1);
    if (isObject(schema['items'])) yield* samples(schema['items'], (value) => wrap([value]), depth + 1);
    for (const one of Array.isArray(schema['anyOf']) ? schema['anyOf'] : []) yield* samples(one, wrap, depth + 1);
  }

  it('agrees with a complete validator', () => {
    const complete = new Validator(structuredClone<Schema>(JSON.parse(JSON.stringify(SETTINGS_SCHEMA))), '2020-12');
    const all = [...samples(SETTINGS_SCHEMA, (value) => value)];
    expect(all.filter((value) => isSettingsFile(value) !== complete.validate(value).valid)).toEqual([]);
    const right = all.filter(isSettingsFile).length;
    expect([all.length > 800, right > 50, right < all.length]).toEqual([true, true, true]);
  });
});
