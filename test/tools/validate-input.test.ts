import { expect, test } from 'vitest';
import type { JsonObject, JsonSchema } from '../../src/protocol/json.ts';
import { createInputValidator } from '../../src/tools/validate-input.ts';
import { processorTime } from '../helpers/processor-time.ts';

const validate = createInputValidator();
const SCHEMA: JsonSchema = {
  type: 'object',
  properties: {
    file_path: { type: 'string' },
    limit: { type: 'integer', minimum: 1, maximum: 10 },
    ratio: { type: 'number' },
    deep: { type: 'boolean' },
    names: { type: 'array', items: { type: 'string' } },
    mode: { enum: ['one', 'two'] },
    items: { type: 'array', items: { type: 'object', properties: { status: { enum: ['a', 'b'] }, count: { type: 'integer' } }, required: ['status'] } },
  },
  required: ['file_path'],
};

function check(input: JsonObject, schema = SCHEMA): unknown {
  const result = validate({ spec: { name: 'Tool', description: '', input_schema: schema }, argumentAliases: { path: 'file_path', max: 'limit' } }, input);
  return 'input' in result ? result.input : result.problem;
}

test('other names of arguments are replaced', () => {
  expect(check({ path: 'a', max: 3 })).toEqual({ file_path: 'a', limit: 3 });
  expect(check({ filePath: 'a' })).toEqual({ file_path: 'a' });
  expect(check({ path: 'a', file_path: 'b' })).toBe('Tool: "path" is another name of "file_path", and both are given: give one.');
});

test('harmless slips are put right', () => {
  expect(check({ file_path: 'a', limit: '3', ratio: ' 0.5 ', deep: 'True', names: 'x', mode: null })).toEqual({ file_path: 'a', limit: 3, ratio: 0.5, deep: true, names: ['x'] });
  expect(check({ file_path: 7, names: '["x","y"]', items: '[{"status":"a","count":"2"}]' })).toEqual({ file_path: '7', names: ['x', 'y'], items: [{ status: 'a', count: 2 }] });
  expect(check({ file_path: 'true', limit: '10.0' })).toEqual({ file_path: 'true', limit: 10 });
});

test('what is wrong is said in one sentence', () => {
  expect(check({})).toBe('Tool needs the argument "file_path" (a string).');
  expect(check({ file_path: null })).toBe('Tool: "file_path" must be a string, but is null.');
  expect(check({ file_path: 'a', limit: 'abc' })).toBe('Tool: "limit" must be a whole number of at least 1 and at most 10, but is "abc".');
  expect(check({ file_path: 'a', limit: 11 })).toBe('Tool: "limit" must be a whole number of at least 1 and at most 10, but is 11.');
  expect(check({ file_path: 'a', limit: 1.5 })).toContain('"limit" must be a whole number');
  expect(check({ file_path: 'a', mode: 'three' })).toBe('Tool: "mode" must be one of one, two, but is "three".');
  expect(check({ file_path: 'a', items: [{ status: 'a' }, { status: 'c' }] })).toBe('Tool: "items[1].status" must be one of a, b, but is "c".');
  expect(check({ file_path: 'a', items: [{ count: 1 }] })).toBe('Tool: "items[0]" needs "status" (one of a, b).');
  expect(check({ file_path: 'a', names: [1, {}] })).toContain('"names[1]" must be a string, but is {}');
  expect(check({ file_path: { a: 'x'.repeat(500) } })).toMatch(/^Tool: "file_path" must be a string, but is .{60}\.$/);
});

test('unknown arguments are refused with the nearest name', () => {
  expect(check({ file_path: 'a', limmit: 1 })).toBe('Tool has no argument "limmit"; "limit" is meant, perhaps.');
  expect(check({ file_path: 'a', zzz: 1 })).toBe('Tool has no argument "zzz"; it takes file_path, limit, ratio, deep, names, mode, items.');
  expect(check({ file_path: 'a', __proto__: { x: 1 } })).toEqual({ file_path: 'a' });
  expect(check(JSON.parse('{"file_path":"a","__proto__":1}'))).toContain('has no argument "__proto__"');
  expect(check({ file_path: 'a', constructor: 1 })).toContain('has no argument "constructor"');
  expect(check({ anything: 1 }, { type: 'object', additionalProperties: true, properties: {} })).toEqual({ anything: 1 });
  expect(check({ anything: 1 }, { type: 'object' })).toEqual({ anything: 1 });
  expect(check({ anything: 1 }, { type: 'object', properties: {}, additionalProperties: false })).toBe('Tool has no argument "anything"; it takes none.');
});

test('schemas are prepared once: ten thousand checks take no time', async () => {
  const { ms } = await processorTime(5_000, () => {
    for (let index = 0; index < 10_000; index++) check({ file_path: 'a', limit: 3, items: [{ status: 'a' }] });
  });
  expect(ms).toBeLessThan(5_000);
});
