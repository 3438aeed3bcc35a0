import type { Json, JsonObject, JsonSchema } from '../protocol/json.ts';
import { isJsonObject, isObject, parseJson } from '../protocol/json.ts';

/**
 * Puts right what models often get slightly wrong and what can mean only one thing: numbers, booleans, lists and
 * objects written as text, one text where a list of texts is wanted, a number where a text is wanted, `null` for an
 * argument that is left out. Everything else stays as it is.
 */
export function coerceInput(input: JsonObject, schema: JsonSchema): JsonObject {
  const entries = Object.entries(input).flatMap(([name, value]): [string, Json][] => {
    const property = propertySchema(schema, name);
    if (property === undefined) return [[name, value]];
    if (value === null && !isRequired(schema, name) && !typesOf(property).includes('null') && typesOf(property).length > 0) return [];
    return [[name, coerce(value, property)]];
  });
  return Object.fromEntries(entries);
}

/** The schema of one property of an object's schema. */
export function propertySchema(schema: JsonSchema, name: string): JsonSchema | undefined {
  const properties = schema['properties'];
  const property = isObject(properties) && Object.hasOwn(properties, name) ? properties[name] : undefined;
  return isObject(property) ? property : undefined;
}

/** Whether an object's schema demands a property. */
export function isRequired(schema: JsonSchema, name: string): boolean {
  return Array.isArray(schema['required']) && schema['required'].includes(name);
}

function coerce(value: Json, schema: JsonSchema): Json {
  const types = typesOf(schema);
  if (typeof value === 'string' && !types.includes('string')) return coerceText(value, schema, types);
  if (typeof value === 'number' && types.length === 1 && types[0] === 'string') return String(value);
  if (Array.isArray(value)) {
    const items = schema['items'];
    return isObject(items) ? value.map((item: Json) => coerce(item, items)) : value;
  }
  return isJsonObject(value) && schema['properties'] !== undefined ? coerceInput(value, schema) : value;
}

function coerceText(text: string, schema: JsonSchema, types: readonly string[]): Json {
  const plain = text.trim();
  if (types.includes('integer') && /^[+-]?\d{1,15}(\.0+)?$/.test(plain)) return Number(plain);
  if (types.includes('number') && /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(plain)) return Number(plain);
  if (types.includes('boolean') && /^(true|false)$/i.test(plain)) return plain.toLowerCase() === 'true';
  const structure = (types.includes('array') && plain.startsWith('[')) || (types.includes('object') && plain.startsWith('{'));
  const parsed = structure ? parseJson(plain) : undefined;
  if (parsed !== undefined) return coerce(parsed, schema);
  const items = schema['items'];
  if (types.includes('array') && isObject(items) && typesOf(items).includes('string')) return [text];
  return text;
}

/** Types that a schema allows; those of its `enum` where it names none. */
function typesOf(schema: JsonSchema): readonly string[] {
  const type = schema['type'];
  if (typeof type === 'string') return [type];
  if (Array.isArray(type)) return type.filter((item) => typeof item === 'string');
  return Array.isArray(schema['enum']) ? [...new Set(schema['enum'].map((item) => (item === null ? 'null' : typeof item)))] : [];
}
