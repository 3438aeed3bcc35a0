import type { ServerDefinition } from './definition.ts';

/** Shorter values are no secrets, and would make holes into any text. */
const SHORTEST = 6;

/** What a server says may repeat what it was given: values of variables, and of headers with each of their words. */
export function withoutSecrets(text: string, definition: ServerDefinition): string {
  const values = definition.kind === 'stdio' ? Object.values(definition.env) : Object.values(definition.headers).flatMap((value) => [value, ...value.split(' ')]);
  return values.filter((value) => value.length >= SHORTEST).reduce((masked, value) => masked.replaceAll(value, '***'), text);
}
