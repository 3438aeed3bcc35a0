import { isObject, type JsonSchema } from '../protocol/json.ts';
import { cutStart } from '../util/cut-text.ts';

/** Bounds of a schema that a stranger wrote: it is shown to the model and checked against. */
const MOST_NODES = 3_000;
const MOST_DEPTH = 24;
/** Characters of a description, and of the JSON of one list of values. */
const MOST_TEXT = 500;
const MOST_DATA = 5_000;
/** Words that could make a check endless, or send it to another place; the server makes these checks itself. */
const LEFT_OUT = new Set(['$schema', '$id', '$anchor', '$dynamicRef', '$dynamicAnchor', '$recursiveRef', '$recursiveAnchor', '$vocabulary', '$defs', 'definitions', 'pattern', 'patternProperties', 'propertyNames', 'format', 'contentMediaType', 'contentEncoding', 'contentSchema', 'if', 'then', 'else', 'not', 'unevaluatedProperties', 'unevaluatedItems']);
/** Words whose values are data and no schemas. */
const DATA = new Set(['const', 'enum', 'default', 'examples', 'required', 'type']);

/**
 * The input schema of a server's tool as it is used here: finite, without references (they are filled in) and without
 * regular expressions. Undefined for one that is not of an object. What goes beyond the bounds is left unchecked.
 */
export function usableSchema(schema: unknown): JsonSchema | undefined {
  if (!isObject(schema) || (schema['type'] !== undefined && schema['type'] !== 'object')) return undefined;
  let nodes = 0;
  const copy = (value: unknown, depth: number): unknown => {
    if (typeof value === 'boolean') return value;
    if (!isObject(value) || ++nodes > MOST_NODES || depth > MOST_DEPTH) return {};
    const target = typeof value['$ref'] === 'string' ? lookUp(schema, value['$ref']) : undefined;
    const merged = target === undefined ? value : { ...target, ...value };
    const isOpen = isObject(merged['patternProperties']);
    return Object.fromEntries(Object.entries(merged).flatMap(([word, inner]): [string, unknown][] => {
      if (LEFT_OUT.has(word) || (word === '$ref' && target !== value) || (isOpen && word === 'additionalProperties')) return [];
      if (DATA.has(word)) return JSON.stringify(inner).length > MOST_DATA ? [] : [[word, inner]];
      if (typeof inner === 'string') return [[word, cutStart(inner, MOST_TEXT)]];
      if (word === 'properties' || word === 'dependentSchemas') return [[word, isObject(inner) ? Object.fromEntries(Object.entries(inner).map(([name, one]) => [name, copy(one, depth + 1)])) : {}]];
      if (Array.isArray(inner)) return [[word, inner.map((one: unknown) => copy(one, depth + 1))]];
      return [[word, isObject(inner) ? copy(inner, depth + 1) : inner]];
    }));
  };
  const copied = copy({ ...schema, type: 'object' }, 0);
  return isObject(copied) ? copied : undefined;
}

/** What a reference inside of the schema leads to; one that leads elsewhere is not followed. */
function lookUp(root: Readonly<Record<string, unknown>>, reference: string): Readonly<Record<string, unknown>> | undefined {
  if (!reference.startsWith('#')) return {};
  const steps = reference.slice(1).split('/').slice(1).map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  const found = steps.reduce<unknown>((at, step) => (isObject(at) && Object.hasOwn(at, step) ? at[step] : undefined), root);
  return isObject(found) ? found : {};
}
