import { isObject } from '../protocol/json.ts';

/**
 * Whether the APIs that enforce schemas take this one: every object closes its properties and requires all of
 * them. Other schemas are not sent, as the request would be refused; whoever asked validates the reply anyway.
 */
export function isStrictSchema(schema: unknown): boolean {
  if (Array.isArray(schema)) return schema.every(isStrictSchema);
  if (!isObject(schema)) return true;
  const properties = schema['properties'];
  if (schema['type'] === 'object' || isObject(properties)) {
    const names = isObject(properties) ? Object.keys(properties) : [];
    const required: readonly unknown[] = Array.isArray(schema['required']) ? schema['required'] : [];
    if (schema['additionalProperties'] !== false || !names.every((name) => required.includes(name))) return false;
  }
  return Object.values(schema).every(isStrictSchema);
}
