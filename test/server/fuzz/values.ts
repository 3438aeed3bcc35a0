import { isObject } from '../../../src/protocol/json.ts';
import type { Random } from './random.ts';

const TEXTS = [
  '', ' ', 'x', 'hello', '0', '-1', '1e999', 'null', 'true', '..', '.', '../..', '/etc/passwd', '%2e%2e%2f', '..%5c', 'C:\\', '\\\\server\\share', 'a\0b', '\u202e', '\ud83d\ude00', '\ud800', '__proto__', 'constructor', 'toString',
  '{"a":1}', '<script>alert(1)</script>', "'; DROP TABLE sessions; --", '${HOME}', '$(id)', '`id`', '--help', '-rf', '\n\r\t', 'a'.repeat(5_000), '\u0000'.repeat(10), 'ä'.repeat(300), 'ses_none', 'user:none', '2026-01-31', '999999999999',
];
const ODD: readonly unknown[] = [null, true, false, 0, -1, 1.5, 1e308, Number.MAX_SAFE_INTEGER, [], {}, [[]], [null], { a: { b: {} } }, ...TEXTS];

/** What stands for a value where not anything may: it would start a program or reach the network. */
const SAFE: Readonly<Record<string, readonly unknown[]>> = {
  source: ['./none', '/none', '../..', '', 'https://127.0.0.1:1/x.zip', 'http://[::1]:1/', 'ftp://x/y', 'git+https://127.0.0.1:1/x.git', 'mcp:none', 'npm:', '-x', '\0', 'file:///etc', 5, null],
  command: ['/none/program', 'false', '', '\0', 5],
  url: ['http://127.0.0.1:1/', 'http://169.254.169.254/', 'about:blank', 'file:///etc/passwd', 'javascript:1', 'x', '', 'http://[::1', 5],
  baseUrl: ['http://127.0.0.1:1/', 'x', 5],
  model: ['demo/demo', 'none/none', 'demo', '/', '', 5],
  key: ['model', 'userPrompt', 'permissions.mode', 'permissions.deny', 'maxTurns', 'skills.enabled.user:none', 'none', 'providers', 'a.b.c', '', '__proto__', 'constructor.prototype', 5, null],
  timeout_ms: [1, 50, 1_000, 0, -1, 'x'],
};

/** A value that fits a schema, or nearly, or not at all. `wrong`: in how many of a hundred cases a part does not fit. */
export function valueOf(schema: unknown, random: Random, { wrong, name = '', depth = 0 }: { readonly wrong: number; readonly name?: string; readonly depth?: number }): unknown {
  const safe = SAFE[name];
  if (safe) return random.one(safe);
  if (!isObject(schema) || random.percent(wrong) || depth > 6) return random.one(ODD);
  if (Array.isArray(schema['enum'])) return random.one(schema['enum']);
  switch (schema['type']) {
    case 'string': return textOf(schema, random);
    case 'integer': return Number(schema['minimum'] ?? 0) + random.whole(Math.min(Number(schema['maximum'] ?? 100) - Number(schema['minimum'] ?? 0), 1_000) + 1);
    case 'number': return random.next() * 100;
    case 'boolean': return random.percent(50);
    case 'array': return Array.from({ length: random.whole(4) }, () => valueOf(schema['items'], random, { wrong, depth: depth + 1 }));
    case 'object': return objectOf(schema, random, { wrong, depth });
    default: return random.one(ODD);
  }
}

function objectOf(schema: Readonly<Record<string, unknown>>, random: Random, { wrong, depth }: { readonly wrong: number; readonly depth: number }): unknown {
  const properties = isObject(schema['properties']) ? schema['properties'] : {};
  const required: readonly unknown[] = Array.isArray(schema['required']) ? schema['required'] : [];
  const entries = Object.entries(properties).flatMap(([name, inner]): readonly [string, unknown][] => {
    const isWanted = required.includes(name) ? !random.percent(wrong) : random.percent(40);
    return isWanted ? [[name, valueOf(inner, random, { wrong, name, depth: depth + 1 })]] : [];
  });
  return Object.fromEntries(random.percent(wrong) ? [...entries, [random.one(['more', '', 'length', 'constructor']), random.one(ODD)]] : entries);
}

function textOf(schema: Readonly<Record<string, unknown>>, random: Random): string {
  const pattern = typeof schema['pattern'] === 'string' ? schema['pattern'] : '';
  if (pattern.startsWith('^[0-9]{1,')) return String(random.whole(200));
  if (pattern.startsWith('^[0-9]{4}')) return `2026-${String(random.whole(14)).padStart(2, '0')}-${String(random.whole(33)).padStart(2, '0')}`;
  return random.one(TEXTS);
}

/** A body that is no such thing as a client sends. */
export function brokenBody(random: Random): string | Buffer {
  return random.one([
    () => '{', () => '[]', () => 'null', () => '5', () => '"x"', () => '{"a":1}}', () => '{"__proto__":{"x":1}}', () => '\ufeff{}', () => Buffer.from([0xff, 0xfe, 0x00]), () => Buffer.alloc(100), () => `${'['.repeat(50_000)}`,
    () => `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`, () => `${'['.repeat(20_000)}${']'.repeat(20_000)}`, () => JSON.stringify({ text: 'x'.repeat(2_000_000) }), () => 'a=b&c=d', () => '{"a":1,"a":2}', () => `{"n":1${'0'.repeat(10_000)}}`,
  ])();
}
