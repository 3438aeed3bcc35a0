import { SkillmintError } from '../protocol/errors.ts';
import { isObject, type JsonSchema } from '../protocol/json.ts';
import { mostSimilar } from '../util/similar.ts';
import { SETTINGS_SCHEMA } from './settings-schema.ts';

/** Where a value lies in a settings file; numbers are positions in lists. */
export type SettingPath = readonly (string | number)[];

/** Names that a level of the settings knows; empty where names are free. */
export function knownKeys(schema: JsonSchema): readonly string[] {
  const alternatives = Array.isArray(schema['anyOf']) ? schema['anyOf'].filter(isObject) : [];
  return [schema, ...alternatives].flatMap(({ properties }) => (isObject(properties) ? Object.keys(properties) : []));
}

function child(schema: JsonSchema, step: string | number): JsonSchema | undefined {
  const properties = schema['properties'];
  if (typeof step === 'number') return isObject(schema['items']) ? schema['items'] : undefined;
  if (isObject(properties) && Object.hasOwn(properties, step)) {
    const known = properties[step];
    return isObject(known) ? known : undefined;
  }
  const free = schema['additionalProperties'];
  if (isObject(free)) return free;
  const alternatives = Array.isArray(schema['anyOf']) ? schema['anyOf'] : [];
  return alternatives.filter(isObject).map((one) => child(one, step)).find((found) => found !== undefined);
}

/** The schema of one setting, or undefined when there is no such setting. */
export function schemaAt(path: SettingPath): JsonSchema | undefined {
  let schema: JsonSchema | undefined = SETTINGS_SCHEMA;
  for (const step of path) schema = schema && child(schema, step);
  return schema;
}

/** True for settings whose values must not be shown: keys, headers, and variables of servers. */
export function isSecret(path: SettingPath): boolean {
  return path.includes('apiKey') || (path[0] === 'providers' && path[2] === 'headers' && path.length > 3) || (path[0] === 'mcpServers' && (path[2] === 'headers' || path[2] === 'env') && path.length > 3);
}

/** True where a value that is not what it should be may hold such a secret: it is not repeated to anybody. */
export function mayHoldSecrets(path: SettingPath): boolean {
  if (isSecret(path)) return true;
  const [top, second, third] = path;
  if (top === 'providers' || top === 'mcpServers') return path.length < 3 || third === 'headers' || third === 'env';
  if (top === 'skills') return path.length === 1 || (second === 'embeddings' && path.length === 2);
  return top === 'search' && path.length === 1;
}

/** A path as people write it: `permissions.mode`, `addDirs[0]`. */
export function showPath(path: SettingPath): string {
  return path.reduce<string>((text, step) => (typeof step === 'number' ? `${text}[${step}]` : text && `${text}.${step}` || step), '');
}

/** `; did you mean "…"?` for a misspelt name, else what there is. */
export function suggestion(name: string, known: readonly string[]): string {
  const [near] = mostSimilar(name, known, 1);
  return near === undefined ? `known are ${known.join(', ')}` : `did you mean "${near}"?`;
}

/**
 * Reads `permissions.mode` and the like. Where names are free and hold plain values, as in `skills.enabled`, all that
 * follows is one name, so that it may contain dots. Throws `usage` for a setting that does not exist.
 */
export function parseKey(text: string): readonly string[] {
  const path: string[] = [];
  let rest = text.split('.');
  while (rest.length > 0) {
    const schema: JsonSchema = schemaAt(path) ?? {};
    const free = isObject(schema['additionalProperties']) && schema['additionalProperties']['type'] !== 'object';
    const step = free ? rest.join('.') : rest[0] ?? '';
    if (step === '' || schemaAt([...path, step]) === undefined) {
      const where = path.length > 0 ? ` in ${showPath(path)}` : '';
      throw new SkillmintError('usage', `unknown setting "${text}": there is no "${step}"${where}; ${suggestion(step, knownKeys(schema))}`);
    }
    path.push(step);
    rest = free ? [] : rest.slice(1);
  }
  return path;
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'a text in double quotes',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  array: 'a list in [ ]',
  object: 'an object in { }',
};

/** What a setting takes, as the end of "… must be". */
export function expectation(path: SettingPath): string {
  const schema = schemaAt(path) ?? {};
  if (Array.isArray(schema['enum'])) return `one of ${schema['enum'].join(', ')}`;
  if (path.length === 1 && path[0] === 'sandbox') return 'one of required, ask, off, on';
  if (path.at(-1) === 'apiKey') return 'a text in double quotes or { "env": "NAME" }';
  const type = TYPES[String(schema['type'])] ?? 'something else';
  if (typeof schema['minimum'] === 'number') return `${type} of at least ${schema['minimum']}`;
  if (typeof schema['exclusiveMinimum'] === 'number') return `${type} above ${schema['exclusiveMinimum']}`;
  if (schema['minLength'] === 1) return `${type} that is not empty`;
  if (typeof schema['pattern'] !== 'string') return type;
  return /model/i.test(String(path.at(-1))) ? 'PROVIDER/MODEL, for example "anthropic/claude-sonnet-4-5"' : 'a URL that begins with http:// or https://, without a name and password (they belong in headers)';
}
