import { isObject, type JsonSchema } from '../protocol/json.ts';
import { SETTINGS_SCHEMA } from './settings-schema.ts';

/** A setting that there is, whether or not it has a value. */
export interface KnownSetting {
  /** As in "skillmint config set"; of settings with free names the part before the name. */
  readonly key: string;
  readonly description: string;
  /** The words that it takes, where it takes no others. */
  readonly words?: readonly string[];
}

/** All settings, in the order of the schema. What is only valid as a whole stands there as a whole. */
export function knownSettings(): readonly KnownSetting[] {
  return below(SETTINGS_SCHEMA, '').filter(({ key }) => key !== '$schema');
}

function below(schema: JsonSchema, key: string): readonly KnownSetting[] {
  const { description, enum: words, anyOf, required } = schema;
  const inner = childrenOf(schema, key);
  if (inner.length > 0 && required === undefined) return inner;
  const forms = (Array.isArray(anyOf) ? anyOf : []).filter(isObject);
  const taken = [words, ...forms.map((form) => form['enum'])].find(Array.isArray)?.filter((word) => typeof word === 'string');
  return [{ key, description: typeof description === 'string' ? description : '', ...(taken ? { words: taken } : {}) }, ...forms.flatMap((form) => childrenOf(form, key))];
}

function childrenOf({ properties }: JsonSchema, key: string): readonly KnownSetting[] {
  return Object.entries(isObject(properties) ? properties : {}).flatMap(([name, schema]) => (isObject(schema) ? below(schema, key === '' ? name : `${key}.${name}`) : []));
}
